"""Generators and embedders: where they come from, how they are loaded."""
