"""Frozen values that cross the store's border; no SQLAlchemy object leaves the store."""
