"""The first tier of an answer's attribution, there with the answer; it never posts money.

The rule is the final one's, with v_k(T) predicted instead of measured: v_k(none) and the sum of
what the statements of T are predicted to add to it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from haozhi.attribution.attribute import ShareRules, shares_of, unmeasured
from haozhi.attribution.calibration import METHOD, Calibration
from haozhi.attribution.context import Case
from haozhi.attribution.rules import Rule, grounding
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
    shares = shares_of(case, [_used(case, signals, calibration, rules.rule)], rules, answer_id)
    found = unmeasured(answer_id, case, shares, rules, now_us, method=METHOD)
    none, full = float(signals.none.sum()), float(signals.full.sum())
    seen = zip(
        found.signals,
        signals.attention.mean((0, 1)),
        signals.gradient,
        calibration.predict(signals, 0, len(signals.none)),
        strict=True,
    )
    return replace(
        found,
        v_none=none,
        v_all=full,
        grounding=grounding(full, none),
        signals=tuple(
            replace(signal, attention=float(a), gradient=float(g), influence_nats=float(i))
            for signal, a, g, i in seen
        ),
        detail={"calibration": _told(calibration)},
    )


def attribute_by_support(
    answer_id: str, case: Case, rules: ShareRules, now_us: int, reason: str
) -> Attribution:
    """Shares as if everything that backs the answer had been used, and why nothing is predicted."""
    shares = shares_of(case, [lambda _segment, _coalition: 1.0], rules, answer_id)
    found = unmeasured(answer_id, case, shares, rules, now_us, method=SUPPORT)
    return replace(found, detail={"no_calibration": reason})


def _used(case: Case, signals: Signals, calibration: Calibration, rule: Rule) -> Used:
    """g_k(T) of the rule, for v_k(none) and what the statements of T are predicted to add to it."""
    players = np.array(case.players)
    predicted = [calibration.predict(signals, *segment) for segment in case.segments]
    nones = [float(signals.none[start:end].sum()) for start, end in case.segments]

    def used(segment: int, coalition: Coalition) -> float:
        added = predicted[segment][np.isin(players, sorted(coalition))].sum()
        return rule.used(nones[segment] + float(added), nones[segment])

    return used


def _told(calibration: Calibration) -> dict[str, Any]:
    """What is kept of a calibration with the attribution that rests on it."""
    return {
        "model": calibration.model,
        "lds": calibration.lds,
        "floor_nats": calibration.floor_nats,
        "floor_ppb": calibration.floor_ppb,
    }
