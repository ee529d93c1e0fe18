"""Attribution measured against truth, people and other methods."""
