"""A question has one moment and one policy, and its budget is counted again when it is stored."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from haozhi import policies
from haozhi.app import App
from haozhi.drafting import AskOptions, build_answer
from haozhi.preparing import Moment, Prepared, this_moment
from haozhi.prompts import load_template
from haozhi.retrieve import Retrieval
from haozhi.settling import store_answer
from store.answers import get_answer
from store.clock import now_us
from store.engine import Engine, read
from store.rights import shown_to
from tests.books import a_refusal
from tests.stored_books import Corpus, add_corpus


@pytest.fixture
def corpus(engine: Engine) -> Corpus:
    """Three statements in one work, of which one asker may be shown 18 characters: two of them."""
    found = add_corpus(engine)
    proposed = policies.propose(engine, {"display_budget_chars": 18, "fee_micro": 7}, "Ada")
    policies.approve(engine, proposed.proposal.id, "Bob")
    return found


def app_of(engine: Engine) -> App:
    """An app that has a database, and a generator that is only named."""
    generator = SimpleNamespace(name="tiny", fingerprint="f")
    parts: dict[str, Any] = {"engine": engine, "generator": generator}
    settings = SimpleNamespace(fee_micro=None, attribution_passes=128)
    embedder = SimpleNamespace(fingerprint="e")
    return cast("App", SimpleNamespace(**parts, settings=settings, embedder=embedder))


@pytest.mark.usefixtures("corpus")
def test_an_answer_is_of_the_moment_it_was_retrieved_at(engine: Engine) -> None:
    """Time and policy are those that retrieval began with, whatever happens until the answer."""
    app, before = app_of(engine), now_us()
    moment = this_moment(app)
    assert before <= moment.at_us <= now_us()
    proposed = policies.propose(engine, {"fee_micro": 9}, "Ada")
    policies.approve(engine, proposed.proposal.id, "Bob")
    template = load_template("nanochat", "en", "fact")
    prompt = SimpleNamespace(ids=(), tail_start=0, spans=())
    prepared = Prepared(moment, "?", "en", template, cast("Any", prompt), Retrieval(()))
    answer = build_answer(app, prepared, AskOptions(), None)
    assert (answer.created_us, answer.policy_version) == (moment.at_us, 2)
    assert moment == Moment(moment.at_us, policies.get_policy(engine, 2)[1])


def test_parallel_questions_do_not_exceed_the_budget(engine: Engine, corpus: Corpus) -> None:
    """What no longer fits when it is stored is refused, shows nothing and costs nothing."""
    app, context = app_of(engine), corpus.answer().context
    for number, places in enumerate((context[:2], context[1:]), start=1):
        kept = tuple(replace(entry, position=i) for i, entry in enumerate(places))
        answer = a_refusal(id=f"answer-{number}", policy_version=2, refusal="unsupported")
        given = replace(answer, context=kept, prompt_ids=corpus.answer().prompt_ids)
        store_answer(app, replace(given, options={"over_budget": [], "way": "free"}))
    with read(engine) as s:
        first, second = get_answer(s, "answer-1"), get_answer(s, "answer-2")
        shown = shown_to(s, first.asker_id, [corpus.work_id])[corpus.work_id]
    assert first.refusal == "unsupported"
    assert sum(shown.values()) == 18
    assert (second.refusal, second.context, second.fee_micro) == ("over_budget", (), 0)
    assert second.options["over_budget"] == [corpus.statements[2].statement_id]
