"""How long `haozhi ledger check` takes over books of this many transfers."""

import tempfile
from time import perf_counter
from typing import Any

from benchmarks.books import build_books
from haozhi.accounting.settle import check_ledger
from store.database import upgrade
from store.engine import make_engine, read


def measure(transfers: int = 1_000_000) -> dict[str, Any]:
    """Build the books, check them, and fail if the check finds anything."""
    with tempfile.TemporaryDirectory() as folder:
        engine = make_engine(f"sqlite:///{folder}/haozhi.db")
        upgrade(engine)
        start = perf_counter()
        build_books(engine, transfers)
        build_s = perf_counter() - start
        start = perf_counter()
        with read(engine) as s:
            differences = check_ledger(s)
        check_s = perf_counter() - start
        engine.dispose()
    assert not differences, differences[:3]
    return {
        "transfers": transfers,
        "build_s": round(build_s, 1),
        "check_s": round(check_s, 1),
        "transfers_per_s": round(transfers / check_s),
    }
