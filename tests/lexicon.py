"""Works with statements for the tests of search: written without an embedder."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from store.engine import Engine, Session, write
from store.people import resolve_author
from store.records.corpus import AuthorShare
from store.statements import NewStatement, add_statements
from store.works import NewWork, add_work


@dataclass(frozen=True)
class Written:
    """A work to write: its statements, in this order, all by one author or by nobody known."""

    texts: Sequence[str]
    author: str | None = None
    title: str = "untitled"
    headings: tuple[str, ...] = ()
    published_on: str | None = None
    licence: str | None = None
    language: str = "en"


def write_works(engine: Engine, *works: Written) -> list[list[int]]:
    """Store the works; the ids of their statements, work by work."""
    with write(engine) as s:
        return [_write(s, work) for work in works]


def _write(s: Session, work: Written) -> list[int]:
    text = "\n".join(work.texts)
    said_by: tuple[AuthorShare, ...] = ()
    if work.author:
        said_by = (AuthorShare(resolve_author(s, work.author, "test"), 1_000_000),)
    statements, start = [], 0
    for each in work.texts:
        at = (start, start + len(each))
        statements.append(NewStatement(each, work.language, *at, said_by, headings=work.headings))
        start += len(each) + 1
    new = NewWork(
        scope="public",
        byte_hash=hashlib.sha256(repr(work).encode()).hexdigest(),
        byte_count=len(text.encode()),
        path=work.title,
        title=work.title,
        media_type="text/plain",
        encoding="utf-8",
        namespace="test",
        text=text,
        published_on=work.published_on,
        licence=work.licence,
    )
    added = add_statements(s, add_work(s, new), "public", statements)
    return [each.statement_id for each in added]
