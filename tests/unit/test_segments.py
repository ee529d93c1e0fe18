"""An answer's segments: sentences, and the steps of a worked sum."""

import pytest

from haozhi.attribution.support.segments import split_segments


@pytest.mark.parametrize(
    ("answer", "segments"),
    [
        (
            "1 + 1 = 2, and 2 + 1 = 3. The answer is 3.",
            ["1 + 1 = 2,", "and 2 + 1 = 3.", "The answer is 3."],
        ),
        ("1 + 1 = 2，2 + 1 = 3。答案是3。", ["1 + 1 = 2，", "2 + 1 = 3。", "答案是3。"]),
        ("1 + 1 = 2，1 + 1 = 2，所以等于2", ["1 + 1 = 2，", "1 + 1 = 2，", "所以等于2"]),
        ("1 + 1 = 2 and 2 + 1 = 3", ["1 + 1 = 2", "and 2 + 1 = 3"]),
        ("1,000 + 1 = 1,001, so it equals 1,001", ["1,000 + 1 = 1,001,", "so it equals 1,001"]),
        ("1 + 1 = 2, which is even.", ["1 + 1 = 2, which is even."]),
        ("Born in Warsaw, in 1867. It is far.", ["Born in Warsaw, in 1867.", "It is far."]),
        ("华沙是首都，在波兰。所以是波兰。", ["华沙是首都，在波兰。", "所以是波兰。"]),
        (
            "Dr. Smith paid $1,000 for 2.5 kg, e.g. tea.",
            ["Dr. Smith paid $1,000 for 2.5 kg, e.g. tea."],
        ),
        ("  波兰。 ", ["波兰。"]),
        (" \n", []),
    ],
)
def test_sentences_and_steps_are_segments(answer: str, segments: list[str]) -> None:
    """Sentences end segments; inside one a comma cuts after an equation and before a result."""
    assert [answer[start:end] for start, end in split_segments(answer)] == segments
