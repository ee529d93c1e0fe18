"""The lines of a credit report as files: CSV for spreadsheets, JSON lines for proofs.

Both are written from booked rows alone, so that every later download has the same bytes. They hold
ids and no names, and a question only where its asker shares it.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice

from haozhi.spreadsheets import no_formula
from store.chain import canonical_text
from store.ledger import ReportLine

_BATCH = 2000
_needs_quotes = re.compile('[",\r\n]').search

CSV_HEADER = ",".join("time" if name == "created_us" else name for name in ReportLine._fields)


def lines_csv(lines: Iterable[ReportLine]) -> Iterator[bytes]:
    """A CSV file in pieces: UTF-8 with a byte order mark, a header, one row per line.

    Amounts are whole micro-credits, times are UTC to the microsecond; what is not there is empty.
    """
    yield f"\ufeff{CSV_HEADER}\r\n".encode()
    rows = map(_row, lines)
    while batch := "".join(islice(rows, _BATCH)):
        yield batch.encode()


def lines_jsonl(lines: Iterable[ReportLine]) -> Iterator[bytes]:
    """One RFC 8785 object and a newline per line: every field of the line, numbers as text."""
    for line in lines:
        fields = line._asdict()
        yield canonical_text({k: v if v is None else str(v) for k, v in fields.items()}) + b"\n"


def text_cell(text: str | None) -> str:
    """A text as a cell of CSV (RFC 4180) that no spreadsheet calculates; None is empty."""
    if text is None:
        return ""
    if text.isalnum():  # most are ids
        return text
    text = no_formula(text)
    if _needs_quotes(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def _row(line: ReportLine) -> str:
    # A fourth of the time that the standard writer takes, which looks at every cell for quotes.
    minute, us = divmod(line.created_us, 60_000_000)
    return (
        f"{text_cell(line.entry_key)},{line.entry_seq},{line.entry_hash},{line.position},"
        f"{line.period_id},{_minute(minute)}{us // 1_000_000:02d}.{us % 1_000_000:06d}Z,"
        f"{text_cell(line.answer_id)},{_number(line.statement_id)},{text_cell(line.author_id)},"
        f"{text_cell(line.work_id)},{_number(line.share_ppb)},{line.amount_micro},"
        f"{text_cell(line.reason)},{line.counterparty},{text_cell(line.question)}\r\n"
    )


def _number(value: int | None) -> int | str:
    return "" if value is None else value


@lru_cache(maxsize=4096)
def _minute(minute: int) -> str:
    return datetime.fromtimestamp(minute * 60, UTC).strftime("%Y-%m-%dT%H:%M:")
