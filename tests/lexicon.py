"""Works with statements for the tests of search: written without an embedder."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from store.engine import Engine, write
from store.people import resolve_author
from store.records import AuthorShare
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
        found = []
        for work in works:
            text = "\n".join(work.texts)
            digest = hashlib.sha256(repr(work).encode()).hexdigest()
            new = NewWork(
                "public", digest, 1, work.title, work.title, "text/plain", "utf-8", "test", text,
                published_on=work.published_on, licence=work.licence,
            )  # fmt: skip
            said_by = ()
            if work.author:
                said_by = (AuthorShare(resolve_author(s, work.author, "test"), 1_000_000),)
            statements, start = [], 0
            for each in work.texts:
                statements.append(
                    NewStatement(
                        each, work.language, start, start + len(each), said_by,
                        headings=work.headings,
                    )  # fmt: skip
                )
                start += len(each) + 1
            added = add_statements(s, add_work(s, new), "public", statements)
            found.append([each.statement_id for each in added])
    return found
