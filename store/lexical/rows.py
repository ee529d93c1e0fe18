"""The tokens of every standing statement, written with its rows and checked against them.

A statement is found by its text and by where it stands: titles, headings and dates. These may say
more later, when the same text stands in another work, so `refresh` derives everything anew.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from types import ModuleType

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from store.lexical import postgres, schema, sqlite
from store.lexical.naming import heading_token
from store.lexical.tokens import tokens
from store.records.ledger import Difference
from store.schema import OccurrenceRow, StatementRow, WorkRow
from store.statements.visibility import is_standing

PLACES = 8
"""Occurrences of a statement, the oldest ones, whose titles and dates count."""

_BATCH = 2000
_Place = tuple[str, str, str | None]
"""Title of the work, headings, one a line, and date as claimed."""


def dialect(s: Session) -> ModuleType:
    """The module that keeps the tokens in this kind of database."""
    return sqlite if s.get_bind().dialect.name == "sqlite" else postgres


def refresh(s: Session, ids: Sequence[int]) -> None:
    """Make the tokens of these statements what their rows say, in the same transaction.

    To be called whenever one of them or its occurrences were added, withdrawn or deleted.
    """
    if ids:
        found = dialect(s)
        found.remove(s, ids)
        if words := _words(s, ids):
            found.put(s, words)


def present(s: Session, ids: Sequence[int]) -> set[int]:
    """Those of these statements that have tokens here."""
    return set(dialect(s).ids_among(s, ids))


def having(s: Session, words: Sequence[str]) -> set[int]:
    """The statements that have all of these tokens, whether they may be retrieved or not."""
    if not words:
        return set()
    sql, values = dialect(s).having(words)
    return set(s.scalars(text(sql), values))


def rebuild(s: Session) -> int:
    """Derive the tokens of all statements anew, in new tables if these are not as they should be.

    Returns how many statements have some.
    """
    found, count = dialect(s), 0
    if schema.differences(s.connection()):
        schema.drop(s.connection())
        schema.create(s.connection())
    found.clear(s)
    for ids in _batches(s):
        if words := _words(s, ids):
            found.put(s, words)
        count += len(words)
    return count


def verify(s: Session, *, sample: bool = False) -> Iterator[Difference]:
    """How the tokens differ from the rows. Codes: words_missing, words_unknown, words_differ.

    With `sample` only the newest statements are looked at.
    """
    found = dialect(s)
    after = _newest(s) if sample else -1
    for ids in (*_batches(s, after), [2**53]):
        words = _words(s, ids)
        here = set(found.ids_between(s, after + 1, ids[-1]))
        yield from _differences("words_missing", "it has no words", words.keys() - here)
        yield from _differences("words_unknown", "only the words are there", here - words.keys())
        yield from _differences("words_differ", "it has other words", found.differing(s, words))
        after = ids[-1]


def purge(s: Session) -> None:
    """Leave nothing in the file of what `refresh` removed; minutes for millions of statements."""
    dialect(s).purge(s)


def _newest(s: Session) -> int:
    """The id after which a batch of statements is left."""
    newest = select(StatementRow.id).order_by(StatementRow.id.desc()).offset(_BATCH).limit(1)
    found = s.scalar(newest)
    return -1 if found is None else found


def _batches(s: Session, after: int = -1) -> Iterator[list[int]]:
    """The ids of all statements after one, ascending."""
    while True:
        query = select(StatementRow.id).where(StatementRow.id > after).order_by(StatementRow.id)
        ids = list(s.scalars(query.limit(_BATCH)))
        if not ids:
            return
        yield ids
        after = ids[-1]


def _words(s: Session, ids: Sequence[int]) -> dict[int, list[str]]:
    """The tokens by id of those that stand; a text of punctuation alone has none."""
    texts = select(StatementRow.id, StatementRow.text).where(StatementRow.id.in_(ids))
    places = _places(s, ids)
    standing = s.execute(texts.where(is_standing()))
    words = {i: _tokens(said or "", places[i]) for i, said in standing}
    return {i: each for i, each in words.items() if each}


def _places(s: Session, ids: Sequence[int]) -> dict[int, list[_Place]]:
    number = func.row_number().over(
        partition_by=OccurrenceRow.statement_id, order_by=OccurrenceRow.id
    )
    first = (
        select(OccurrenceRow.id, number.label("number"))
        .where(OccurrenceRow.statement_id.in_(ids), OccurrenceRow.withdrawn_us.is_(None))
        .subquery()
    )
    rows = s.execute(
        select(
            OccurrenceRow.statement_id,
            WorkRow.title,
            OccurrenceRow.headings,
            func.coalesce(OccurrenceRow.published_on, WorkRow.published_on),
        )
        .join(first, first.c.id == OccurrenceRow.id)
        .join(WorkRow, WorkRow.id == OccurrenceRow.work_id)
        .where(first.c.number <= PLACES)
        .order_by(OccurrenceRow.id)
    )
    found: dict[int, list[_Place]] = defaultdict(list)
    for statement_id, title, headings, published_on in rows:
        found[statement_id].append((title, headings, published_on))
    return found


def _tokens(text: str, places: Sequence[_Place]) -> list[str]:
    """The tokens of the text, and of each title, heading and date once."""
    found = tokens(text)
    dates = (date for _, _, date in places if date)
    headings = (line for title, lines, _ in places for line in (title, *lines.split("\n")))
    for date in dict.fromkeys(dates):
        found += tokens(date)
    for heading in dict.fromkeys(headings):
        found += tokens(heading)
        whole = heading_token(heading)
        found += [whole] if whole else []
    return found


def _differences(code: str, message: str, ids: Iterator[int] | set[int]) -> list[Difference]:
    return [Difference(code, f"statement {i}", message) for i in sorted(ids)]
