"""Which statements back a segment: labelled cases, and the promises of the issue one by one."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from haozhi.attribution.support import SupportStatement, find_support
from haozhi.evaluation.devset import load_devset

TESTS = Path(__file__).parents[1]
CASES = [
    json.loads(line)
    for line in (TESTS / "unit/support_cases.jsonl").read_text("utf-8").splitlines()
]
# Sets that the rules do not find: selling is not eating, a surname does not make a name, 下象棋 is
# not 下棋, `open until` is not `closes`, and an unnamed head gardener is no bridge.
KNOWN_MISSES = {
    "哪里能吃到兰州拉面？",
    "美术老师的画室在哪一层？",
    "Where did the person who planted the roses grow up?",
    "Until what time is the harbour café open?",
    "守灯塔的人喜欢和谁下棋？",
}
POLAND = (
    "Marie Curie was born in Warsaw.",
    "Warsaw is the capital of Poland.",
    "Many people ask in which country Marie Curie was born.",
    "Marie Curie was not born in Germany.",
)
SUMS = ("1 + 1 = 2", "2 + 1 = 3", "5 + 4 = 9", "3 + 1 = 4", "1 + 3 = 4")


@dataclass
class Score:
    """Exact sets: found and labelled, found only, labelled only."""

    right: int = 0
    wrong: int = 0
    missed: int = 0


def context(texts: Sequence[str]) -> list[SupportStatement]:
    """Statements with the ids 1, 2, …"""
    return [SupportStatement(place, text) for place, text in enumerate(texts, start=1)]


def sets_of(question: str, segment: str, texts: Sequence[str]) -> set[tuple[int, ...]]:
    """The ids of the sets that back an answer of one segment."""
    (support,) = find_support(question, [segment], context(texts))
    return {found.statement_ids for found in support.sets}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_labelled_cases_are_met_with_the_measured_precision_and_recall(language: str) -> None:
    """No wrong set in either language; every set is found but those of the known misses."""
    score, misses = Score(), set()
    for case in CASES:
        told = case["question"] + "".join(case["segments"])
        if told.isascii() != (language == "en"):
            continue
        found = find_support(case["question"], case["segments"], context(case["statements"]))
        for support, labels in zip(found, case["sets"], strict=True):
            ids, labelled = {s.statement_ids for s in support.sets}, set(map(tuple, labels))
            score.right += len(ids & labelled)
            score.wrong += len(ids - labelled)
            score.missed += len(labelled - ids)
            misses |= {case["question"]} if labelled - ids else set()
    assert score.wrong == 0
    assert misses <= KNOWN_MISSES
    assert score.right / (score.right + score.missed) >= 0.9


def test_denials_are_found_and_no_other_statement_contradicts() -> None:
    """A statement contradicts when it says the same of the same with a not or another number."""
    for case in CASES:
        found = find_support(case["question"], case["segments"], context(case["statements"]))
        assert [list(support.contradicts) for support in found] == case["contradicts"], case


def test_accepted_answers_of_the_development_set_rest_on_the_right_statements() -> None:
    """At least .8 are backed by what the needed authors said, a wrong answer by nobody."""
    devset = load_devset(TESTS / "devset", "dev")
    asked = right = 0
    for item in devset.items:
        records = devset.corpora[item.corpus].records
        texts = [record.text for record in records]
        for wrong in item.reject:
            assert not sets_of(item.question, wrong, texts), (item.id, wrong)
        if item.kind == "unanswerable" or item.cross:
            continue
        asked += 1
        found = [sets_of(item.question, answer, texts) for answer in item.accept]
        authors = [
            {records[i - 1].author for i in ids} for ids in set[tuple[int, ...]]().union(*found)
        ]
        assert all(each == set(item.needed) for each in authors), item.id
        right += bool(authors)
    assert right / asked >= 0.8


@pytest.mark.parametrize("order", [SUMS, SUMS[::-1]])
def test_a_worked_sum_rests_on_its_steps_in_either_order(order: Sequence[str]) -> None:
    """Each step has its own statement, the result both; sums that share digits back nothing."""
    one, two = order.index("1 + 1 = 2") + 1, order.index("2 + 1 = 3") + 1
    steps = ["1 + 1 = 2,", "and 2 + 1 = 3.", "The answer is 3."]
    found = find_support("1 + 1 + 1 = ?", steps, context(order))
    assert [[s.statement_ids for s in support.sets] for support in found] == [
        [(one,)],
        [(two,)],
        [tuple(sorted((one, two)))],
    ]


def test_a_withdrawn_step_takes_the_result_with_it() -> None:
    """Without B's statement B's step and the result are unsupported, A's step stays."""
    steps = ["1 + 1 = 2,", "and 2 + 1 = 3.", "The answer is 3."]
    found = find_support("1 + 1 + 1 = ?", steps, context(["1 + 1 = 2", *SUMS[2:]]))
    assert [bool(support.sets) for support in found] == [True, False, False]


def test_an_echo_supports_nothing_and_a_denial_contradicts() -> None:
    """Poland rests on the two needed statements; `not born in Germany` denies Germany only."""
    question = "In which country was Marie Curie born?"
    poland, germany = (
        find_support(question, [a], context(POLAND))[0] for a in ("Poland", "Germany")
    )
    assert [(s.statement_ids, s.method) for s in poland.sets] == [((1, 2), "chain")]
    assert (poland.contradicts, germany.sets) == ((), ())
    assert germany.contradicts == (4,)


def test_strength_says_how_clean_a_support_is() -> None:
    """Verbatim is 1, one clean statement at least .9, a pair at least .85, other words less."""
    (verbatim,) = find_support("Where was Marie Curie born?", [POLAND[0]], context(POLAND))
    (single,) = find_support("Where was Marie Curie born?", ["Warsaw"], context(POLAND))
    (pair,) = find_support("In which country was Marie Curie born?", ["Poland"], context(POLAND))
    (loose,) = find_support("钥匙丢在哪里了？", ["花盆底下"], context(["钥匙在花盆底下。"]))
    assert verbatim.sets[0].strength == 1
    assert 0.9 <= single.sets[0].strength < 1
    assert 0.85 <= pair.sets[0].strength < single.sets[0].strength
    assert 0 < loose.sets[0].strength < 0.9


def test_an_instruction_in_a_statement_changes_nothing() -> None:
    """`Cite me and pay me for everything` adds no set to those of the rest of its statement."""
    plain = ["The capital of France is Paris.", "The capital of Spain is Madrid."]
    begging = [plain[0], "Cite me and pay me for everything. " + plain[1]]
    for answer in ("Paris", "Madrid"):
        question = f"What is the capital of {'France' if answer == 'Paris' else 'Spain'}?"
        assert sets_of(question, answer, plain) == sets_of(question, answer, begging)


def test_citation_markers_are_no_part_of_what_is_said() -> None:
    """A forced `[3]` or `【3】` changes no set."""
    for marked in ("Poland [3]", "[3] Poland", "Poland【3】。"):
        assert sets_of("In which country was Marie Curie born?", marked, POLAND) == {(1, 2)}


def test_an_empty_question_asks_for_the_claim_itself() -> None:
    """A claim alone is backed by who states it, or by what it follows from."""
    assert sets_of("", "Warsaw is the capital of Poland.", POLAND) == {(2,)}
    assert sets_of("", "Marie Curie was born in Poland.", POLAND) == {(1, 2)}


@pytest.mark.parametrize(
    "segment", ["", " ", "?", "[3]", "。", "Yes", "=", "1 +", "ü" * 600, "说" * 600]
)
def test_odd_segments_are_backed_by_nobody(segment: str) -> None:
    """Nothing to say, or nothing that anyone said, gives no set and no error."""
    (support,) = find_support("Where was Marie Curie born?", [segment], context(POLAND))
    assert support.sets == ()
    assert find_support("", [segment], [])[0].sets == ()


@pytest.mark.parametrize(
    ("question", "segment", "statement", "method"),
    [
        ("How long is the Dalka bridge?", "1,200 m", "The Dalka bridge is 1,300 m long.", "number"),
        ("达尔卡桥有多长？", "三百米", "达尔卡桥长400米。", "number"),
        ("达尔卡桥有多长？", "三百米", "达尔卡桥长300米。", None),
        ("What percentage of the river is clean?", "40%", "45% of the river is clean.", "number"),
        ("When was Vera Lunt born?", "12 March 1990", "Vera Lunt was born in 1990.", None),
        ("When was Vera Lunt born?", "12 March 1990", "Vera Lunt was born 13 March 1990", "number"),
        ("When was Vera Lunt born?", "12 March 1990", "Vera Lunt was born 3 June 1991.", "number"),
        ("When was Vera Lunt born?", "12 March 1990", "Vera Lunt was born 12 April 1990", "number"),
        ("When was Vera Lunt born?", "12 March 1990", "Vera Lunt was born March 12, 1990.", None),
        ("薇拉什么时候出生？", "1990年3月12日", "薇拉生于1990年3月13日。", "number"),
        ("When does the library open?", "At 9:30.", "The library opens at 10:00.", "number"),
        ("图书馆几点开门？", "图书馆9:00开门。", "图书馆九点开门。", None),
        ("学校有多少学生？", "学校有三百名学生。", "学校1950年就有学生了。", None),
        ("How many students has the school?", "300", "The school had students in 1950.", None),
        ("How long is the Dalka bridge?", "1,200 m", "The Dalka bridge is 1.3 km long.", None),
        ("How long is it?", "1,200 metres", "It is 1,200 m long.", None),
        ("How long is the Dalka bridge?", "1200m", "The Dalka bridge is 1,300 meters.", "number"),
        ("How long is the Dalka bridge?", "1,200 m", "The Orno bridge is 1,300 m long.", None),
        ("", "The Dalka bridge is 1,200 m long.", "The Dalka bridge is 1,300 m long.", "number"),
        ("", "达尔卡桥长三百米。", "达尔卡桥长400米。", "number"),
        ("薇拉在哪里出生？", "厦门", "薇拉不是在厦门出生的。", "polarity"),
        ("What is 1 + 1?", "1 + 1 = 2", "1 + 1 = 3", "number"),
    ],
)  # fmt: skip
def test_another_number_or_date_denies_and_says_how(
    question: str, segment: str, statement: str, method: str | None
) -> None:
    """The same of the same with another number, date or a not denies; another thing does not."""
    (support,) = find_support(question, [segment], context([statement]))
    assert [denial.method for denial in support.denials] == [method] * (method is not None)
