"""Credit reports and lines made for tests, as plain values."""

from haozhi.accounting.report import CreditReport, WorkTotal
from store.records.ledger import Line, Period, StatementTotal

COLUMNS = ("earned", "adjustments", "deductions", "recouped", "disputed", "released", "paid")
_OUT = {"adjustments", "deductions", "recouped", "disputed", "paid"}


def a_credit_report(
    *,
    opening: int = 0,
    works: tuple[WorkTotal, ...] = (),
    statements: tuple[StatementTotal, ...] = (),
    status: str = "final",
    line_count: int = 0,
    **columns: int,
) -> CreditReport:
    """A report of holder `h1` for period 3 whose closing follows from its columns, all payable."""
    assert set(columns) <= set(COLUMNS)
    moved = sum(-v if name in _OUT else v for name, v in columns.items())
    return CreditReport(
        holder_id="h1",
        author_id="a1",
        period=Period(3, "CLOSED", 1_767_225_600_000_000, 1_769_904_000_000_000),
        status=status,
        opening_micro=opening,
        **{f"{name}_micro": columns.get(name, 0) for name in COLUMNS},
        closing_micro=opening + moved,
        payable_micro=opening + moved,
        carried_micro=0,
        held_micro=0,
        statements=statements,
        works=works,
        line_count=line_count,
    )


def a_line_of(
    answer_id: str, statement_id: int | None, amount_micro: int, /, **facts: object
) -> Line:
    """A line booked for an answer, seen from the holder's account."""
    given: dict[str, object] = {
        "entry_seq": 1,
        "entry_key": f"answer:{answer_id}:dist:1",
        "period_id": 3,
        "created_us": 1_767_300_000_123_456,
        "counterparty": "asker:q1",
        "amount_micro": amount_micro,
        "reason": "share",
        "answer_id": answer_id,
        "statement_id": statement_id,
        "author_id": "a1",
        "share_ppb": 250_000_000,
    }
    return Line(**{**given, **facts})  # type: ignore[arg-type]  # facts replace fields by name
