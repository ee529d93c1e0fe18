"""Finds whose statements an answer rests on: used, backed, and one rule for the share of each."""
