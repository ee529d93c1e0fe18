"""The first tier of an answer's attribution, there with the answer; it never posts money.

The rule is the final one's, with g_k(T) predicted instead of measured: the sum of what the
statements of T are predicted to supply of segment k, clipped to 0..1.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haozhi.accounting.split import WHOLE_PPB
from haozhi.attribution.attribute import ShareRules, shares_of, unmeasured
from haozhi.attribution.calibration import METHOD, Calibration
from haozhi.attribution.context import Case
from haozhi.attribution.shapley import Coalition
from haozhi.attribution.shares import Used
from haozhi.attribution.signals import Signals, read_signals
from haozhi.models.generator import Generator
from store.records.answers import Attribution

#: Without a calibration everything that backs an answer counts as used.
SUPPORT = "support"


def attribute_provisionally(
    generator: Generator,
    answer_id: str,
    case: Case,
    retrieval: Sequence[float],
    calibration: Calibration | str,
    rules: ShareRules,
    now_us: int,
) -> Attribution:
    """Shares from support and predicted influence; `retrieval` are the statements' similarities.

    Where there is no calibration (the reason in words instead), shares from support alone.
    """
    if isinstance(calibration, str):
        return attribute_by_support(answer_id, case, rules, now_us, calibration)
    signals = read_signals(generator, case.scored, retrieval)
    predicted = _predicted(case, signals, calibration)
    shares = shares_of(case, [_used(case, predicted)], rules, answer_id)
    found = unmeasured(answer_id, case, shares, now_us, method=METHOD)
    attention = signals.attention.mean((0, 1))
    return replace(
        found,
        signals=tuple(
            replace(signal, attention=float(a), gradient=float(g))
            for signal, a, g in zip(found.signals, attention, signals.gradient, strict=True)
        ),
        detail=_detail(case, calibration.predict(signals, 0, len(signals.attention)), calibration),
    )


def attribute_by_support(
    answer_id: str, case: Case, rules: ShareRules, now_us: int, reason: str
) -> Attribution:
    """Shares as if everything that backs the answer had been used, and why nothing is predicted."""
    shares = shares_of(case, [lambda _segment, _coalition: 1.0], rules, answer_id)
    found = unmeasured(answer_id, case, shares, now_us, method=SUPPORT)
    return replace(found, detail={"no_calibration": reason})


def _predicted(case: Case, signals: Signals, calibration: Calibration) -> list[NDArray[np.float64]]:
    """Per segment the part that each statement supplies; what is within the noise is 0."""
    found = [calibration.predict(signals, start, end) for start, end in case.segments]
    floor = calibration.floor_ppb / WHOLE_PPB
    return [np.where(np.abs(parts) > floor, parts, 0.0) for parts in found]


def _used(case: Case, predicted: Sequence[NDArray[np.float64]]) -> Used:
    players = np.array(case.players)

    def used(segment: int, coalition: Coalition) -> float:
        return float(predicted[segment][np.isin(players, sorted(coalition))].sum().clip(0, 1))

    return used


def _detail(case: Case, predicted: NDArray[np.float64], calibration: Calibration) -> dict[str, Any]:
    parts = zip(case.positions, predicted, strict=True)
    return {
        "predicted_ppb": {str(position): round(part * WHOLE_PPB) for position, part in parts},
        "calibration": {
            "model": calibration.model,
            "lds": calibration.lds,
            "floor_nats": calibration.floor_nats,
            "floor_ppb": calibration.floor_ppb,
        },
    }
