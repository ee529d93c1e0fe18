"""What an answer's entry costs beside a bare committed insert of the same rows.

Both commit each entry by itself with synchronous=FULL, into the same tables with the same keys. The
baseline's have no triggers, and it is handed the finished rows; posting looks up the key, the
accounts, the end of the chain and the open period, hashes, seals and counts the totals.
`driver_us` is the bare insert by sqlite3 alone: what is between it and the baseline is SQLAlchemy.
"""

import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

from sqlalchemy import Table, func, insert, select, text

from store import ledger
from store.database import upgrade
from store.engine import Engine, make_engine, read, write
from store.people import add_author, get_author
from store.records.ledger import Transfer
from store.schema import Base

#: What posting may cost beside the bare insert; the command fails above it.
MOST_RATIO = 2.5
AUTHORS = 8
#: Alternating blocks, so that a slow moment of the machine hits both.
BLOCK = 20


@dataclass(frozen=True)
class Posting:
    """Median microseconds per committed entry, and posting over the bare insert."""

    authors: int
    entries: int
    post_us: int
    bare_us: int
    driver_us: int
    ratio: float


def measure(entries: int = 400) -> dict[str, Any]:
    """Run the benchmark in a temporary folder."""
    times: dict[str, list[float]] = {"post": [], "bare": [], "driver": []}
    with tempfile.TemporaryDirectory() as folder:
        engine = make_engine(f"sqlite:///{folder}/haozhi.db")
        upgrade(engine)
        accounts = _accounts(engine)
        bare, driver = _copy(engine, f"{folder}/bare.db"), _copy(engine, f"{folder}/driver.db")
        connection = sqlite3.connect(f"{folder}/driver.db", isolation_level=None)
        connection.execute("PRAGMA synchronous = FULL")
        for start in range(0, entries, BLOCK):
            for number in range(start, start + BLOCK):
                times["post"].append(_timed_post(engine, number, accounts))
            rows = _last_rows(engine, BLOCK)
            times["bare"] += [_timed_insert(bare, each) for each in rows]
            times["driver"] += [_timed_driver(connection, each) for each in rows]
        connection.close()
        for each in (engine, bare, driver):
            each.dispose()
    us = {name: round(median(each) * 10**6) for name, each in times.items()}
    ratio = round(us["post"] / us["bare"], 2)
    return vars(Posting(AUTHORS, entries, us["post"], us["bare"], us["driver"], ratio))


def _copy(engine: Engine, path: str) -> Engine:
    """The same database in another file, without triggers."""
    engine.dispose()  # the last connection that closes leaves everything in the one file
    shutil.copy(str(engine.url.database), path)
    copied = make_engine(f"sqlite:///{path}")
    with write(copied) as s:
        triggers = s.scalars(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).all()
        for name in triggers:
            s.execute(text(f"DROP TRIGGER {name}"))
    return copied


def _accounts(engine: Engine) -> list[str]:
    with write(engine) as s:
        authors = [add_author(s, f"author {i}", "benchmark") for i in range(AUTHORS)]
        return [f"holder:{get_author(s, author).holder_id}" for author in authors]


def _transfers(number: int, accounts: list[str]) -> list[Transfer]:
    return [
        Transfer("asker:local", account, 100_000 + i, "share", None, number * AUTHORS + i + 1)
        for i, account in enumerate(accounts)
    ]


def _timed_post(engine: Engine, number: int, accounts: list[str]) -> float:
    transfers = _transfers(number, accounts)
    start = perf_counter()
    with write(engine) as s:
        ledger.post(s, f"answer:{number}:dist:1", transfers, policy_version=1, now_us=number)
    return perf_counter() - start


_TABLES: dict[str, Table] = {
    name: Base.metadata.tables[name] for name in ("entries", "transfers", "entry_seals")
}
Rows = dict[str, list[dict[str, Any]]]


def _last_rows(engine: Engine, count: int) -> list[Rows]:
    """The rows of the last entries, as posted."""
    seqs = {"entries": "seq", "transfers": "entry_seq", "entry_seals": "entry_seq"}
    with read(engine) as s:
        last = s.scalar(select(func.max(_TABLES["entries"].c.seq))) or 0
        return [
            {
                name: [
                    dict(row)
                    for row in s.execute(select(table).where(table.c[seqs[name]] == seq)).mappings()
                ]
                for name, table in _TABLES.items()
            }
            for seq in range(last - count + 1, last + 1)
        ]


def _timed_insert(engine: Engine, rows: Rows) -> float:
    start = perf_counter()
    with write(engine) as s:
        connection = s.connection()
        for name, table in _TABLES.items():
            connection.execute(insert(table), rows[name])
    return perf_counter() - start


def _timed_driver(driver: sqlite3.Connection, rows: Rows) -> float:
    columns = {name: f"({','.join(each[0])})" for name, each in rows.items()}
    marks = {name: f"({','.join('?' * len(each[0]))})" for name, each in rows.items()}
    values = {name: [tuple(row.values()) for row in each] for name, each in rows.items()}
    start = perf_counter()
    driver.execute("BEGIN IMMEDIATE")
    for name, each in values.items():
        driver.executemany(f"INSERT INTO {name} {columns[name]} VALUES {marks[name]}", each)
    driver.execute("COMMIT")
    return perf_counter() - start
