"""Why money moved on a holder's account, and in which column of the credit report it counts."""

from collections.abc import Mapping

#: The column of each reason, with 1 where a line in its direction adds to the column and -1 where
#: it takes back what an earlier line added.
IN: Mapping[str, tuple[str, int]] = {
    "share": ("earned", 1),
    "grant": ("earned", 1),
    "dispute_back": ("released", 1),
    "dispute_on": ("released", 1),
    "claim": ("released", 1),
    "withholding": ("deductions", -1),
    "payout": ("paid", -1),
}
OUT: Mapping[str, tuple[str, int]] = {
    "refund": ("adjustments", 1),
    "reversal": ("adjustments", 1),
    "withholding": ("deductions", 1),
    "recoup": ("recouped", 1),
    "dispute_open": ("disputed", 1),
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
