"""Large books for the benchmarks: answers, final attributions and their entries, written in bulk.

The values are real ones: shares that sum, amounts from `transfers_for`, bodies hashed and chained
as posting does; only the inserts are batched, so that a million transfers take minutes and not an
hour. `haozhi ledger check` finds nothing in them.
"""

from sqlalchemy import text

from benchmarks.bulk import write_batch
from haozhi.accounting.holdings import with_holdings
from haozhi.accounting.policy import Policy
from haozhi.accounting.posting import transfers_for
from haozhi.policies import policy_of
from store.chain import GENESIS
from store.engine import Engine, Session, write
from store.people import add_author, get_author
from store.records.answers import Answer, Attribution, ContextEntry, Segment, SupportSet
from store.records.corpus import AuthorShare
from store.records.ledger import Transfer
from store.records.rights import Holdings
from store.statements import AddedStatement, NewStatement, add_statements
from store.works import NewWork, add_work
from tests.books import an_answer, an_attribution

STATEMENTS = 8
FEE_MICRO = 1_000_000
START_US = 1_750_000_000_000_000
STEP_US = 1_000_000
_BATCH = 1_000


def build_books(engine: Engine, transfers: int, authors: int = STATEMENTS) -> list[str]:
    """Fill a migrated database with about this many transfers; returns the authors' ids.

    Every answer rests on eight statements that `authors` authors said in turn.
    """
    with write(engine) as s:
        ids, statements, holdings = _corpus(s, authors)
        policy = policy_of(s)
    numbers = range(1, transfers // (STATEMENTS + 1) + 1)
    end = GENESIS
    for first in range(1, len(numbers) + 1, _BATCH):
        batch = [
            _case(number, statements, holdings, policy)
            for number in range(first, min(first + _BATCH, len(numbers) + 1))
        ]
        with write(engine) as s:
            end = write_batch(s, batch, first, end)
    with write(engine) as s:
        s.execute(text("DELETE FROM account_totals"))
        s.execute(text(_TOTALS))
    return ids


_TOTALS = """
INSERT INTO account_totals (account_id, period_id, reason, in_micro, out_micro, line_count)
SELECT account_id, period_id, reason, sum(i), sum(o), count(*) FROM (
  SELECT credit_account_id AS account_id, entry_seq, reason, amount_micro AS i, 0 AS o
  FROM transfers
  UNION ALL SELECT debit_account_id, entry_seq, reason, 0, amount_micro FROM transfers) AS moved
JOIN entries ON entries.seq = moved.entry_seq GROUP BY account_id, period_id, reason
"""


def _corpus(s: Session, count: int) -> tuple[list[str], list[tuple[AddedStatement, str]], Holdings]:
    authors = [add_author(s, f"author {i}", "benchmark") for i in range(count)]
    lines = [f"Statement number {i} of the benchmark." for i in range(STATEMENTS)]
    body = "\n".join(lines)
    work = NewWork(
        "public", "0" * 64, len(body), "b", "b", "text/plain", "utf-8", "benchmark", body
    )
    said = [authors[i % count] for i in range(STATEMENTS)]
    new = [
        NewStatement(
            line, "en", body.index(line), body.index(line) + len(line), (AuthorShare(a, 10**6),)
        )
        for line, a in zip(lines, said, strict=True)
    ]
    added = add_statements(s, add_work(s, work), "public", new)
    holders = {author: get_author(s, author).holder_id for author in authors}
    holdings = Holdings(holders=holders, grants={}, disputed=frozenset())
    return authors, list(zip(added, said, strict=True)), holdings


def _case(
    number: int,
    statements: list[tuple[AddedStatement, str]],
    holdings: Holdings,
    policy: Policy,
) -> tuple[Answer, Attribution, tuple[Transfer, ...]]:
    """One answered question with shares that vary from answer to answer."""
    weights = [40_000_000 + (number * (i + 3) * 7_919) % 60_000_000 for i in range(STATEMENTS)]
    answer = an_answer(
        id=f"an{number:016x}",
        asker_id=f"asker{number % 50}",
        question=f"Question {number}?",
        policy_version=policy.version,
        fee_micro=FEE_MICRO,
        created_us=START_US + number * STEP_US,
        prompt_ids=tuple(range(2 * STATEMENTS + 4)),
        tail_start=2 * STATEMENTS,
        context=tuple(
            ContextEntry(
                i,
                a.statement_id,
                f"{i:064x}",
                a.occurrence_id,
                f"p{i}",
                True,
                2 * i,
                2 * i + 2,
                0.9,
            )
            for i, (a, _) in enumerate(statements)
        ),
        segments=(Segment(0, 0, 10, 0, 3, 10**9),),
    )
    shares: dict[tuple[int, str | None], int] = {
        (a.statement_id, author): weight
        for (a, author), weight in zip(statements, weights, strict=True)
    }
    attribution = an_attribution(
        shares,
        answer,
        supports=(SupportSet(0, "supports", (statements[0][0].statement_id,), 1.0, "verbatim"),),
        created_us=answer.created_us + 1,
    )
    attribution = with_holdings(attribution, holdings)
    return answer, attribution, transfers_for(answer, attribution, holdings, policy)
