"""What the judge says about two statements that answer together."""

import pytest

from haozhi.judge import best_verdict, judge_pairs, thresholds


@pytest.mark.parametrize(
    ("question", "statements", "cosines"),
    [
        (
            "李明的导师是哪个学校毕业的？",
            (
                "李明的导师是方教授。",
                "方教授毕业于北河大学。",
                "李明住在西区。",
                "秦教授毕业于南湖大学。",
            ),
            (0.91, 0.86, 0.85, 0.85),
        ),
        (
            "居里夫人出生在哪个国家？",
            (
                "居里夫人出生在华沙。",
                "华沙是波兰的首都。",
                "居里夫人不是在德国出生的。",
                "奥斯陆在挪威。",
            ),
            (0.93, 0.84, 0.92, 0.84),
        ),
        (
            "In which country was Marie Curie born?",
            (
                "Marie Curie was born in Warsaw.",
                "Warsaw is the capital of Poland.",
                "Oslo is in Norway.",
            ),
            (0.88, 0.77, 0.76),
        ),
        (
            "Which floor does Nadia work on?",
            ("Nadia is in the billing team.", "The billing team is on the third floor."),
            (0.84, 0.83),
        ),
    ],
)
def test_two_statements_that_share_a_term_answer(
    question: str, statements: tuple[str, ...], cosines: tuple[float, ...]
) -> None:
    """From the question's entity over a term that it does not name to what is asked for."""
    first, second, probability = judge_pairs(question, statements, cosines)[0]
    assert (first, second) == (0, 1)
    assert probability >= thresholds().pair
    assert best_verdict(question, statements, cosines) == (0, 1)


def test_no_shared_term_no_pair() -> None:
    """Two statements about different things are never a pair."""
    assert (
        judge_pairs("Where does Nadia live?", ["Nadia sings.", "Oslo is in Norway."], [0.8] * 2)
        == ()
    )


def test_an_echo_or_a_denial_is_no_link() -> None:
    """Neither half of a pair may be an echo of the question or a denial."""
    question = "In which country was Marie Curie born?"
    echo = "Many people ask whether Marie Curie was born in Warsaw."
    denial = "Marie Curie was not born in Warsaw."
    statements = [echo, denial, "Warsaw is the capital of Poland."]
    assert judge_pairs(question, statements, [0.9, 0.88, 0.77]) == ()


def test_at_most_five_pairs_best_first() -> None:
    """Many candidates: five are told, from the likeliest on, ties by place."""
    statements = ["Nadia knows Mr Quill."] + [f"Mr Quill lives in House{n}." for n in range(7)]
    found = judge_pairs("Where does the friend of Nadia live?", statements, [0.8] * 8)
    assert len(found) == 5
    assert [p for *_, p in found] == sorted((p for *_, p in found), reverse=True)


def test_nothing_retrieved_no_pair() -> None:
    """Empty and single lists have no pairs."""
    assert judge_pairs("谁？", [], []) == ()
    assert judge_pairs("谁？", ["是他。"], [0.8]) == ()
