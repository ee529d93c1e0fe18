"""Also says so: statements outside an answer's context that say what one of its segments says.

They are told, never paid: the answer did not rest on them.
"""

from dataclasses import dataclass

from haozhi.answering.backing import back
from haozhi.app import App
from haozhi.attribution.support import SegmentSupport, SupportStatement
from haozhi.attribution.support.readings import is_sentence
from haozhi.display import budget_of
from haozhi.policies import policy_of
from haozhi.ranking import similarities
from haozhi.retrieve import Retrieved, retrieve_once, search_text
from store.engine import read
from store.errors import IndexMissing, ModelMissing
from store.records.answers import Answer, SupportSet
from store.statements import get_statements

#: Statements that are looked at for each segment, beside those of the context.
LOOKED_AT = 8


@dataclass(frozen=True)
class Lookup:
    """`looked_at` statements outside the context, None: nothing could be looked up here."""

    found: tuple[SupportSet, ...] = ()
    looked_at: int | None = None


def look_up(app: App, answer: Answer) -> Lookup:
    """Who else says what the answer says, among what its asker could see when it was given.

    The same finder decides that decides what is paid; only statements that say it alone count.
    """
    try:
        outside = _outside(app, answer)
    except (ModelMissing, IndexMissing):
        return Lookup()
    asked = answer.options["asked"]
    support = back(
        asked,
        _texts(answer),
        [SupportStatement(each.statement.id, each.statement.text or "") for each in outside],
        _similarities(app, asked or answer.text, outside),
    )
    found = [each for k, segment in enumerate(support) for each in _alone(k, segment)]
    return Lookup(tuple(found), len(outside))


def _texts(answer: Answer) -> list[str]:
    return [answer.text[s.start : s.end] for s in answer.segments]


def _alone(k: int, support: SegmentSupport) -> list[SupportSet]:
    return [
        SupportSet(k, "also", each.statement_ids, each.strength, each.method)
        for each in support.sets
        if len(each.statement_ids) == 1
    ]


def _outside(app: App, answer: Answer) -> list[Retrieved]:
    """What a search for each segment finds, without the context and the copies of it."""
    with read(app.engine) as session:
        context = get_statements(session, [c.statement_id for c in answer.context])
        budget = budget_of(policy_of(session, answer.policy_version), answer.asker_id)
    known = {statement.cluster_id for statement in context}
    found: dict[int, Retrieved] = {}
    for text in dict.fromkeys(_texts(answer)):
        searched = text if is_sentence(text) else f"{search_text(answer.options['asked'])} {text}"
        k, at_us = LOOKED_AT + len(known), answer.created_us
        hits = retrieve_once(app.near, app.engine, searched, k, budget, at_us=at_us)
        new = [hit for hit in hits if hit.statement.cluster_id not in known]
        found |= {hit.statement.id: hit for hit in new[:LOOKED_AT]}
    return [found[i] for i in sorted(found)]


def _similarities(app: App, text: str, statements: list[Retrieved]) -> list[float]:
    """As in the context: the cosine of each statement with the question."""
    ids = [each.statement.id for each in statements]
    with read(app.engine) as session:
        known = similarities(session, app.embedder, app.embedder.queries([search_text(text)]), ids)
    return [known[i] for i in ids]
