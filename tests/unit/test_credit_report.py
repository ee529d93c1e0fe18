"""Rules of the credit report as a value."""

from dataclasses import replace

import pytest

from haozhi.accounting.report import WorkTotal, parts_of, work_totals
from store.chain import canonical
from store.errors import BooksDiffer
from store.ledger.reasons import columns_of
from store.records.ledger import StatementTotal
from tests.credit_reports import a_credit_report


def test_a_report_whose_columns_do_not_reach_its_closing_cannot_be_made() -> None:
    """Opening and columns are closing, or there is no report."""
    report = a_credit_report(opening=100, earned=50, adjustments=20, paid=30, released=1)
    assert report.closing_micro == 101
    with pytest.raises(BooksDiffer, match=r"100 \+ 1 is not 102: run `haozhi ledger check`"):
        replace(report, closing_micro=102, payable_micro=102)


@pytest.mark.parametrize("parts", [(100, 0, 0), (102, -1, 0)])
def test_a_report_whose_parts_are_not_its_closing_cannot_be_made(parts: tuple[int, ...]) -> None:
    """Payable, carried and held are closing, none of them below zero."""
    payable, carried, held = parts
    report = a_credit_report(opening=101)
    with pytest.raises(BooksDiffer, match="haozhi ledger check"):
        replace(report, payable_micro=payable, carried_micro=carried, held_micro=held)


def test_each_reason_counts_in_its_column() -> None:
    """In and out of every reason that an account can have, and what comes back of it."""
    totals = {
        "share": (100, 0, 2), "grant": (10, 0, 1), "refund": (0, 7, 1), "reversal": (0, 3, 1),
        "withholding": (4, 9, 2), "payout": (20, 50, 2), "recoup": (0, 6, 1),
        "dispute_open": (0, 8, 1), "dispute_back": (5, 0, 1), "dispute_on": (2, 0, 1),
        "claim": (1, 0, 1),
    }  # fmt: skip
    assert columns_of(totals) == {
        "earned": 110, "adjustments": 10, "deductions": 5, "recouped": 6, "disputed": 8,
        "released": 8, "paid": 30,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("closing", "young", "expected"),
    [
        (100, 0, (100, 0, 0)),
        (100, 50, (50, 0, 50)),
        (100, 51, (0, 49, 51)),
        (100, 300, (0, 0, 100)),
        (100, -5, (100, 0, 0)),
        (49, 0, (0, 49, 0)),
        (0, 0, (0, 0, 0)),
    ],
)
def test_closing_is_held_then_payable_or_carried(
    closing: int, young: int, expected: tuple[int, int, int]
) -> None:
    """Young money is held, the rest is payable from the threshold (50) on, else carried."""
    parts = parts_of(closing, young, 50)
    assert (parts["payable_micro"], parts["carried_micro"], parts["held_micro"]) == expected


def test_works_sum_their_statements_largest_first() -> None:
    """Each work has one total; statements of an unknown work are one without a title."""
    statements = (
        StatementTotal(1, "w1", 10, 1),
        StatementTotal(2, "w2", 50, 2),
        StatementTotal(3, "w1", 5, 1),
        StatementTotal(4, None, 70, 1),
    )
    assert work_totals(statements, {"w1": "诗集", "w2": "Sums"}) == (
        WorkTotal(None, "", 70, 1),
        WorkTotal("w2", "Sums", 50, 2),
        WorkTotal("w1", "诗集", 15, 2),
    )


def test_what_is_signed_holds_only_text_and_neither_status_nor_title() -> None:
    """Amounts are strings, and what may change later is left out."""
    works = (WorkTotal("w1", "诗集", 5, 1),)
    report = a_credit_report(opening=2**53, earned=5, works=works, line_count=1)
    body = report.to_body()
    assert body["opening_micro"] == str(2**53)
    assert body["works"] == [{"work_id": "w1", "amount_micro": "5", "line_count": "1"}]
    assert canonical(body) == canonical(replace(report, status="amended").to_body())
