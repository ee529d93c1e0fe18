"""What kind of question it is: a sum, a fact, or who a claim comes from."""

import pytest

from haozhi.language import detect
from haozhi.questions import claim_question, kind_of, provenance_of
from haozhi.sums import Equation, asked_sum, equations_in

ONE, PLUS = "1", "+"
THREE_ONES = (ONE, PLUS, ONE, PLUS, ONE)
CLAIM = "1 + 1 + 1 = 3"


@pytest.mark.parametrize(
    "question",
    ["1 + 1 + 1 = ?", "1+1+1 等于几？", "What is 1 + 1 + 1?", "１＋１＋１＝？", "1加1加1等于几？",
     "请问 1+1+1 是多少？", "What does one plus one plus one equal?", "一加一加一等于几"],
)  # fmt: skip
def test_a_bare_sum_is_one_question_in_every_wording(question: str) -> None:
    """A question for the value of an expression is a sum, whatever words stand around it."""
    assert kind_of(question) == "sum"
    assert asked_sum(question) == THREE_ONES


@pytest.mark.parametrize(
    "question",
    ["Tom has 1 + 1 apples. How many?", "Is 1 + 1 = 3?", "When was 1999-2001?", "蜘蛛有几条腿？"],
)
def test_a_sum_with_a_story_is_a_question_of_fact(question: str) -> None:
    """More than the value of an expression is asked for: the question is one of fact."""
    assert kind_of(question) == "fact"


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("A says that 1 + 1 is 2.", ["1 + 1 = 2"]),
        ("1 + 1 = 2, and 2 + 1 = 3. The answer is 3.", ["1 + 1 = 2", "2 + 1 = 3"]),
        ("一加一等于二", ["1 + 1 = 2"]),
        ("- 1 + 1 = 2", ["1 + 1 = 2"]),
        ("-1 + 1 = 0", ["-1 + 1 = 0"]),
        ("1,000 + 1 = 1,001", ["1000 + 1 = 1001"]),
        ("1 + 1 = 1 + 1 = 2", ["1 + 1 = 1 + 1", "1 + 1 = 2"]),
        ("(1 + 1) + 1 + 1 = 4", []),
        ("x + 1 + 1 = 3", []),
        ("1 + 1 + 1 = ?", []),
        ("Chapter 2 is 3 pages long.", []),
    ],
)
def test_equations_are_read_only_where_they_stand_whole(text: str, sides: list[str]) -> None:
    """Words and widths do not matter; part of a longer or bracketed sum is no equation."""
    assert [f"{' '.join(e.left)} = {' '.join(e.right)}" for e in equations_in(text)] == sides


def test_a_denied_equation_is_marked() -> None:
    """`1 + 1 ≠ 3` and 不等于 do not state that 1 + 1 = 3."""
    denied = (Equation((ONE, PLUS, ONE), ("3",), denied=True),)
    assert equations_in("1 + 1 ≠ 3") == equations_in("1 + 1 不等于 3") == denied


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        (f"是谁说 {CLAIM}？", "said"),
        (f"{CLAIM} 是谁说的？", "said"),
        (f"是谁最先提出 {CLAIM}？", "first"),
        (f"{CLAIM} 是谁最先提出的？", "first"),
        (f"{CLAIM} 这个想法从哪里来？", "source"),
        (f"这个想法从哪里来：{CLAIM}？", "source"),
        (f"是谁教会你 {CLAIM} 的？", "taught"),
        (f"{CLAIM} 应归功于谁？", "credit"),
        (f"Who said {CLAIM}?", "said"),
        (f"Who first proposed that {CLAIM}?", "first"),
        (f"Where does the idea that {CLAIM} come from?", "source"),
        (f"Where does the idea come from that {CLAIM}?", "source"),
        (f"Who taught you {CLAIM}?", "taught"),
        (f"Who deserves the credit for {CLAIM}?", "credit"),
    ],
)
def test_the_ten_ways_to_ask_for_a_source_are_recognised(question: str, relation: str) -> None:
    """Each phrasing, claim first or last, gives the bare claim, the relation and the language."""
    found = provenance_of(question)
    assert found is not None
    assert (found.claim, found.relation) == (CLAIM, relation)
    assert found.language == ("en" if question.isascii() else "zh")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("谁说“地球是圆的”？", "地球是圆的"),
        ("是谁说地球是圆的？", "地球是圆的"),
        ("“天道酬勤”是谁说的？", "天道酬勤"),
        ('Who said "Warsaw is the capital of Poland"?', "Warsaw is the capital of Poland"),
        ("Who said: Warsaw is the capital of Poland?", "Warsaw is the capital of Poland"),
    ],
)
def test_a_claim_is_quoted_or_a_sentence(question: str, claim: str) -> None:
    """Quoted text and sentences with a linking word are claims; the quotes are no part of them."""
    found = provenance_of(question)
    assert found is not None
    assert found.claim == claim


@pytest.mark.parametrize(
    "question",
    ["谁是第一个登上月球的人？", "谁最先提出相对论？", "谁教会你骑车？", "这句话是谁说的？",
     "这些咖啡豆从哪里来？", "谁写了《红楼梦》？", "Who taught Mary piano?", "Who said it?",
     "Who said goodbye at the station?", "Who first proposed the theory of relativity?",
     "Where does the Nile come from?", "Where does the idea of gravity come from?",
     "Who told you the secret?", "Who deserves the credit for the discovery of radium?"],
)  # fmt: skip
def test_ordinary_questions_are_not_about_provenance(question: str) -> None:
    """A phrase or a thing is no claim, so who said, taught or found it is a question of fact."""
    assert provenance_of(question) is None


def test_a_claimed_sum_has_its_own_question() -> None:
    """`X = Y` answers `X = ?`; other claims have no question of their own."""
    assert claim_question(CLAIM) == "1 + 1 + 1 = ?"
    assert claim_question("１+１=２") == "1+1 = ?"
    assert claim_question("Warsaw is the capital of Poland") is None


def test_language_follows_the_script() -> None:
    """Chinese where Han characters prevail; a text without letters has no language."""
    assert detect("我的猫叫什么？") == "zh"
    assert detect("What is my cat called?") == "en"
    assert detect("1 + 1 + 1 = ?") is None
