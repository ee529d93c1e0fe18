"""Why money moved on a holder's account, and in which column of the credit report it counts."""

from collections import Counter
from collections.abc import Mapping

#: The column of each reason, with 1 where a line in its direction adds to the column and -1 where
#: it takes back what an earlier line added.
IN: Mapping[str, tuple[str, int]] = {
    "share": ("earned", 1),
    "grant": ("earned", 1),
    "dispute_back": ("released", 1),
    "dispute_on": ("released", 1),
    "claim": ("released", 1),
    "merge": ("released", 1),
    "withholding": ("deductions", -1),
    "payout": ("paid", -1),
}
OUT: Mapping[str, tuple[str, int]] = {
    "refund": ("adjustments", 1),
    "reversal": ("adjustments", 1),
    "withholding": ("deductions", 1),
    "recoup": ("recouped", 1),
    "dispute_open": ("disputed", 1),
    "merge": ("released", -1),
    "unresolved": ("released", -1),
    "payout": ("paid", 1),
}
#: How much of closing each column is: opening + earned - adjustments - … = closing.
COLUMNS = {
    "earned": 1,
    "adjustments": -1,
    "deductions": -1,
    "recouped": -1,
    "disputed": -1,
    "released": 1,
    "paid": -1,
}


def unknown_reasons(totals: Mapping[str, tuple[int, int, int]]) -> list[str]:
    """The reasons that no column has, from an account's (in, out, lines) by reason."""
    return sorted(
        reason
        for reason, (in_micro, out_micro, _) in totals.items()
        if (in_micro and reason not in IN) or (out_micro and reason not in OUT)
    )


def columns_of(totals: Mapping[str, tuple[int, int, int]]) -> dict[str, int]:
    """The columns of a report by name, from an account's (in, out, lines) by reason.

    A reason that no column has is left out, so that the report's equation fails.
    """
    columns = Counter(dict.fromkeys(COLUMNS, 0))
    for reason, (in_micro, out_micro, _) in totals.items():
        for moved_micro, side in ((in_micro, IN), (out_micro, OUT)):
            if reason in side:
                column, sign = side[reason]
                columns[column] += sign * moved_micro
    return dict(columns)
