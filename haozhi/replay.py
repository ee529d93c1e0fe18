"""Replay: attribute a stored answer again from its token ids and compare with what was posted."""

from collections.abc import Iterator
from dataclasses import dataclass

from haozhi.accounting.holdings import holdings_of
from haozhi.accounting.posting import transfers_for
from haozhi.app import App
from haozhi.attribution.final import GAME
from haozhi.casework import build_case
from haozhi.policies import policy_of
from haozhi.settling import attribution_of, share_rules_of
from store import ledger
from store.answers import get_answer, get_attribution
from store.engine import read
from store.errors import NotFound
from store.records.answers import Answer, Attribution


@dataclass(frozen=True)
class Recomputed:
    """A stored answer with the attribution that counts for it, and the same computed again here.

    `again` is None when that cannot be done; `reason` then says why, in words.
    """

    answer: Answer
    stored: Attribution
    again: Attribution | None
    reason: str = ""


@dataclass(frozen=True)
class Replay:
    """`state`: same, differs, or not_replayable; `differences` say where, in words."""

    answer_id: str
    state: str
    differences: tuple[str, ...]


def recompute(app: App, answer_id: str) -> Recomputed:
    """Attribute a stored answer again from its tokens. NotFound: no such answer.

    A deleted text, another model, a policy that this program cannot apply, or rows that no answer
    can have make it not replayable; money is unchanged by that.
    """
    with read(app.engine) as session:
        answer = get_answer(session, answer_id)
        stored = get_attribution(session, answer_id)
        try:
            rules = share_rules_of(session, answer.policy_version)
            case = build_case(session, answer) if answer.state == "answered" else None
        except (NotFound, ValueError) as error:
            return Recomputed(answer, stored, None, str(error))
    if stored.tier == "final" and stored.method not in (GAME, "none"):
        reason = f"it was attributed by {stored.method}, which is {GAME} now"
        return Recomputed(answer, stored, None, reason)
    if answer.model_fingerprint != app.generator.fingerprint:
        reason = f"it was given by {answer.model_fingerprint}, not by {app.generator.fingerprint}"
        return Recomputed(answer, stored, None, reason)
    try:
        return Recomputed(answer, stored, attribution_of(app, answer, case, rules))
    except ValueError as error:
        return Recomputed(answer, stored, None, f"its rows contradict each other: {error}")


def replay(app: App, answer_id: str) -> Replay:
    """Recompute shares and postings from the stored tokens. NotFound: no such answer."""
    found = recompute(app, answer_id)
    if found.again is None:
        return Replay(answer_id, "not_replayable", (found.reason,))
    differences = tuple(_differences(app, found.answer, found.stored, found.again))
    return Replay(answer_id, "differs" if differences else "same", differences)


def _differences(
    app: App, answer: Answer, stored: Attribution, again: Attribution
) -> Iterator[str]:
    said = answer.preface + app.generator.decode(answer.answer_ids).strip()
    if answer.state == "answered" and said != answer.text:
        yield "the tokens read otherwise than the text"
    if (again.pairs, again.citations) != (stored.pairs, stored.citations):
        yield "the shares differ"
    if again.unattributed != stored.unattributed:
        yield "the unattributed part differs"
    if stored.tier == "final":
        with read(app.engine) as session:
            policy = policy_of(session, answer.policy_version)
            entry = ledger.find_entry(session, ledger.distribution_key(answer.id))
        if transfers_for(answer, again, holdings_of(stored), policy) != (
            entry.transfers if entry else ()
        ):
            yield "the postings differ"
