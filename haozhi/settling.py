"""T1 and T2 of an answer: stored with provisional shares, then final shares and money at once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from haozhi.accounting.policy import Policy
from haozhi.accounting.settle import post_final
from haozhi.also import Lookup, look_up
from haozhi.app import App
from haozhi.attribution.attribute import ShareRules, attribute_nothing
from haozhi.attribution.calibration import calibration_dir, find_calibration
from haozhi.attribution.context import Case
from haozhi.attribution.final import PASSES, attribute_finally
from haozhi.attribution.moved import largest_difference_ppb
from haozhi.attribution.provisional import attribute_provisionally
from haozhi.attribution.rules import rule_named
from haozhi.casework import build_case
from haozhi.clock import Stopwatch
from haozhi.display import answer_over_budget
from haozhi.listening import SILENT, Listener
from haozhi.policies import policy_of
from haozhi.refusals import refuse_deleted, refuse_over_budget
from store.answers import (
    add_answer,
    add_attribution,
    find_attribution,
    get_answer,
    unsettled,
)
from store.clock import now_us
from store.deletions import deleted_among
from store.engine import Session, read, write
from store.errors import NotFound
from store.records.answers import Answer, Attribution, Signal


def store_answer(app: App, answer: Answer, listener: Listener = SILENT) -> str:
    """T1, then T2; a crash between them leaves an answer that `settle` finishes.

    What its asker may be shown is counted again in T1, where questions come one after the other: an
    answer that no longer fits the display budget, or that quotes what was deleted meanwhile, is
    stored as refused.
    """
    answer = replace(answer, id=listener.answer_id or answer.id)
    with read(app.engine) as session:
        case = _case(session, answer)
        rules = share_rules_of(session, answer.policy_version)
    first = _provisional(app, answer, case, rules)
    with write(app.engine) as session:
        policy = policy_of(session, answer.policy_version)
        refused = _refused(session, answer, policy)
        if refused is not None:
            answer, first = refused, attribute_nothing(answer.id, rules, now_us())
        add_answer(session, answer)
        add_attribution(session, first)
    try:
        listener.stored(answer.id)
    finally:  # whoever listens, what is stored is attributed and paid
        settle(app, answer.id)
    return answer.id


def _refused(session: Session, answer: Answer, policy: Policy) -> Answer | None:
    """What is stored in place of an answer that may not be kept; None: it may."""
    if deleted_among(session, [entry.statement_id for entry in answer.context]):
        return refuse_deleted(answer)
    over = answer_over_budget(session, answer, policy)
    return refuse_over_budget(answer, over) if over else None


def settle(app: App, answer_id: str) -> None:
    """T2: the final attribution and the entry, in one transaction; nothing if they are there.

    The model works outside any transaction.
    """
    with read(app.engine) as session:
        answer = get_answer(session, answer_id)
        case = _case(session, answer)
        rules = share_rules_of(session, answer.policy_version)
        first = find_attribution(session, answer_id, tier="provisional")
    watch = Stopwatch()
    final = attribution_of(app, answer, case, rules)
    watch.lap("attribute")
    others = look_up(app, answer) if case else Lookup()
    watch.lap("look_up")
    told: dict[str, Any] = {"timings_ms": watch.laps_ms, "looked_at": others.looked_at}
    if first is not None:
        told["moved_ppb"] = largest_difference_ppb(first, final)
        final = replace(final, signals=_read_before(first.signals, final.signals))
    supports = (*final.supports, *others.found)
    final = replace(final, supports=supports, detail=final.detail | told)
    with write(app.engine) as session:
        post_final(session, answer, final, now_us=now_us())


def settle_all(app: App) -> tuple[str, ...]:
    """Finish every answer that has no final attribution yet; returns their ids."""
    with read(app.engine) as session:
        open_ids = unsettled(session)
    for answer_id in open_ids:
        settle(app, answer_id)
    return open_ids


def attribution_of(app: App, answer: Answer, case: Case | None, rules: ShareRules) -> Attribution:
    """The final attribution of an answer, computed from what is stored with it."""
    if case is None:
        return attribute_nothing(answer.id, rules, now_us())
    budget = int(answer.options.get("attribution_passes", PASSES))
    return attribute_finally(app.generator, answer.id, case, rules, now_us(), budget)


def share_rules_of(session: Session, policy_version: int) -> ShareRules:
    """What the policy of this version says of shares."""
    policy = policy_of(session, policy_version)
    return ShareRules(policy.support_ppm, policy.noise_floor_ppb, rule_named(policy.rule))


def _provisional(app: App, answer: Answer, case: Case | None, rules: ShareRules) -> Attribution:
    """Shares before anything is measured, and how long they took."""
    if case is None:
        return attribute_nothing(answer.id, rules, now_us())
    watch = Stopwatch()
    calibration = find_calibration(calibration_dir(app.settings), app.generator.fingerprint)
    found = attribute_provisionally(
        app.generator,
        answer.id,
        case,
        [answer.context[position].retrieval for position in case.positions],
        calibration,
        rules,
        now_us(),
    )
    watch.lap("predict")
    return replace(found, detail=found.detail | {"timings_ms": watch.laps_ms})


def _read_before(first: Sequence[Signal], final: Sequence[Signal]) -> tuple[Signal, ...]:
    """Attention and gradient were read for the first tier; the final one goes on with them."""
    before = {signal.position: signal for signal in first}
    return tuple(
        replace(s, attention=before[s.position].attention, gradient=before[s.position].gradient)
        for s in final
    )


def _case(session: Session, answer: Answer) -> Case | None:
    """None for an answer that rests on nothing: a refused one, or one whose texts are gone."""
    if answer.state == "refused":
        return None
    try:
        return build_case(session, answer)
    except NotFound:
        return None
