"""The server: the JSON API and a plain page over one app."""

from haozhi.web.server import build, create_app

__all__ = ["build", "create_app"]
