"""Replay: attribute a stored answer again from its token ids and compare with what was posted."""

from dataclasses import dataclass

from haozhi.accounting.holdings import holdings_of
from haozhi.accounting.policy import policy_from_body
from haozhi.accounting.posting import transfers_for
from haozhi.app import App
from haozhi.casework import build_case
from haozhi.settling import attribution_of, terms_of
from store import ledger
from store.answers import get_answer, get_attribution
from store.engine import read
from store.errors import NotFound
from store.ledger import entries_for_answer


@dataclass(frozen=True)
class Replay:
    """`state`: same, differs, or not_replayable; `differences` say where, in words."""

    answer_id: str
    state: str
    differences: tuple[str, ...]


def replay(app: App, answer_id: str) -> Replay:
    """Recompute shares and postings from the stored tokens. NotFound: no such answer.

    A deleted text or another model makes an answer not replayable; money is unchanged by that.
    """
    with read(app.engine) as session:
        answer = get_answer(session, answer_id)
        stored = get_attribution(session, answer_id)
        terms = terms_of(session, answer.policy_version)
        policy = policy_from_body(*ledger.get_policy(session, answer.policy_version))
        posted = [t for e in entries_for_answer(session, answer_id) for t in e.transfers]
        try:
            case = build_case(session, answer) if answer.state == "answered" else None
        except NotFound as error:
            return Replay(answer_id, "not_replayable", (str(error),))
    if answer.model_fingerprint != app.generator.fingerprint:
        reason = f"it was given by {answer.model_fingerprint}, not by {app.generator.fingerprint}"
        return Replay(answer_id, "not_replayable", (reason,))
    again = attribution_of(app, answer, case, terms)
    said = answer.preface + app.generator.decode(answer.answer_ids).strip()
    found = []
    if answer.state == "answered" and said != answer.text:
        found.append("the tokens read otherwise than the text")
    if (again.pairs, again.citations) != (stored.pairs, stored.citations):
        found.append("the shares differ")
    if again.unattributed != stored.unattributed:
        found.append("the unattributed part differs")
    if stored.tier == "final":
        transfers = transfers_for(answer, again, holdings_of(stored), policy)
        if list(transfers) != posted:
            found.append("the postings differ")
    return Replay(answer_id, "differs" if found else "same", tuple(found))
