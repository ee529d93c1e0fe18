"""The case of a stored answer: everything that its shares depend on, read back from the store."""

from haozhi.answering.backing import back
from haozhi.answering.verdicts import Verdict
from haozhi.attribution.context import Case, authors_of
from haozhi.attribution.support import SupportStatement
from haozhi.attribution.support.readings import from_json
from haozhi.attribution.values import Scored
from store.engine import Session
from store.errors import NotFound
from store.records.answers import Answer
from store.statements import get_statements


def build_case(session: Session, answer: Answer) -> Case:
    """The case of an answered answer, the same each time it is made.

    NotFound: a statement's text was deleted, so that the answer cannot be attributed again.
    """
    entries = [entry for entry in answer.context if entry.included]
    statements = get_statements(session, [entry.statement_id for entry in entries])
    gone = [s.id for s in statements if s.text is None]
    if gone:
        raise NotFound(f"the text of statement {gone[0]} was deleted")
    players = list(dict.fromkeys(entry.player for entry in entries))
    spans = tuple((e.token_start or 0, e.token_end or 0) for e in entries)
    texts = [answer.text[s.start : s.end] for s in answer.segments]
    return Case(
        scored=Scored(answer.prompt_ids, answer.answer_ids, spans, answer.tail_start),
        positions=tuple(entry.position for entry in entries),
        statement_ids=tuple(entry.statement_id for entry in entries),
        authors=tuple(authors_of(entry.player) for entry in entries),
        players=tuple(players.index(entry.player) for entry in entries),
        segments=tuple((s.token_start, s.token_end) for s in answer.segments),
        weights_ppb=tuple(s.weight_ppb for s in answer.segments),
        support=back(
            answer.options["asked"],
            texts,
            [SupportStatement(s.id, s.text or "") for s in statements],
            [entry.retrieval for entry in entries],
            from_json(answer.options.get("readings")),
            _verdicts(answer),
        ),
    )


def _verdicts(answer: Answer) -> list[Verdict] | None:
    """What the judge said, where it was kept with the answer."""
    found = answer.options.get("verdicts")
    return None if found is None else [tuple(ids) for ids in found]
