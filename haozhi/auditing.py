"""Audits: answers drawn by what nobody could foresee are computed again from their tokens."""

from collections.abc import Sequence
from dataclasses import dataclass

from haozhi.app import App
from haozhi.attribution.moved import largest_difference_ppb
from haozhi.replay import recompute
from store.errors import ModelMissing


@dataclass(frozen=True)
class Audit:
    """One answer computed again. `state` is same, differs or not_replayable.

    `largest_ppb` is the largest difference of a share (of a statement and author, or of the
    unattributed part), None when not replayable. `answer_fingerprint` is the model that gave the
    answer, `model_fingerprint` the one here, "" when there is none. `reason` is why not replayable.
    """

    answer_id: str
    state: str
    largest_ppb: int | None
    answer_fingerprint: str
    model_fingerprint: str
    reason: str = ""


def audit_answers(app: App, answer_ids: Sequence[str]) -> tuple[Audit, ...]:
    """Compute these answers again, in this order. NotFound: no such answer."""
    return tuple(audit(app, answer_id) for answer_id in answer_ids)


def audit(app: App, answer_id: str) -> Audit:
    """Compute one answer again from its stored tokens. NotFound: no such answer.

    Where the model is not installed nothing can be computed, and the audit says so.
    """
    try:
        found, here = recompute(app, answer_id), app.generator.fingerprint
    except ModelMissing as error:
        return Audit(answer_id, "not_replayable", None, "", "", str(error))
    given = found.answer.model_fingerprint
    reason = found.reason if found.stored.tier == "final" else "its shares are not final yet"
    if found.again is None or reason:
        return Audit(answer_id, "not_replayable", None, given, here, reason)
    largest_ppb = largest_difference_ppb(found.stored, found.again)
    return Audit(answer_id, "differs" if largest_ppb else "same", largest_ppb, given, here)
