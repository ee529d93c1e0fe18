"""Additive fits of v to random coalitions: the way of ContextCite."""

import numpy as np

from haozhi.attribution.estimators.estimate import Estimate, Value, worth


def lasso(
    players: int, value: Value, *, masks: int, seed: int, alpha_nats: float = 0.2
) -> Estimate:
    """LASSO weights over `masks` coalitions in which each player is with probability 1/2.

    Cohen-Wang et al. (2024), ContextCite: columns are standardised; its penalty .01 on nats per
    token is `alpha_nats` = .01 x the answer's tokens here. Repeated masks are asked for once.
    The residual is the root mean square of what the fit misses on its own masks.
    """
    from sklearn.linear_model import Lasso
    from sklearn.preprocessing import StandardScaler

    drawn = np.random.default_rng(seed).random((masks, players)) < 0.5
    coalitions = [frozenset(map(int, np.flatnonzero(row))) for row in drawn]
    v = worth(value, coalitions)
    if not players:
        return Estimate((), len(v), 0.0)
    target = np.array([v[coalition] for coalition in coalitions])
    scaler = StandardScaler()
    columns = scaler.fit_transform(drawn.astype(float))
    fit = Lasso(alpha=alpha_nats).fit(columns, target)
    missed = float(np.sqrt(np.mean((target - fit.predict(columns)) ** 2)))
    return Estimate(tuple(map(float, fit.coef_ / scaler.scale_)), len(v), missed)
