"""Works: the ingested files, their state and their text."""

import secrets
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from store.clock import now_us
from store.errors import NotFound
from store.schema import WorkRow, WorkTextRow
from store.text import check_text


@dataclass(frozen=True)
class NewWork:
    """A file to be ingested: what is known of it, and its extracted text.

    `byte_hash` is the SHA-256 (hex) of its bytes; `published_on` YYYY, YYYY-MM or YYYY-MM-DD as
    claimed. None is unknown.
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


@dataclass(frozen=True)
class Work:
    """A stored work; `state` is ingesting, ready or withdrawn."""

    id: str
    scope: str
    byte_hash: str
    path: str
    title: str
    namespace: str
    published_on: str | None
    licence: str | None
    state: str


def find_work(s: Session, scope: str, byte_hash: str) -> Work | None:
    """The work with these bytes in the scope, or None."""
    row = s.scalar(select(WorkRow).where(WorkRow.scope == scope, WorkRow.byte_hash == byte_hash))
    return _work(row) if row else None


def get_work(s: Session, work_id: str) -> Work:
    """The work with this id; raises NotFound."""
    row = s.get(WorkRow, work_id)
    if row is None:
        raise NotFound(f"no work has the id {work_id!r}")
    return _work(row)


def add_work(s: Session, work: NewWork) -> str:
    """Store a work and its text in the state `ingesting`; returns its id.

    Raises BadInput when its text or path cannot be stored (NUL, lone surrogates).
    """
    work_id = f"w{secrets.token_hex(8)}"
    values = vars(work).copy()
    for value in values.values():
        if isinstance(value, str):
            check_text(value)
    text = values.pop("text")
    s.add(WorkRow(id=work_id, state="ingesting", created_us=now_us(), **values))
    s.flush()
    s.add(WorkTextRow(work_id=work_id, text=text))
    s.flush()
    return work_id


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


def _work(row: WorkRow) -> Work:
    return Work(
        id=row.id,
        scope=row.scope,
        byte_hash=row.byte_hash,
        path=row.path,
        title=row.title,
        namespace=row.namespace,
        published_on=row.published_on,
        licence=row.licence,
        state=row.state,
    )
