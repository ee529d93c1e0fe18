"""What the judge says about single statements; cosines are written by hand."""

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from haozhi.judge import best_verdict, judge_single, model, thresholds

# Cosines as multilingual-e5-small gives them: Chinese ones lie higher.
_USUAL = {"zh": (0.91, 0.86, 0.84, 0.83), "en": (0.86, 0.79, 0.77, 0.75)}


def _cosines(statements: Sequence[str]) -> tuple[float, ...]:
    language = "zh" if re.search("[\u4e00-\u9fff]", statements[0]) else "en"
    return _USUAL[language][: len(statements)]


def _single(question: str, *statements: str) -> tuple[float, ...]:
    return judge_single(question, statements, _cosines(statements))


@pytest.mark.parametrize(
    ("question", "statements"),
    [
        (
            "理发店周日几点开门？",
            ("理发店周日上午十点才营业。", "理发店周一休息。", "花店早上八点开门。"),
        ),
        (
            "赵叔叔在哪里工作？",
            ("赵叔叔是铁路局的职员，在南站上班。", "赵叔叔会拉二胡。", "钱阿姨在邮局工作。"),
        ),
        (
            "Who repaired the boiler?",
            (
                "The boiler was fixed by Mr Danvers.",
                "The boiler is old.",
                "Ms Ito fixed the fence.",
            ),
        ),
        (
            "Where does Uncle Zhao work?",
            ("Uncle Zhao has a job at the railway office.", "Uncle Zhao plays the fiddle."),
        ),
    ],
)
def test_other_words_that_answer_pass(question: str, statements: tuple[str, ...]) -> None:
    """A statement answers in other words than the question's, in both languages."""
    found = _single(question, *statements)
    assert found[0] >= thresholds().single
    assert max(found[1:]) < thresholds().single


@pytest.mark.parametrize(
    ("question", "statements"),
    [
        ("理发一次多少钱？", ("理发店周日上午十点才营业。", "洗一次车二十块。")),
        ("赵叔叔有几个孩子？", ("赵叔叔会拉二胡。", "钱阿姨有两个孩子。")),
        (
            "How much does a haircut cost?",
            ("The barber opens at ten.", "A car wash costs 12 pounds."),
        ),
        (
            "How old is our cat?",
            ("Our cat is called Mimi.", "The dog next door is three years old."),
        ),
    ],
)
def test_near_the_topic_is_no_answer(question: str, statements: tuple[str, ...]) -> None:
    """The same thing with another fact, or the fact of another thing, answers nothing."""
    assert best_verdict(question, statements, _cosines(statements)) == ()


@pytest.mark.parametrize(
    ("question", "echo"),
    [
        ("这座塔有多高？", "很多游客都问这座塔有多高。"),
        ("How tall is the tower?", "Visitors often ask how tall the tower is."),
        ("Who built the tower?", "Nobody knows who built the tower."),
    ],
)
def test_an_echo_of_the_question_answers_nothing(question: str, echo: str) -> None:
    """A statement that only tells that somebody asks has probability 0, however near it is."""
    assert judge_single(question, [echo], [0.99]) == (0.0,)


def test_a_denied_value_is_no_value() -> None:
    """What a clause denies is no answer; another clause of the same statement may hold one."""
    denied, said = "The drill is not on Monday.", "The drill is on Friday, not on Monday."
    only, both = (_single("On which day is the drill?", text)[0] for text in (denied, said))
    assert only < thresholds().single <= both


def test_another_thing_of_the_same_relation_counts_less() -> None:
    """For the maths club the chess club's day is worth less than the maths club's own."""
    question = "When does the maths club meet?"
    own = judge_single(question, ["The maths club meets on Friday."], [0.88])
    other = judge_single(question, ["The chess club meets on Friday."], [0.88])
    assert own[0] >= thresholds().single
    assert other[0] < own[0] / 2


def test_a_bare_sum_answers_no_question_in_words() -> None:
    """`11+6=17` holds a number and still answers no question that is not a sum."""
    assert _single("How many cups are on the shelf?", "11+6=17") == (0.0,)
    assert _single("架子上有几个杯子？", "11 + 6 = 17。") == (0.0,)


@pytest.mark.parametrize("question", ["What is 30 + 12?", "20 + 15 等于多少？", "1 + 1 + 1 = ?"])
def test_a_sum_is_left_to_calculation(question: str) -> None:
    """A question that is a sum gets 0 everywhere: the equation rewriter answers it."""
    assert _single(question, "There are 42 chairs.", "30 + 12 = 42") == (0.0, 0.0)


def test_an_empty_list_has_no_verdict() -> None:
    """Nothing retrieved: no probability, no verdict, no error."""
    assert judge_single("Who?", [], []) == ()
    assert best_verdict("Who?", [], []) == ()


def test_one_similarity_per_statement_is_asked_for() -> None:
    """Lists of different length are an error, not a silent cut."""
    with pytest.raises(ValueError, match="2 statements and 1 similarities"):
        judge_single("Who?", ["a", "b"], [0.5])


def test_a_long_statement_costs_no_more_than_its_beginning() -> None:
    """Only the first 600 characters are read; the answer there is still found, and fast."""
    long = "The tower is forty-five metres tall. " + "It stands by the river. " * 4000
    start = time.perf_counter()
    found = judge_single("How tall is the tower?", [long], [0.88])
    assert time.perf_counter() - start < 1
    assert found[0] >= thresholds().single


def test_the_same_input_gives_the_same_verdict() -> None:
    """The judge is deterministic to the last bit."""
    rows = {_single("水有多深？", "湖水深三米。", "湖边有树。") for _ in range(3)}
    assert len(rows) == 1


def test_who_says_the_same_is_no_rival() -> None:
    """A second statement with the same answer does not take the first one below the threshold."""
    found = judge_single(
        "How tall is the tower?",
        ["The tower is forty-five metres tall.", "Forty-five metres is the height of the tower."],
        [0.88, 0.879],
    )
    assert found[0] >= thresholds().single


def test_the_weights_are_read_once_and_not_at_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """weights.json is opened at the first verdict, then never again."""
    reads: list[int] = []
    model.weights.cache_clear()
    real = model.weights_from

    def counted(raw: Mapping[str, Any]) -> model.Weights:
        reads.append(1)
        return real(raw)

    monkeypatch.setattr(model, "weights_from", counted)
    for _ in range(3):
        _single("How tall is it?", "It is nine metres tall.")
    assert reads == [1]
    model.weights.cache_clear()


def test_weights_of_another_version_are_refused() -> None:
    """Weights for features that are not this version's are an error that says what to do."""
    raw = {"usual": {}, "single": {"bias": 0.0, "weights": {"old": 1.0}}, "pair": {}}
    with pytest.raises(ValueError, match="run haozhi.judge.fit again"):
        model.weights_from(raw)
