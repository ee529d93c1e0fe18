"""Rules of the credit report as a value."""

import json

import pytest

from haozhi.accounting.report import CreditReport, StatementTotal
from store.records import Line, Period

PERIOD = Period(2, "OPEN", 1_700_000_000_000_999, None)


def a_line(amount_micro: int, statement_id: int | None = 7) -> Line:
    """A line of this amount."""
    return Line(
        entry_seq=1,
        entry_key="answer:x:dist:1",
        period_id=2,
        created_us=1_700_000_000_123_456,
        counterparty="asker:local",
        amount_micro=amount_micro,
        reason="share",
        answer_id="x",
        statement_id=statement_id,
        author_id="a",
        share_ppb=5,
    )


def a_report(opening_micro: int, closing_micro: int, *lines: Line) -> CreditReport:
    """A report of author A over these lines."""
    return CreditReport("a", "A", PERIOD, opening_micro, lines, closing_micro)


def test_report_whose_lines_do_not_reach_its_closing_cannot_be_made() -> None:
    """Opening plus lines is closing, or there is no report."""
    assert a_report(100, 130, a_line(50), a_line(-20)).earned_micro == 50
    with pytest.raises(AssertionError, match=r"100 \+ 30 is not 131"):
        a_report(100, 131, a_line(50), a_line(-20))


def test_statement_totals_sum_their_lines_largest_first() -> None:
    """Each statement has one total; a line for no statement has none."""
    report = a_report(0, 66, a_line(10, 1), a_line(50, 2), a_line(5, 1), a_line(1, None))
    assert report.statements == (StatementTotal(2, 50, 1), StatementTotal(1, 15, 2))


def test_report_has_its_stable_json_shape() -> None:
    """Scripts read these keys; times are whole milliseconds, amounts integers."""
    assert json.loads(json.dumps(a_report(3, 13, a_line(10)).to_json())) == {
        "author": {"id": "a", "name": "A"},
        "period": {"id": 2, "state": "OPEN", "opened_ms": 1_700_000_000_000, "closed_ms": None},
        "opening_micro": 3,
        "earned_micro": 10,
        "lines": [
            {
                "entry_id": "answer:x:dist:1",
                "answer_id": "x",
                "statement_id": 7,
                "amount_micro": 10,
                "share_ppb": 5,
                "reason": "share",
                "created_ms": 1_700_000_000_123,
            }
        ],
        "closing_micro": 13,
        "statements": [{"statement_id": 7, "amount_micro": 10, "line_count": 1}],
    }
