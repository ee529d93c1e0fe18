"""Right and wrong answers, intervals and the figures that are published."""

import pytest

from haozhi.evaluation.devset import Item, Kind
from haozhi.evaluation.metrics import Result, is_correct, summarise, wilson
from haozhi.language import Language


def item(
    *accept: str, reject: tuple[str, ...] = (), kind: Kind = "single", language: Language = "en"
) -> Item:
    """An item of the kind with what it accepts and rejects."""
    needed = {"single": ("A",), "pair": ("A", "B"), "sum": ("A", "B"), "unanswerable": ()}[kind]
    return Item("i", language, "?", "c", kind, accept, reject, needed, False)


@pytest.mark.parametrize(
    ("accept", "text"),
    [
        ("Poland", "Marie Curie was born in POLAND."),
        ("1897", "１８９７年。"),
        ("3月14", "3 月 14 日"),
        ("post office", "Outside the post\n office"),
        ("团子", "猫叫团子 [2]。"),
        ("eight minutes", "It takes about eight minutes."),
        ("3.5", "一把3.5元"),
        ("Fleming", "卫生学家Fleming发现了它"),
        ("10", "3+3=6，所以是10，谢谢。"),
    ],
)
def test_an_accepted_string_counts_however_it_is_set(accept: str, text: str) -> None:
    """Width, case, spaces, markers and the words around do not matter."""
    assert is_correct(item(accept), text)


@pytest.mark.parametrize(
    ("accept", "text"),
    [
        ("6", "16"),
        ("6", "6.5"),
        ("6", "1.6"),
        ("1", "1,000 people"),
        ("10", "at 10:30"),
        ("3", "Poland [3]"),
        ("3", "波兰【3】"),
        ("三", "十三个"),
        ("十", "十二个"),
        ("red", "Fred has hundreds"),
        ("Poland", ""),
    ],
)
def test_a_part_of_another_word_or_number_does_not_count(accept: str, text: str) -> None:
    """Numbers and Latin words match whole, and a citation marker is no answer."""
    assert not is_correct(item(accept), text)


def test_one_accepted_variant_is_enough() -> None:
    """Any of the accepted strings will do."""
    assert is_correct(item("46", "forty-six"), "Forty-six people")


def test_a_rejected_string_makes_an_answer_wrong() -> None:
    """An answer that also names the wrong thing is wrong, wherever it stands."""
    assert not is_correct(item("Leeds", reject=("York",)), "In Leeds or in York")
    assert is_correct(item("Leeds", reject=("York",)), "In Leeds, says a Yorkshireman")


def test_a_sum_is_judged_by_the_number_it_ends_with() -> None:
    """The results of its steps are no answer to a sum."""
    six = item("6", "six", "六", kind="sum")
    assert is_correct(six, "2 + 3 = 5, and 5 + 1 = 6. The answer is 6.")
    assert is_correct(six, "2 + 3 = 5，5 + 1 = 6，所以是六。[1][2]")
    assert not is_correct(six, "6 + 1 = 7. The answer is 7.")


def test_nothing_is_correct_for_an_unanswerable_question() -> None:
    """Only a refusal is right where the corpus is silent."""
    silent = item(kind="unanswerable", reject=("1934",))
    assert not is_correct(silent, "I do not know.")
    assert Result(silent, refused=True, text="", fee_micro=0).right
    assert not Result(silent, refused=False, text="Perhaps.", fee_micro=10).right


def test_wilson_agrees_with_published_values() -> None:
    """81 of 263 is the worked example of Newcombe (1998): .2553 to .3662."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 20)[0] == 0.0
    assert wilson(20, 20)[1] == 1.0


@pytest.mark.parametrize(("k", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_wilson_refuses_what_is_no_count(k: int, n: int) -> None:
    """More hits than tries, or fewer than none, is a mistake of the caller."""
    with pytest.raises(ValueError, match="no count"):
        wilson(k, n)


def test_a_summary_counts_each_language_apart() -> None:
    """A false refusal costs accuracy and no fee; fees of wrong answers are summed by language."""
    leeds, silent = item("Leeds"), item(kind="unanswerable")
    sum_zh = item("6", kind="sum", language="zh")
    figures = summarise(
        [
            Result(leeds, refused=False, text="Leeds", fee_micro=100),
            Result(leeds, refused=False, text="York", fee_micro=100),
            Result(leeds, refused=True, text="", fee_micro=0),
            Result(silent, refused=True, text="", fee_micro=0),
            Result(silent, refused=False, text="Leeds", fee_micro=70),
            Result(sum_zh, refused=False, text="6", fee_micro=100),
        ]
    )
    english, chinese = figures["en"], figures["zh"]
    assert (english["accuracy"]["k"], english["accuracy"]["n"]) == (1, 3)
    assert english["refusals"]["rate"] == 0.5
    assert english["false_refusals"]["rate"] == pytest.approx(1 / 3)
    assert (english["fee_micro"], english["wrong_fee_micro"]) == (270, 170)
    assert english["by_kind"]["unanswerable"]["k"] == 1
    assert chinese["accuracy"]["rate"] == 1.0
    assert chinese["refusals"] == {"k": 0, "n": 0, "rate": None, "low": 0.0, "high": 1.0}
    assert set(chinese["by_kind"]) == {"sum"}
    assert summarise([]) == {}
