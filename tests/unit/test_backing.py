"""What backs a segment: stammering and asides earn nothing, a chain's middle does not answer."""

import pytest

from haozhi.answering.backing import back
from haozhi.answering.holding import adds, holds, says
from haozhi.attribution.support import SupportStatement

A, B = SupportStatement(1, "1 + 1 = 2"), SupportStatement(2, "2 + 1 = 3")
TOLD = SupportStatement(3, "小组讨论后写下 2 + 1 = 3。")
SUM = "1 + 1 + 1 = ?"


def _sets(
    question: str, segments: list[str], statements: list[SupportStatement]
) -> list[list[tuple[int, ...]]]:
    found = back(question, segments, statements, [0.9] * len(statements))
    return [[each.statement_ids for each in support.sets] for support in found]


def test_each_step_rests_on_its_statement_and_the_result_on_both() -> None:
    """A worked sum pays whoever said each step."""
    steps = ["1 + 1 = 2,", "and 2 + 1 = 3.", "So the answer is 3."]
    assert _sets(SUM, steps, [A, B]) == [[(1,)], [(2,)], [(1, 2)]]


def test_a_repeated_step_earns_once() -> None:
    """A stammering model does not pay its source twice."""
    steps = ["1 + 1 = 2，", "1 + 1 = 2。", "答案是2。"]
    assert _sets(SUM, steps, [A, B]) == [[(1,)], [], []]


@pytest.mark.parametrize(
    "aside", ["so B is a thief.", "because Berlin is in France.", "二胡是乐器。"]
)
def test_an_aside_beside_a_sum_is_not_backed(aside: str) -> None:
    """What a segment says beside its sum must stand in the statements too."""
    assert _sets(SUM, [f"1 + 1 = 2, {aside}"], [A, B]) == [[]]


def test_words_of_the_statement_are_no_aside() -> None:
    """A quoted sentence around an equation is backed by the statement that it quotes."""
    steps = ["1 + 1 = 2，", "小组讨论后写下 2 + 1 = 3。", "所以答案是3。"]
    assert _sets(SUM, steps, [A, TOLD]) == [[(1,)], [(3,)], [(1, 3)]]


@pytest.mark.parametrize(
    ("question", "said", "about", "says"),
    [
        ("When was Lu Xun born?", "He was born in 1881.", "Lu Xun", "1881."),
        ("鲁迅哪一年出生？", "他出生于1881年。", "鲁迅", "1881年。"),
    ],
)
def test_a_pronoun_is_read_as_what_its_setting_says(
    question: str, said: str, about: str, says: str
) -> None:
    """`He was born in 1881.` under the title `Lu Xun` answers when Lu Xun was born, no other."""
    alone, told = SupportStatement(1, said), SupportStatement(1, said, about)
    other = SupportStatement(2, "The tea is green." if said.isascii() else "茶是绿的。")
    assert _sets(question, [says], [told, other]) == [[(1,)]]
    assert _sets(question, [said], [told, other]) == [[(1,)]]
    assert _sets(question, [says], [alone, other]) == [[]]


def test_what_only_the_setting_says_backs_nothing() -> None:
    """Whoever wrote the title earns by statements of their own."""
    moved = SupportStatement(1, "She moved there in 1891.", "Marie Curie. Life in Paris")
    assert _sets("Where did Marie Curie move in 1891?", ["Paris."], [moved]) == [[]]
    moved = SupportStatement(1, "她1891年搬到那里。", "居里夫人. 巴黎的生活")
    assert _sets("居里夫人1891年搬到哪里？", ["巴黎。"], [moved]) == [[]]


def test_verdicts_that_were_kept_are_not_found_again() -> None:
    """A title that changed later changes no share of an answer that was given before."""
    said = SupportStatement(1, "He was born in 1881.")
    found = back("When was Lu Xun born?", ["1881."], [said], [0.9], judged=[(1,)])
    assert [each.statement_ids for each in found[0].sets] == [(1,)]


def test_the_middle_of_a_chain_does_not_answer() -> None:
    """Where two statements answer together, only what the last one brings answers."""
    chain = [
        SupportStatement(1, "The vet who looks after our animals is Dr Amsel."),
        SupportStatement(2, "Dr Amsel lives in Millbrook."),
    ]
    similarities = [0.83, 0.80]
    for said, backed in (("Millbrook", True), ("Dr Amsel", False)):
        (support,) = back("Where does our vet live?", [said], chain, similarities)
        assert bool(support.sets) == backed, said


def test_holding_needs_whole_words_and_something_new() -> None:
    """Words match whole, Han runs unbroken, and an echo of the question holds nothing."""
    statement = "The maths club meets on Wednesday after lunch."
    question = "When does the maths club meet?"
    assert holds(statement, "On Wednesday after lunch.", question)
    assert not holds(statement, "On Wed", question)
    assert not holds(statement, "The maths club", question)
    assert holds("楼下的超市晚上十点关门。", "晚上十点", "楼下超市几点关门？")
    assert not holds("楼下的超市晚上十点关门。", "早上十点", "楼下超市几点关门？")


def test_saying_ignores_case_and_outer_marks_only() -> None:
    """A quotation is the statement but for its frame."""
    assert says("Our dog is called Biscuit.", "our dog is called biscuit")
    assert not says("Our dog is called Biscuit.", "Our dog is called Biscuits")
    assert not adds("So the answer is three. 所以答案是三。", "1 + 1 + 1 = ?")
