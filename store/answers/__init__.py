"""Answers and their attributions: written whole and checked, read in a fixed number of queries."""

from store.answers.reading import (
    find_attribution,
    get_answer,
    get_attribution,
    list_answers,
    load_answers,
    load_final_attributions,
    unsettled,
)
from store.answers.writing import add_answer, add_attribution

__all__ = [
    "add_answer",
    "add_attribution",
    "find_attribution",
    "get_answer",
    "get_attribution",
    "list_answers",
    "load_answers",
    "load_final_attributions",
    "unsettled",
]
