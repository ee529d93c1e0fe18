"""Ways of finding each player's influence on an answer, behind one small interface.

Players are numbers 0..n-1. An estimator asks a `Value` for coalitions of them and gives an
`Estimate`: nats per player. What it costs is the number of coalitions that it asked for.
"""

from haozhi.attribution.estimators.estimate import Estimate, Value
from haozhi.attribution.estimators.regression import lasso
from haozhi.attribution.estimators.shapley_values import antithetic, exact, leave_one_out, paired
from haozhi.attribution.estimators.soft_mask import soft_mask

__all__ = [
    "Estimate",
    "Value",
    "antithetic",
    "exact",
    "lasso",
    "leave_one_out",
    "paired",
    "soft_mask",
]
