"""Durable facts: what was said, by whom, what was answered, what is owed. Imports no sibling."""
