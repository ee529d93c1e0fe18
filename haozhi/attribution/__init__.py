"""Whose statements an answer rests on."""
