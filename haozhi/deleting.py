"""Deleting: text, vectors, words and quotations go; ids, hashes, shares and money stay.

First everything is marked, which filters it at once, then removed a part at a time, then searched
for. A deletion that was stopped is finished by `resume`, which also comes before the next one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from store import deletions
from store.deletions import Covered, Kind, Quotes
from store.engine import Engine, Session, read, write
from store.errors import UsageError
from store.records.deletions import Deletion
from store.text import admin_name, said
from store.vectors.catch_up import catch_up
from store.vectors.faiss_index import stored_index
from store.vectors.leaving import has_changes, leave, stored_ids

LISTED = 20
"""Places that are named; more are only counted."""

Progress = Callable[[int, int], None]
"""Told how many statements of how many are removed."""


@dataclass(frozen=True)
class Plan:
    """What a deletion would take away; `answers` had one of its statements in their context."""

    covered: Covered
    answers: int


@dataclass(frozen=True)
class Deleted:
    """A deletion that was carried out.

    `left`: what could still be found of it, which is nothing when all went well. `quoted`: rows
    of others that have the same words in them, LISTED at most of `quoted_count`. `compacted`:
    SQLite's file was written anew, so that no byte of it is left in there; `bytes_left` says where
    they are without that.
    """

    deletion: Deletion
    left: tuple[str, ...]
    quoted: tuple[str, ...]
    quoted_count: int
    compacted: bool
    bytes_left: str


def plan(engine: Engine, kind: Kind, names: Sequence[str]) -> Plan:
    """What would go: statements by id, or a work or author by id or name.

    NotFound; Ambiguous with the candidates. UsageError: several works or authors, or no id.
    """
    with read(engine) as session:
        covered = _cover(session, kind, names)
        return Plan(covered, deletions.answers_with(session, covered.statement_ids))


def delete(
    engine: Engine,
    index_dir: Path,
    kind: Kind,
    names: Sequence[str],
    *,
    by: str,
    reason: str,
    compact: bool = True,
    progress: Progress = lambda _done, _total: None,
) -> Deleted | None:
    """Delete what `plan` says, after what was begun before; None when there is nothing to delete.

    As `plan`; BadInput: `by` or `reason` says nothing. StoreBusy, StoreFull: it is marked, and
    `resume` finishes it.
    """
    by, reason = admin_name(by), said(reason, "a reason (--reason)")
    resume(engine, index_dir, compact=compact)
    with write(engine) as session:
        covered = _cover(session, kind, names)
        if covered.is_nothing:
            return None
        deletion_id = deletions.mark(session, covered, by=by, reason=reason)
    return _carry_out(engine, index_dir, deletion_id, compact=compact, progress=progress)


def resume(
    engine: Engine,
    index_dir: Path,
    *,
    compact: bool = True,
    progress: Progress = lambda _done, _total: None,
) -> tuple[Deleted, ...]:
    """Finish the deletions that were stopped, oldest first."""
    with read(engine) as session:
        begun = deletions.list_deletions(session, unfinished=True)
    return tuple(
        _carry_out(engine, index_dir, each.id, compact=compact, progress=progress) for each in begun
    )


def _cover(session: Session, kind: Kind, names: Sequence[str]) -> Covered:
    if kind == "statement":
        if not all(name.isascii() and name.isdigit() and len(name) < 16 for name in names):
            raise UsageError("a statement is named by its id, a number: haozhi search shows it")
        return deletions.cover_statements(session, [int(name) for name in names])
    if len(names) != 1:
        raise UsageError(f"delete one {kind} at a time")
    cover = deletions.cover_work if kind == "work" else deletions.cover_author
    return cover(session, names[0])


def _carry_out(
    engine: Engine, index_dir: Path, deletion_id: int, *, compact: bool, progress: Progress
) -> Deleted:
    with read(engine) as session:
        quotes = Quotes(deletions.texts_left(session, deletion_id))
        total = deletions.get_deletion(session, deletion_id).left
        answers = [str(p.key[0]) for p in deletions.places_quoting(session, quotes, ("answers",))]
    if answers:
        with write(engine) as session:
            deletions.remove_quotations(session, deletion_id, answers, quotes)
    going, done = True, 0
    while going:
        with write(engine) as session:
            going = deletions.remove_some(session, deletion_id)
        done = min(done + deletions.PART, total)
        progress(done, total)
    _leave_index(engine, index_dir, deletion_id, compact=compact)
    compacted = compact and deletions.compact(engine) is not None
    with read(engine) as session:
        places = list(deletions.places_quoting(session, quotes))
        left = _left(session, deletion_id, quotes)
    quoted = [str(place) for place in places if place.table != "answers"]
    left += [f"{place} quotes it" for place in places if place.table == "answers"]
    left += _in_index(engine, index_dir, deletion_id)
    with write(engine) as session:
        ended = deletions.get_deletion if left else deletions.finish
        deletion = ended(session, deletion_id)
    return Deleted(
        deletion, tuple(left), tuple(quoted[:LISTED]), len(quoted), compacted, _bytes_left(engine)
    )


def _bytes_left(engine: Engine) -> str:
    if engine.dialect.name != "sqlite":
        return deletions.POSTGRES_NOTE
    return "old bytes stay in the database's file until the next deletion"


def _left(session: Session, deletion_id: int, quotes: Quotes) -> list[str]:
    left = [f"{each.subject}: {each.message}" for each in deletions.left_of(session, deletion_id)]
    found = deletions.found_by_words(session, quotes.texts, deletion_id)
    return [*left, *(f"statement {i}: the index of words finds it" for i in sorted(found))]


def _leave_index(engine: Engine, index_dir: Path, deletion_id: int, *, compact: bool) -> None:
    """Whatever embedder made the index: its vectors are known by their ids."""
    index = stored_index(index_dir)
    if index is None:
        return
    with read(engine) as session:
        gone = np.array(deletions.deleted_ids(session, deletion_id), dtype=np.int64)
    removed = leave(index_dir, gone)
    if removed is None:
        removed = catch_up(engine, index).removed
    with write(engine) as session:
        deletions.count_removed(session, deletion_id, index=removed)
    if compact and has_changes(index_dir):
        with index.writing():
            index.save(whole=True)


def _in_index(engine: Engine, index_dir: Path, deletion_id: int) -> list[str]:
    here = stored_ids(index_dir)
    if here is None:
        return [] if stored_index(index_dir) is None else ["the index cannot be read"]
    with read(engine) as session:
        gone = deletions.deleted_ids(session, deletion_id)
    left = set(here.tolist()).intersection(gone)
    return [f"statement {i}: its vector is in the index" for i in sorted(left)]
