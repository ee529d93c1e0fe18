"""Opening a credit report over many lines of one author, and streaming its lines as CSV.

`ratio` is the time of the CSV over that of reading the same rows with the bare driver and joining
their fields with commas: what is between them is SQLAlchemy, the quoting of cells and the times.
"""

import sqlite3
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.books import STATEMENTS, build_books
from haozhi.closing import close_period
from haozhi.proofs.keys import ledger_key
from haozhi.reports.credit_report import credit_report
from haozhi.reports.lines import lines_csv
from store.database import upgrade
from store.engine import Engine, make_engine, read
from store.ledger import report_lines
from tests.closed_books import same


def measure(lines: int = 1_000_000) -> dict[str, Any]:
    """Build the books of one author, close their period and read its report."""
    with tempfile.TemporaryDirectory() as folder:
        engine = make_engine(f"sqlite:///{folder}/haozhi.db")
        upgrade(engine)
        (author,) = build_books(engine, lines * (STATEMENTS + 1) // STATEMENTS, authors=1)
        open_s = _opened_s(engine, author)
        start = perf_counter()
        key = ledger_key(engine, Path(folder))
        close_period(engine, by="benchmark", key=key, audit=same)
        close_s = perf_counter() - start
        closed_s = _opened_s(engine, author)
        csv_s, count = _streamed_s(engine, author)
        bare_s = _bare_s(f"{folder}/haozhi.db")
        engine.dispose()
    return {
        "lines": count,
        "open_report_s": round(open_s, 3),
        "closed_report_s": round(closed_s, 3),
        "close_s": round(close_s, 1),
        "csv_lines_per_s": round(count / csv_s),
        "bare_lines_per_s": round(count / bare_s),
        "ratio": round(csv_s / bare_s, 2),
    }


def _opened_s(engine: Engine, author: str) -> float:
    start = perf_counter()
    with read(engine) as s:
        report = credit_report(s, author, 1)
    assert report.line_count > 0
    return perf_counter() - start


def _streamed_s(engine: Engine, author: str) -> tuple[float, int]:
    with read(engine) as s:
        report = credit_report(s, author, 1)
        start = perf_counter()
        rows = sum(
            piece.count(b"\r\n")
            for piece in lines_csv(report_lines(s, f"holder:{report.holder_id}", 1))
        )
        csv_s = perf_counter() - start
    assert rows == report.line_count + 1, "a header and a row for each line"
    return csv_s, report.line_count


def _bare_s(path: str) -> float:
    """The same rows read by the driver alone."""
    connection = sqlite3.connect(path)
    start = perf_counter()
    rows = connection.execute(
        "SELECT e.key, e.seq, e.hash, t.position, e.period_id, e.created_us, t.answer_id,"
        " t.statement_id, t.author_id, t.share_ppb, t.amount_micro, t.reason, a.kind"
        " FROM transfers t JOIN entries e ON e.seq = t.entry_seq"
        " JOIN accounts a ON a.id = t.debit_account_id WHERE t.reason = 'share' ORDER BY t.id"
    )
    assert sum(len(",".join(map(str, row))) for row in rows)
    connection.close()
    return perf_counter() - start
