"""What models read counts for: never against numbers, names or polarity, and never alone."""

from dataclasses import replace

import pytest

from haozhi.answering.backing import back
from haozhi.attribution.support import SupportStatement
from haozhi.attribution.support.coverage import coverage_shares, shapley_of_maximum
from haozhi.attribution.support.readings import (
    NEAR,
    Reading,
    denied_by,
    from_json,
    is_sentence,
    supported_by,
    to_json,
)

POT = "The key is under the broken flower pot."
NEARLY, FOLLOWS = Reading(similarity=NEAR), Reading(entails=0.97)


def method_of(question: str, segment: str, statement: str, reading: Reading) -> str | None:
    """How the statement supports the segment."""
    found = supported_by(SupportStatement(7, statement), segment, question, reading)
    assert found is None or (found.statement_ids == (7,) and 0 < found.strength <= 1)
    return found.method if found else None


@pytest.mark.parametrize(
    ("question", "segment", "statement", "is_one"),
    [
        ("Where is the key?", "It sits beneath the broken flower pot.", POT, True),
        ("Where is the key?", "It is under the door mat.", POT, False),
        ("钥匙在哪里？", "钥匙在院子里的花盆底下。", "院子里的花盆下面是钥匙。", False),
        ("备用钥匙在哪里？", "就在院子里的花盆底下。", "备用钥匙在院子里花盆的底下。", True),
        ("钥匙在哪里？", "钥匙在红色花盆底下。", "备用钥匙放在蓝色花盆底下。", False),
        ("How long is it?", "The bridge runs for 320 m.", "The bridge is 330 m long.", False),
        ("Who taught it?", "Physics was taught by Anna Berg.", "Anna Lund taught physics.", False),
        ("谁会开车？", "王师傅不会开车。", "王师傅会开大车。", False),
        ("Where is the key?", "The key.", POT, False),
    ],
)  # fmt: skip
def test_a_near_text_backs_only_what_it_agrees_with(
    question: str, segment: str, statement: str, is_one: bool
) -> None:
    """Numbers, names and polarity must agree, and two thirds of what is new must be said."""
    assert (method_of(question, segment, statement, NEARLY) == "paraphrase") is is_one
    low = replace(NEARLY, similarity=NEAR - 0.01)
    assert method_of(question, segment, statement, low) is None
    assert method_of(question, segment, statement, Reading()) is None


def test_entailment_needs_no_words_but_agreement() -> None:
    """A model of inference may know other words, but not another number or name."""
    assert method_of("", "The pool is shut.", "Nobody may swim today.", FOLLOWS) is None  # a not
    assert (
        method_of("", "The pool is shut.", "Swimming is over for today.", FOLLOWS) == "entailment"
    )
    assert method_of("", "It has 3 doors.", "It has 4 doors.", FOLLOWS) is None
    assert method_of("", "水池关了。", "今天游泳结束了。", FOLLOWS) == "entailment"


def test_a_denial_that_is_read_speaks_of_the_same() -> None:
    """Models take what is unrelated for a denial: half of the content must be shared."""
    segment, denies = "The pool opens on Monday.", Reading(denies=0.95)
    related = SupportStatement(1, "The pool stays shut on Monday.")
    unrelated = SupportStatement(2, "Tom plays chess at night.")
    assert denied_by(related, segment, denies) is not None
    assert denied_by(related, segment, Reading(denies=0.5)) is None
    assert denied_by(related, segment, Reading()) is None
    assert denied_by(unrelated, segment, denies) is None


def test_an_answer_in_other_words_rests_on_the_verdict() -> None:
    """Nearness speaks only where the judge takes the statement for an answer."""
    statements = [
        SupportStatement(1, "The spare key is under the flower pot."),
        SupportStatement(2, "Tom prefers tea to coffee."),
    ]
    said = ["The spare key lies beneath the flower pot."]
    question = "Where is the spare key?"
    (bare,) = back(question, said, statements, [0.9, 0.7])
    near = [[NEARLY, NEARLY]]
    (found,) = back(question, said, statements, [0.9, 0.7], near)
    assert bare.sets == ()
    assert [(s.statement_ids, s.method) for s in found.sets] == [((1,), "paraphrase")]
    (other,) = back("Who plays chess?", said, statements, [0.7, 0.7], near)
    assert other.sets == ()


def test_a_claim_is_backed_by_what_entails_it_and_denied_by_what_excludes_it() -> None:
    """Without a question nearness counts for nothing, inference does; nobody is on both sides."""
    statements = [
        SupportStatement(1, "Swimming in the pool is over for today."),
        SupportStatement(2, "The old village pool is open until nine."),
    ]
    row = [replace(FOLLOWS, similarity=1.0), Reading(similarity=1.0, denies=0.99)]
    (found,) = back("", ["The old village pool is closed."], statements, [0.0, 0.0], [row])
    assert [(s.statement_ids, s.method) for s in found.sets] == [((1,), "entailment")]
    assert found.contradicts == (2,)
    assert not {i for s in found.sets for i in s.statement_ids} & set(found.contradicts)


def test_readings_are_stored_as_they_are() -> None:
    """What is unknown stays unknown, what was not read at all too."""
    rows = [[Reading(0.9, None, 0.1), Reading()], [FOLLOWS, NEARLY]]
    assert from_json(to_json(rows)) == rows
    assert from_json(to_json(None)) is None


def test_a_bare_answer_is_no_sentence() -> None:
    """`Poland` and 三米 say nothing by themselves."""
    assert not any(map(is_sentence, ("Dr Amsel", "三百米")))
    assert all(map(is_sentence, ("Dr Amsel treats cats.", "钥匙放在花盆底下。")))


def test_coverage_pays_what_it_should_not() -> None:
    """The baseline's shares are the game's exact Shapley values, and an echo and a denial earn."""
    assert shapley_of_maximum([0.0, 1.0, 1.0]) == (0.0, 0.5, 0.5)
    assert shapley_of_maximum([1.0, 0.5]) == (0.75, 0.25)
    assert shapley_of_maximum([]) == ()
    told = ["Marie Curie was born in Poland.", "Was Marie Curie born in Poland?"]
    assert coverage_shares("Marie Curie was born in Poland.", told) == pytest.approx((0.5, 0.5))
    assert coverage_shares("居里夫人生于波兰。", ["居里夫人不是生于波兰。"])[0] > 0.8
    assert coverage_shares("Poland", []) == ()
