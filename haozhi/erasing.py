"""Erasing an author on request: the person's name goes, the books and their proofs stay."""

from dataclasses import dataclass

from store.clock import now_us
from store.engine import Engine, write
from store.erasures import Erased, empty_log, erase_author, texts_naming
from store.people import get_author
from store.statements import withdraw_statements_of
from store.text import admin_name
from store.vectors import VectorIndex
from store.vectors.catch_up import catch_up


@dataclass(frozen=True)
class Erasure:
    """What an erasure did; `erased` is None for an author who was erased before.

    `still_named` are the admins' own words that have the name (`store.erasures.texts_naming`), None
    when there was no name to look for. The other two count only what `index` asked for: statements
    withdrawn, vectors removed.
    """

    author_id: str
    erased: Erased | None
    still_named: tuple[str, ...] | None
    statements_withdrawn: int
    vectors_removed: int


def erase(engine: Engine, author: str, *, by: str, index: VectorIndex | None = None) -> Erasure:
    """Erase an author (id or name) in one transaction.

    What the author said stays and can be retrieved. With an index, the statements that this author
    alone says are withdrawn in the same transaction, and then removed from the index.
    NotFound, Ambiguous: no such author. BadInput: `by` names nobody.
    """
    by = admin_name(by)
    with write(engine) as s:
        found = get_author(s, author)
        still_named = texts_naming(s, found)
        erased = erase_author(s, found, by=by, now_us=now_us())
        withdrawn = 0 if index is None else withdraw_statements_of(s, found.id)
    if erased:
        empty_log(engine)
    removed = 0 if index is None else catch_up(engine, index).removed
    return Erasure(found.id, erased, still_named if erased else None, withdrawn, removed)
