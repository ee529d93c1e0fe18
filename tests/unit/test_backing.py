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


def test_a_chain_of_three_backs_though_the_judge_sees_two() -> None:
    """A complete way from the question to the answer pays all three, and none of a broken one."""
    chain = [
        SupportStatement(1, "Oskar Lind's dog is called Momo."),
        SupportStatement(2, "Momo's brother is called Kasper."),
        SupportStatement(3, "Kasper was born in 1837."),
    ]
    question = "In which year was the brother of the dog of Oskar Lind born?"
    assert _sets(question, ["1837"], chain) == [[(1, 2, 3)]]
    assert _sets(question, ["1837"], chain[:2]) == [[]]


def test_words_need_half_a_judge() -> None:
    """What the judge half takes for an answer backs where words hold all of it, else nothing."""
    statements = [
        SupportStatement(1, "中国的首都是北京。"),
        SupportStatement(2, "太阳从东方升起。"),
    ]
    (support,) = back("中国的首都是哪里？", ["北京"], statements, [0.93, 0.82])
    assert [(s.statement_ids, s.method) for s in support.sets] == [((1,), "terms")]
    (other,) = back("中国的首都是哪里？", ["东方"], statements, [0.93, 0.82])
    assert other.sets == ()


def test_two_proofs_of_one_thing_both_back() -> None:
    """A statement in the question's words and one in others stand side by side."""
    statements = [
        SupportStatement(1, "Henry Marsh lives in Beltamo."),
        SupportStatement(2, "The home of Henry Marsh is in Beltamo."),
    ]
    found = _sets("Where does Henry Marsh live?", ["Beltamo"], statements)
    assert found == [[(1,), (2,)]]


def test_nobody_is_on_both_sides() -> None:
    """A statement that denies a segment does not back it too."""
    statements = [SupportStatement(1, "Vera Lunt was born in 1990 and died in 2001.")]
    (support,) = back("When did Vera Lunt die?", ["1990"], statements, [0.9])
    assert (support.sets, support.contradicts) == ((), (1,))


@pytest.mark.parametrize(
    ("question", "segment", "says", "other", "denies"),
    [
        (
            "澜珩原的集市在星期几开？",
            "星期六",
            "澜珩原的集市在星期六开。",
            "澜珩原的集市不在星期六开。",
            True,
        ),
        (
            "澜珩原的集市在星期几开？",
            "星期六",
            "澜珩原的集市在星期六开。",
            "珩瑶溪的集市不在星期六开。",
            False,
        ),
        ("霁澜川有多少人口？", "5151", "霁澜川有5151口人。", "霁澜川有6496口人。", True),
        ("霁澜川有多少人口？", "5151", "霁澜川有5151口人。", "榆绮台有6496口人。", False),
        (
            "Who founded Dalka?",
            "Vera Lunt",
            "Vera Lunt founded Dalka in 1990.",
            "Vera Lunt founded Dalka in 1991.",
            False,
        ),
        (
            "Who founded Dalka?",
            "Vera Lunt",
            "Vera Lunt founded Dalka.",
            "Vera Lunt did not found Dalka.",
            True,
        ),
        (
            "Where does Ida live?",
            "Kent",
            "Ida lives in Kent.",
            "Ida lives in Kent, not in Bath.",
            False,
        ),
    ],
)
def test_what_opposes_a_source_denies_the_segment(
    question: str, segment: str, says: str, other: str, denies: bool
) -> None:
    """The source's own words with a not, or with another number that the segment has."""
    statements = [SupportStatement(1, says), SupportStatement(2, other)]
    (support,) = back(question, [segment], statements, [0.93, 0.9])
    assert [s.statement_ids for s in support.sets][:1] == [(1,)]
    assert support.contradicts == (2,) * denies
