"""The server: pages, JSON API and event stream over one app."""
