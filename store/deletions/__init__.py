"""Deletions: what is deleted is marked, removed a part at a time, then searched for.

Ids, hashes, shares and money stay; texts, vectors and words go. A deletion that a crash stopped is
finished by going on where it was (`list_deletions(unfinished=True)`).
"""

from store.deletions.blanking import BLANK, Quotes
from store.deletions.compacting import POSTGRES_NOTE, compact
from store.deletions.marking import mark
from store.deletions.planning import (
    Covered,
    Kind,
    answers_with,
    cover_author,
    cover_statements,
    cover_work,
)
from store.deletions.removing import (
    PART,
    STORES,
    count_removed,
    finish,
    get_deletion,
    list_deletions,
    remove_quotations,
    remove_some,
    texts_left,
)
from store.deletions.searching import (
    Quoting,
    deleted_among,
    deleted_ids,
    found_by_words,
    left_of,
    places_quoting,
)

__all__ = [
    "BLANK",
    "PART",
    "POSTGRES_NOTE",
    "STORES",
    "Covered",
    "Kind",
    "Quotes",
    "Quoting",
    "answers_with",
    "compact",
    "count_removed",
    "cover_author",
    "cover_statements",
    "cover_work",
    "deleted_among",
    "deleted_ids",
    "finish",
    "found_by_words",
    "get_deletion",
    "left_of",
    "list_deletions",
    "mark",
    "places_quoting",
    "remove_quotations",
    "remove_some",
    "texts_left",
]
