"""The review queue: unresolved authors with what there is to decide by."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import CompoundSelect, func, select, union_all
from sqlalchemy.orm import Session

from store.clock import now_us
from store.identities.money import held_micro
from store.lexical.han import simplified
from store.people import added_after
from store.resolution import canonical, said_by
from store.schema import (
    AuthorAliasRow,
    AuthorNameRow,
    AuthorRow,
    OccurrenceRow,
    OccurrenceShareRow,
    StatementRow,
    WorkRow,
)
from store.statements.visibility import is_visible
from store.text import normalise
from store.unresolved import is_waiting

MOST_CANDIDATES = 10


@dataclass(frozen=True)
class Candidate:
    """Another author of the same or a similar name."""

    author_id: str
    name: str
    namespace: str
    unresolved: bool


@dataclass(frozen=True)
class Waiting:
    """An unresolved author: the works (id, title) with what may be retrieved of it, the money held.

    `candidates` are the authors whose name reads the same: same words in any order, in traditional
    or simplified characters, in any case; the resolved ones first, MOST_CANDIDATES at most.
    """

    author_id: str
    name: str | None
    works: tuple[tuple[str, str], ...]
    statements: int
    held_micro: int
    candidates: tuple[Candidate, ...]


def list_waiting(s: Session, limit: int, after: str | None = None) -> tuple[Waiting, ...]:
    """Up to `limit` unresolved authors, oldest first; `after` is the id of the last one seen.

    NotFound: there is no such author.
    """
    query = (
        select(AuthorRow.id, AuthorNameRow.name)
        .outerjoin(AuthorNameRow, AuthorNameRow.author_id == AuthorRow.id)
        .where(is_waiting())
        .order_by(AuthorRow.created_us, AuthorRow.id)
        .limit(limit)
    )
    if after is not None:
        query = query.where(added_after(s, after))
    found = s.execute(query).all()
    held = held_micro(s, [author_id for author_id, _ in found])
    candidates = _candidates(s, {author_id: name for author_id, name in found if name})
    return tuple(
        Waiting(
            author_id,
            name,
            *_said(s, author_id),
            held_micro=held.get(author_id, 0),
            candidates=candidates.get(author_id, ()),
        )
        for author_id, name in found
    )


def likeness(name: str) -> str:
    """What names that read the same have in common: their words, simplified, folded, in order."""
    readable = (c if c.isalnum() else " " for c in normalise(simplified(name)))
    return " ".join(sorted("".join(readable).split()))


def _said(s: Session, author_id: str) -> tuple[tuple[tuple[str, str], ...], int]:
    """The works in which something that the author said may be retrieved, and how much."""
    theirs = said_by(s, author_id, OccurrenceShareRow.author_id, OccurrenceRow.work_id)
    visible = (OccurrenceRow.withdrawn_us.is_(None), is_visible(now_us()))
    query = (
        select(WorkRow.id, WorkRow.title, func.count(StatementRow.id.distinct()))
        .select_from(OccurrenceShareRow)
        .join(OccurrenceRow, OccurrenceRow.id == OccurrenceShareRow.occurrence_id)
        .join(StatementRow, StatementRow.id == OccurrenceRow.statement_id)
        .join(WorkRow, WorkRow.id == OccurrenceRow.work_id)
        .where(theirs, *visible)
        .group_by(WorkRow.id, WorkRow.title)
        .order_by(WorkRow.id)
    )
    rows = s.execute(query).all()
    return tuple((work_id, title) for work_id, title, _ in rows), sum(row[2] for row in rows)


def _candidates(s: Session, names: dict[str, str]) -> dict[str, tuple[Candidate, ...]]:
    """By author: the others whose name or alias reads the same."""
    if not names:
        return {}
    wanted = {likeness(name) for name in names.values()} - {""}
    alike: defaultdict[str, set[str]] = defaultdict(set)
    for author_id, name in s.execute(_all_names()):
        if (key := likeness(name)) in wanted:
            alike[key].add(author_id)
    whose = canonical(s, frozenset[str]().union(*alike.values()))
    known = _known(s, set(whose.values()))
    return {
        author_id: tuple(_first(known, {whose[i] for i in alike[likeness(name)]} - {author_id}))
        for author_id, name in names.items()
    }


def _all_names() -> CompoundSelect[str, str]:
    aliases = select(AuthorAliasRow.author_id, AuthorAliasRow.alias)
    names = select(AuthorNameRow.author_id, AuthorNameRow.name)
    return union_all(names, aliases.where(AuthorAliasRow.confirmed))


def _known(s: Session, author_ids: Collection[str]) -> dict[str, Candidate]:
    """These authors in the order in which they are shown."""
    query = (
        select(
            AuthorRow.id,
            func.coalesce(AuthorNameRow.name, ""),
            AuthorRow.namespace,
            is_waiting().label("waiting"),
        )
        .outerjoin(AuthorNameRow, AuthorNameRow.author_id == AuthorRow.id)
        .where(AuthorRow.id.in_(author_ids))
        .order_by("waiting", AuthorRow.created_us, AuthorRow.id)
    )
    return {i: Candidate(i, name, ns, bool(waiting)) for i, name, ns, waiting in s.execute(query)}


def _first(known: dict[str, Candidate], ids: Collection[str]) -> Iterable[Candidate]:
    return [each for each in known.values() if each.author_id in ids][:MOST_CANDIDATES]
