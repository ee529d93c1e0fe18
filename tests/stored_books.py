"""A small corpus in a real database, and answers over it, for the tests of accounting."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import insert

from haozhi.accounting.settle import post_final
from store.answers import add_answer
from store.engine import Engine, Session, write
from store.people import add_author, get_author
from store.records.answers import Answer
from store.records.corpus import AuthorShare
from store.records.ledger import Entry
from store.schema import AccountRow, GrantRow, RightsHolderRow
from store.statements import AddedStatement, NewStatement, add_statements
from store.works import NewWork, add_work
from tests.books import an_answer, an_attribution

NOW = 1_700_000_000_000_000
TEXT = "1 + 1 = 2\n2 + 1 = 3\n5 + 4 = 9\n"


@dataclass(frozen=True)
class Corpus:
    """`1 + 1 = 2` by A, `2 + 1 = 3` by B, `5 + 4 = 9` by nobody known, each in the same work."""

    a: str
    b: str
    work_id: str
    statements: tuple[AddedStatement, ...]

    def answer(self, number: int = 1, **changes: Any) -> Answer:
        """Answer `answer-{number}` with the three statements as context."""
        answer = an_answer(id=f"answer-{number}", created_us=NOW + number, **changes)
        context = tuple(
            replace(entry, statement_id=added.statement_id, occurrence_id=added.occurrence_id)
            for entry, added in zip(answer.context, self.statements, strict=True)
        )
        return replace(answer, context=context)

    def shares(self, *share_ppb: int) -> dict[tuple[int, str | None], int]:
        """Shares of A's, B's and nobody's statement, in this order."""
        authors: Sequence[str | None] = (self.a, self.b, None)
        ids = [added.statement_id for added in self.statements]
        return {(ids[i], authors[i]): ppb for i, ppb in enumerate(share_ppb)}


def add_corpus(engine: Engine) -> Corpus:
    """Write the corpus."""
    with write(engine) as s:
        a, b = add_author(s, "A", "test"), add_author(s, "B", "test")
        work = NewWork("public", "0" * 64, 30, "sums", "sums", "text/plain", "utf-8", "test", TEXT)
        work_id = add_work(s, work)
        authors = ((AuthorShare(a, 1_000_000),), (AuthorShare(b, 1_000_000),), ())
        new = [
            NewStatement(line, "en", start, start + len(line), said_by)
            for line, start, said_by in zip(TEXT.splitlines(), (0, 10, 20), authors, strict=True)
        ]
        return Corpus(a, b, work_id, add_statements(s, work_id, "public", new))


def settle(engine: Engine, corpus: Corpus, number: int = 1, **changes: Any) -> Entry | None:
    """Write an answer and settle it at once (T1 = T2): A 40 %, B 35 %, unknown 10 %."""
    answer = corpus.answer(number, **changes)
    shares = corpus.shares(400_000_000, 350_000_000, 100_000_000)
    with write(engine) as s:
        add_answer(s, answer)
        return post_final(s, answer, an_attribution(shares, answer), now_us=NOW + number)


def grant(
    s: Session,
    corpus: Corpus,
    holder_id: str,
    ppm: int,
    until_us: int | None = None,
    *,
    created_us: int = NOW,
) -> None:
    """Let a holder that is no author have this part of the work's money."""
    s.execute(insert(RightsHolderRow).values(id=holder_id, label="Press", created_us=NOW))
    account = {"code": f"holder:{holder_id}", "kind": "holder", "has_floor": True}
    s.execute(insert(AccountRow).values(**account, holder_id=holder_id))
    uses = dict.fromkeys(("may_retrieve", "may_generate", "may_display", "may_train"), True)
    rights = {"work_id": corpus.work_id, "holder_id": holder_id, "ppm": ppm}
    s.execute(
        insert(GrantRow).values(**rights, **uses, valid_until_us=until_us, created_us=created_us)
    )


def account_of(s: Session, author_id: str) -> str:
    """The account code of an author."""
    return f"holder:{get_author(s, author_id).holder_id}"
