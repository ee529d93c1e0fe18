"""SQLite and PostgreSQL hold the same books, to the byte."""

from random import Random

import pytest
from sqlalchemy import insert

from haozhi.accounting.posting import transfers_for
from store import ledger
from store.answers import add_answer
from store.chain import entry_body
from store.engine import Engine, read, write
from store.ledger.reading import load_entries
from store.schema import AccountRow, AuthorRow, RightsHolderRow
from tests.random_answers import AUTHORS, HOLDERS, OTHERS, draw

NOW = 1_700_000_000_000_000
COUNT = 1_000


def _book(engine: Engine) -> list[str]:
    """Post the random answers in one transaction; the body and hash of each stored entry."""
    random = Random(7)
    with write(engine) as s:
        by_holder: dict[str, str | None] = {HOLDERS[author]: author for author in AUTHORS}
        by_holder |= dict.fromkeys(OTHERS)
        for author in AUTHORS:
            s.execute(insert(AuthorRow).values(id=author, namespace="test", created_us=NOW))
        for holder, author_id in by_holder.items():
            of = {"id": holder, "author_id": author_id, "label": None, "created_us": NOW}
            s.execute(insert(RightsHolderRow).values(of))
            account = {"code": f"holder:{holder}", "kind": "holder", "has_floor": True}
            s.execute(insert(AccountRow).values(account | {"holder_id": holder}))
        for number in range(COUNT):
            drawn = draw(random, number)
            add_answer(s, drawn.answer)
            transfers = transfers_for(drawn.answer, drawn.attribution, drawn.holdings, drawn.policy)
            key = ledger.distribution_key(drawn.answer.id)
            ledger.post(s, key, transfers, policy_version=1, now_us=NOW + number)
    with read(engine) as s:
        entries = load_entries(s)
    assert len(entries) == COUNT
    return [f"{entry_body(entry).decode()} {entry.hash}" for entry in entries]


@pytest.mark.postgres
def test_a_thousand_random_splits_are_the_same_bytes_in_both_databases(
    sqlite_engine: Engine, postgres_engine: Engine
) -> None:
    """A thousand answers under every rule of policy give the same entries, bodies and hashes."""
    assert _book(sqlite_engine) == _book(postgres_engine)
