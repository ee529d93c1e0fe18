"""Why an answer is as it is: what each tier of its attribution measured, decided and spent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from haozhi.attribution.moved import NOTABLE_PPB
from store.answers import find_attribution, get_answer
from store.engine import Session
from store.records.answers import Answer, Attribution, SupportSet


@dataclass(frozen=True)
class CoalitionValue:
    """v(S) in nats: the log-probability of the answer when only these statements can be seen."""

    statement_ids: tuple[int, ...]
    nats: float


@dataclass(frozen=True)
class Influence:
    """What a context statement moves of the answer's log-probability, in nats; None: unmeasured."""

    statement_id: int
    nats: float | None


@dataclass(frozen=True)
class Spent:
    """Passes of the model's tail that were run and might be run, orders read, whole ms by step.

    `looked_at`: statements outside the context that were looked at for who else says so. None:
    unknown, as in all that older versions stored.
    """

    passes: int | None
    budget: int | None
    orders: int | None
    looked_at: int | None
    timings_ms: Mapping[str, int]


@dataclass(frozen=True)
class Tier:
    """One version of an answer's attribution as it came about.

    `coalitions` None: not stored. `influence_method`: exact, paired, …, None where none was
    measured. `calibration` is what predicted provisional shares; `no_calibration` says why nothing
    did.
    """

    found: Attribution
    influence: tuple[Influence, ...]
    influence_method: str | None
    coalitions: tuple[CoalitionValue, ...] | None
    calibration: Mapping[str, Any] | None
    no_calibration: str | None
    spent: Spent

    @property
    def supports(self) -> tuple[SupportSet, ...]:
        """What backs, denies or also says each segment."""
        return self.found.supports


@dataclass(frozen=True)
class Why:
    """Both tiers of an answer. `moved_ppb`: their largest difference, None while one is missing."""

    answer: Answer
    provisional: Tier | None
    final: Tier | None
    moved_ppb: int | None

    @property
    def moved_much(self) -> bool:
        """Whether the tiers disagree by more than twenty points of the answer."""
        return self.moved_ppb is not None and self.moved_ppb > NOTABLE_PPB


def why_of(session: Session, answer_id: str) -> Why:
    """All that is stored of why an answer is as it is. NotFound: no such answer."""
    answer = get_answer(session, answer_id)
    first, last = (
        _tier(answer, find_attribution(session, answer_id, tier=tier))
        for tier in ("provisional", "final")
    )
    return Why(answer, first, last, last.found.detail.get("moved_ppb") if last else None)


def _tier(answer: Answer, found: Attribution | None) -> Tier | None:
    if found is None:
        return None
    detail = found.detail
    ids = {entry.position: entry.statement_id for entry in answer.context}
    coalitions = detail.get("coalitions")
    return Tier(
        found=found,
        influence=tuple(Influence(ids[s.position], s.influence_nats) for s in found.signals),
        influence_method=detail.get("influence"),
        coalitions=None
        if coalitions is None
        else tuple(CoalitionValue(tuple(members), nats) for members, nats in coalitions),
        calibration=detail.get("calibration"),
        no_calibration=detail.get("no_calibration"),
        spent=Spent(
            detail.get("passes"),
            detail.get("budget"),
            detail.get("orders"),
            detail.get("looked_at"),
            detail.get("timings_ms", {}),
        ),
    )
