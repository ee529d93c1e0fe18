"""Answers and attributions in the database: whole, versioned, read back as they were written."""

from dataclasses import replace

import pytest

from store.answers import (
    add_answer,
    add_attribution,
    find_attribution,
    get_answer,
    get_attribution,
    list_answers,
    unsettled,
)
from store.engine import Engine, read, write
from store.errors import NotFound
from store.records.answers import Answer, Attribution, SupportSet
from tests.books import a_refusal, an_attribution
from tests.counting import queries_of
from tests.stored_books import Corpus, add_corpus


@pytest.fixture
def corpus(engine: Engine) -> Corpus:
    """Three statements by A, by B and by nobody known."""
    return add_corpus(engine)


def two_versions(corpus: Corpus, answer: Answer) -> tuple[Attribution, Attribution]:
    """A provisional attribution, and a final one with several supports."""
    first, second, third = (added.statement_id for added in corpus.statements)
    final = an_attribution(corpus.shares(300_000_000, 200_000_001), answer, version=2)
    supports = (
        SupportSet(1, "contradicts", (third,), 0.25, "polarity"),
        SupportSet(0, "supports", (first, second), 1.0, "equation"),
        SupportSet(0, "supports", (second,), 0.5, "verbatim"),
    )
    provisional = an_attribution(corpus.shares(10**9), answer, tier="provisional")
    return provisional, replace(final, supports=supports, v_none=None, grounding=-0.3)


def test_answers_and_both_attributions_read_back_as_written(engine: Engine, corpus: Corpus) -> None:
    """Every field comes back equal; absent values stay absent, order is kept."""
    answer = corpus.answer(preface="1 + 1", options={"top_p": 0.9, "seed": None, "stop": ["。"]})
    provisional, final = two_versions(corpus, answer)
    with write(engine) as s:
        add_answer(s, answer)
        add_attribution(s, provisional)
        assert unsettled(s) == (answer.id,)
        add_attribution(s, final)
    with read(engine) as s:
        assert get_answer(s, answer.id) == answer
        assert get_attribution(s, answer.id, 1) == provisional
        assert get_attribution(s, answer.id) == final
        assert find_attribution(s, answer.id, tier="provisional") == provisional
        assert unsettled(s) == ()


def test_answer_that_breaks_a_rule_is_not_written(engine: Engine, corpus: Corpus) -> None:
    """ValueError names the answer and every broken rule; no row is there."""
    broken = corpus.answer(fee_micro=-5, tail_start=99)
    with (
        pytest.raises(ValueError, match="answer-1: the fee is -5; .*tail starts"),
        write(engine) as s,
    ):
        add_answer(s, broken)
    with read(engine) as s, pytest.raises(NotFound, match="answer-1"):
        get_answer(s, "answer-1")


def test_attributions_are_versions_and_nothing_follows_the_final_one(
    engine: Engine, corpus: Corpus
) -> None:
    """Versions count up from 1, and a final attribution is the last."""
    answer = corpus.answer()
    provisional, final = two_versions(corpus, answer)
    with write(engine) as s:
        add_answer(s, answer)
        with pytest.raises(ValueError, match="version 2 does not follow 0"):
            add_attribution(s, final)
        add_attribution(s, provisional)
        add_attribution(s, final)
        with pytest.raises(ValueError, match="has a final attribution"):
            add_attribution(s, replace(final, version=3))


def test_attribution_needs_its_answer(engine: Engine, corpus: Corpus) -> None:
    """An answer that is not stored cannot be attributed, and has no attribution to get."""
    with write(engine) as s:
        with pytest.raises(NotFound, match="no answer answer-1"):
            add_attribution(s, an_attribution({}, corpus.answer()))
        add_answer(s, corpus.answer())
        with pytest.raises(NotFound, match="attribution 4 of answer answer-1"):
            get_attribution(s, "answer-1", 4)


def test_listing_pages_through_all_answers_newest_first(engine: Engine, corpus: Corpus) -> None:
    """Pages that continue after the last id seen show each answer once, ties in time too."""
    with write(engine) as s:
        for number in range(1, 8):
            answer = corpus.answer(number)
            add_answer(s, replace(answer, created_us=answer.created_us - number % 2))
        add_answer(s, a_refusal(id="refused", context=(), created_us=0))
    seen: list[str] = []
    with read(engine) as s:
        while page := list_answers(s, 3, before=seen[-1] if seen else None):
            seen += [answer.id for answer in page]
        with pytest.raises(NotFound, match="no answer nowhere"):
            list_answers(s, 3, before="nowhere")
    assert seen == [f"answer-{n}" for n in (7, 6, 5, 4, 3, 2, 1)] + ["refused"]


def test_many_answers_take_as_many_queries_as_one(sqlite_engine: Engine) -> None:
    """Listing twenty answers sends no more statements than listing one."""
    corpus = add_corpus(sqlite_engine)
    with write(sqlite_engine) as s:
        for number in range(20):
            add_answer(s, corpus.answer(number))
    counts = []
    for limit in (1, 20):
        with queries_of(sqlite_engine) as sent, read(sqlite_engine) as s:
            assert len(list_answers(s, limit)) == limit
        counts.append(len([line for line in sent if line.startswith("SELECT")]))
    assert counts[0] == counts[1] == 4
