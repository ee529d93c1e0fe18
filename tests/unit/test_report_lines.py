"""Lines of a credit report as CSV and as JSON lines."""

import csv
import io
import json

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from haozhi.reports.lines import CSV_HEADER, lines_csv, lines_jsonl, text_cell
from store.ledger import ReportLine

LINE = ReportLine(
    entry_key="answer:a1:dist:1",
    entry_seq=7,
    entry_hash="ab" * 32,
    position=2,
    period_id=3,
    created_us=1_700_000_000_000_005,
    answer_id="a1",
    statement_id=41,
    author_id="x",
    work_id="w1",
    share_ppb=250_000_000,
    amount_micro=-5,
    reason="refund",
    counterparty="asker",
    question=None,
)


def read_csv(*lines: ReportLine) -> list[list[str]]:
    """What a reader of CSV makes of the file."""
    text = b"".join(lines_csv(lines)).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def test_csv_is_utf_8_with_a_mark_a_header_and_one_row_per_line() -> None:
    """Spreadsheets know the encoding by its mark; the names of columns are stable."""
    pieces = list(lines_csv([LINE, LINE._replace(amount_micro=9)]))
    assert pieces[0].startswith(b"\xef\xbb\xbfentry_key,entry_seq,")
    header, first, second = read_csv(LINE, LINE._replace(amount_micro=9))
    assert ",".join(header) == CSV_HEADER
    assert len(header) == len(first) == len(ReportLine._fields)
    cells = dict(zip(header, first, strict=True))
    assert cells["amount_micro"] == "-5"
    assert cells["time"] == "2023-11-14T22:13:20.000005Z"
    assert cells["question"] == ""
    assert second[header.index("amount_micro")] == "9"


def test_what_is_not_there_is_an_empty_cell() -> None:
    """A payout names no answer, statement, author, work or share."""
    names = ("answer_id", "statement_id", "author_id", "work_id", "share_ppb")
    payout = LINE._replace(
        answer_id=None, statement_id=None, author_id=None, work_id=None, share_ppb=None
    )
    header, row = read_csv(payout)
    assert {row[header.index(name)] for name in names} == {""}


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r"])
def test_no_text_is_a_formula(first: str) -> None:
    """A cell that a spreadsheet would calculate is text; other text is as it was."""
    header, row = read_csv(LINE._replace(question=f"{first}1+1", entry_key=f"{first}x"))
    assert row[header.index("question")] == f"'{first}1+1"
    assert row[header.index("entry_key")] == f"'{first}x"
    assert text_cell("1+1=？") == "1+1=？"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_question_reads_back_from_both_files(question: str) -> None:
    """Quotes, commas and line breaks stay in their cell; JSON is RFC 8785."""
    header, row = read_csv(LINE._replace(question=question))
    assert row[header.index("question")].removeprefix("'") == question.removeprefix("'")
    (line,) = lines_jsonl([LINE._replace(question=question)])
    assert line.endswith(b"}\n")
    found = json.loads(line)
    assert rfc8785.dumps(found) + b"\n" == line
    assert found["question"] == question
    assert found["amount_micro"] == "-5"
    assert set(found) == set(ReportLine._fields)


def test_many_lines_are_the_same_bytes_in_pieces() -> None:
    """However many lines there are, each is the row that it is alone."""
    lines = [LINE._replace(entry_seq=n) for n in range(4500)]
    whole = b"".join(lines_csv(lines))
    assert whole.count(b"\r\n") == 4501
    assert whole.endswith(list(lines_csv(lines[-1:]))[1])
