"""Disputes over the small books of `tests.stored_books`, for the tests of disputes."""

from typing import Any

from haozhi.accounting.settle import check_ledger
from haozhi.disputing import close_dispute, open_dispute
from store import ledger
from store.disputes import Dispute
from store.engine import Engine, read
from tests.stored_books import Corpus, account_of

#: Places of the lines in an answer's entry.
OF_A, OF_B, OF_NOBODY, OF_NO_STATEMENT = range(4)
DISPUTED = "reserve:disputed"


def key_of(number: int = 1) -> str:
    """The key of the entry of answer `answer-{number}`."""
    return ledger.distribution_key(f"answer-{number}")


def dispute(engine: Engine, line: int = OF_A, number: int = 1, **changes: Any) -> Dispute:
    """Open a dispute about a line of an answer."""
    said: dict[str, Any] = {"entry_key": key_of(number), "line": line, "keep_back": False}
    said |= {"by": "root", "claimant": None, "ground": "这句话是我先说的"}
    return open_dispute(engine, **(said | changes))


def close(engine: Engine, found: Dispute, winner: str | None = None) -> Dispute:
    """Close a dispute: on to a holder or author, or back."""
    return close_dispute(engine, found.id, winner=winner, by="root", note="looked up")


def balances(engine: Engine, corpus: Corpus) -> dict[str, int]:
    """What A, B and the reserves have, without those that have nothing."""
    with read(engine) as s:
        codes = {
            "A": account_of(s, corpus.a),
            "B": account_of(s, corpus.b),
            "owed by A": account_of(s, corpus.a).replace("holder", "owed"),
        }
        codes |= {f: f"reserve:{f}" for f in ("unclaimed", "unattributed", "disputed")}
        found = {name: ledger.find_balance(s, code) for name, code in codes.items()}
    return {name: amount_micro for name, amount_micro in found.items() if amount_micro}


def assert_whole(engine: Engine) -> None:
    """Nothing in the books contradicts anything else."""
    with read(engine) as s:
        found = check_ledger(s)
    assert found == (), found
