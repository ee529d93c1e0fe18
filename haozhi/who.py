"""Who: a claim is attributed through the same code as an answer, and posts no money."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from haozhi.answering.candidates import Candidate
from haozhi.answering.choose import choose
from haozhi.app import App
from haozhi.clock import Stopwatch
from haozhi.drafting import AskOptions, build_answer, draft_answer, never
from haozhi.language import Language, detect
from haozhi.listening import SILENT, Listener
from haozhi.preparing import Prepared, prompt_of, retrieve_for, this_moment
from haozhi.prompts import load_template
from haozhi.provenance import relations_of
from haozhi.questions import Relation, check_question, claim_question
from haozhi.reading import read_beside
from haozhi.settling import store_answer
from haozhi.sums import canonical_number, equations_in
from store.engine import read
from store.records.answers import Answer

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*")

#: What a claim is put as an answer to when it is not known which question it answers.
OPEN_QUESTION: dict[Language, str] = {"en": "What is said?", "zh": "有什么说法？"}


def who(
    app: App,
    claim: str,
    *,
    relation: Relation = "said",
    language: Language | None = None,
    question: str | None = None,
    asker_id: str,
    cancelled: Callable[[], bool] = never,
    listener: Listener = SILENT,
) -> str:
    """Attribute a claim to its authors, store that as an answer of kind `who`; returns its id.

    The claim's own question is asked; where the worked answer's last segment states the claim, that
    answer is attributed, else the claim itself is the forced answer. BadInput as in `ask`.
    """
    check_question(claim)
    spoken = language or detect(question or claim) or "en"
    watch = Stopwatch()
    asked = claim_question(claim)
    draft = None
    if asked:
        options = AskOptions(language=spoken)
        draft = draft_answer(app, asked, options, asker_id, watch, cancelled, listener)
    if draft is None or not states(draft, claim):
        draft = _forced(app, asked or "", claim, spoken, asker_id, watch, listener)
    told = replace(draft, kind="who", question=question or claim, claim=claim, fee_micro=0)
    told = _related(app, told, relation)
    answer = replace(told, asker_id=asker_id, timings_ms=watch.laps_ms)
    return store_answer(app, answer, listener)


def states(draft: Answer, claim: str) -> bool:
    """Whether the worked answer comes to what the claim says."""
    if not draft.segments:
        return False
    last = draft.segments[-1]
    numbers = _NUMBER.findall(draft.text[last.start : last.end])
    return bool(numbers) and (canonical_number(numbers[-1]),) == equations_in(claim)[0].right


def _forced(
    app: App,
    asked: str,
    claim: str,
    language: Language,
    asker_id: str,
    watch: Stopwatch,
    listener: Listener,
) -> Answer:
    """The claim as the answer, whatever the model would have said."""
    moment = this_moment(app)
    retrieval = retrieve_for(app, moment, asker_id, claim)
    watch.lap("retrieve")
    template = load_template(app.settings.generator, language, "sum" if asked else "fact")
    longest = len(app.generator.encode(claim)) + 1
    shown = asked or OPEN_QUESTION[language]
    prompt = prompt_of(app, template, shown, retrieval.found, longest)
    prepared = Prepared(moment, asked, language, template, prompt, retrieval)
    watch.lap("prompt")
    listener.prepared(prepared)
    forced = Candidate(tuple(app.generator.encode(template.quote + claim)), "free")
    choice = choose(
        app.generator,
        asked,
        [forced],
        prepared.statements,
        prepared.similarities,
        partial(read_beside, app, asked, statements=prepared.statements),
    )
    watch.lap("generate")
    return build_answer(app, prepared, AskOptions(), choice)


def _related(app: App, answer: Answer, asked: Relation) -> Answer:
    """The answer with how each statement stands to the claim.

    The sentence that names the authors is made of that whenever the answer is shown, so that it
    goes with an erased name or a deleted text.
    """
    with read(app.engine) as session:
        relations = relations_of(session, answer)
    kept = {"relations": {str(k): v for k, v in relations.items()}, "relation_asked": asked}
    text = answer.text if answer.state == "answered" else ""
    return replace(answer, text=text, options=answer.options | kept)
