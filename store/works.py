"""Works: the ingested files, their state and their text."""

import datetime as dt
import secrets
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Select, func, or_, select, update
from sqlalchemy.orm import Session

from store.clock import now_us
from store.errors import Ambiguous, BadInput, NotFound
from store.schema import OccurrenceRow, WorkRow, WorkTextRow
from store.text import admin_name, check_text

#: How the date of a work can be known, the strongest first; `store.statements.priority` uses it.
EVIDENCE = ("registry", "isbn_doi", "signed", "metadata", "claimed")


@dataclass(frozen=True)
class NewWork:
    """A file to be ingested: what is known of it, and its extracted text.

    `byte_hash` is the SHA-256 (hex) of its bytes; `published_on` YYYY, YYYY-MM or YYYY-MM-DD as
    claimed. None is unknown. `source` is where the file lies, None for one that comes only once.
    `beside_hash` is the SHA-256 of what was said beside it, '' for nothing; `raw` the source of a
    web page.
    """

    scope: str
    byte_hash: str
    byte_count: int
    path: str
    title: str
    media_type: str
    encoding: str
    namespace: str
    text: str
    published_on: str | None = None
    publication_evidence: str | None = None
    licence: str | None = None
    source: str | None = None
    beside_hash: str = ""
    raw: str | None = None


@dataclass(frozen=True)
class Work:
    """A stored work in its newest version; `state` is ingesting, ready, removed or withdrawn."""

    id: str
    scope: str
    byte_hash: str
    path: str
    title: str
    namespace: str
    published_on: str | None
    publication_evidence: str | None
    licence: str | None
    state: str
    source: str | None
    version: int
    beside_hash: str


def find_work(s: Session, scope: str, byte_hash: str) -> Work | None:
    """The work with these bytes in the scope, or None."""
    row = s.scalar(select(WorkRow).where(WorkRow.scope == scope, WorkRow.byte_hash == byte_hash))
    return _work(row) if row else None


def find_at(
    s: Session, scope: str, namespace: str, source: str, without: Collection[str] = ()
) -> Work | None:
    """The newest work from this place that is in use, else the newest removed one, or None; none
    of those with an id in `without`.
    """
    rows = s.scalars(_at(scope, namespace).where(WorkRow.source == source))
    return next((_work(row) for row in rows if row.id not in without), None)


def list_under(s: Session, scope: str, namespace: str, folder: str) -> tuple[Work, ...]:
    """The works from files under a folder that are in use, by where they lie."""
    prefix = f"{folder.rstrip('/')}/"
    under = func.substr(WorkRow.source, 1, len(prefix)) == prefix
    in_use = WorkRow.state.in_(("ingesting", "ready"))
    rows = s.scalars(_at(scope, namespace).where(under, in_use).order_by(None))
    return tuple(sorted(map(_work, rows), key=lambda work: work.source or ""))


def _at(scope: str, namespace: str) -> Select[WorkRow]:
    return (
        select(WorkRow)
        .where(WorkRow.scope == scope, WorkRow.namespace == namespace)
        .where(WorkRow.state != "withdrawn")
        .order_by(WorkRow.state == "removed", WorkRow.created_us.desc(), WorkRow.id)
    )


def get_work(s: Session, name: str) -> Work:
    """The work with this id, else with exactly this title or path.

    NotFound; Ambiguous with the ids when several have the title or path.
    """
    row = s.get(WorkRow, name)
    if row is not None:
        return _work(row)
    named = or_(WorkRow.title == name, WorkRow.path == name)
    rows = s.scalars(select(WorkRow).where(named).order_by(WorkRow.created_us, WorkRow.id)).all()
    if not rows:
        raise NotFound(f"no work has the id, title or path {name!r}")
    if len(rows) > 1:
        ids = [row.id for row in rows]
        raise Ambiguous(f"{len(rows)} works are called {name!r}, use an id", ids)
    return _work(rows[0])


def set_evidence(s: Session, work_id: str, kind: str, published_on: str | None, by: str) -> None:
    """Record how a work's date is known, and the date itself where it is another than thought.

    Credit follows it for answers given from now on. Lines that had the work's date get the new one;
    those with a date of their own keep it. NotFound. BadInput: an unknown kind, no date or one that
    is still to come, or `by` names nobody.
    """
    by = admin_name(by)
    row = s.get(WorkRow, work_id)
    if row is None:
        raise NotFound(f"no work has the id {work_id!r}")
    if kind not in EVIDENCE:
        raise BadInput(f"evidence is {', '.join(EVIDENCE)}, not {kind!r}")
    published_on = published_on or row.published_on
    if published_on is None:
        raise BadInput("evidence is for a date: say when the work appeared")
    if published_on > _today()[: len(published_on)]:
        raise BadInput(f"{published_on} is still to come: say when the work appeared")
    before = OccurrenceRow.published_on.is_not_distinct_from(row.published_on)
    s.execute(
        update(OccurrenceRow)
        .where(OccurrenceRow.work_id == work_id, before)
        .values(published_on=published_on)
        .execution_options(synchronize_session=False)
    )
    row.published_on, row.publication_evidence, row.evidence_by = published_on, kind, by
    row.evidence_us = now_us()
    s.flush()


def add_work(s: Session, work: NewWork) -> str:
    """Store a work and its text in the state `ingesting`; returns its id.

    Raises BadInput when its text or path cannot be stored (NUL, lone surrogates).
    """
    work_id = f"w{secrets.token_hex(8)}"
    values = vars(work).copy()
    for value in values.values():
        if isinstance(value, str):
            check_text(value)
    text, raw = values.pop("text"), values.pop("raw")
    s.add(WorkRow(id=work_id, state="ingesting", created_us=now_us(), **values))
    s.flush()
    s.add(WorkTextRow(work_id=work_id, text=text, raw=raw))
    s.flush()
    return work_id


def move_work(s: Session, work_id: str, path: str, source: str) -> None:
    """The file of a work lies elsewhere now."""
    moved = update(WorkRow).where(WorkRow.id == work_id)
    s.execute(moved.values(path=check_text(path), source=source))


def set_work_ready(s: Session, work_id: str) -> None:
    """All statements of the work are stored. A withdrawn work stays withdrawn."""
    s.execute(
        update(WorkRow)
        .where(WorkRow.id == work_id, WorkRow.state == "ingesting")
        .values(state="ready")
    )


def get_work_text(s: Session, work_id: str) -> str:
    """The extracted text that occurrence spans index by code point; raises NotFound."""
    text = s.scalar(select(WorkTextRow.text).where(WorkTextRow.work_id == work_id))
    if text is None:
        raise NotFound(f"no work has the id {work_id!r}")
    return text


def find_work_raw(s: Session, work_id: str) -> str | None:
    """The source of the web page that a work was taken out of; None where none is kept."""
    return s.scalar(select(WorkTextRow.raw).where(WorkTextRow.work_id == work_id))


def _today() -> str:
    """YYYY-MM-DD where the day begins first (UTC+14): nowhere is it later."""
    first = dt.timezone(dt.timedelta(hours=14))
    return dt.datetime.fromtimestamp(now_us() // 1_000_000, first).date().isoformat()


def _work(row: WorkRow) -> Work:
    return Work(
        id=row.id,
        scope=row.scope,
        byte_hash=row.byte_hash,
        path=row.path,
        title=row.title,
        namespace=row.namespace,
        published_on=row.published_on,
        publication_evidence=row.publication_evidence,
        licence=row.licence,
        state=row.state,
        source=row.source,
        version=row.version,
        beside_hash=row.beside_hash,
    )
