"""What holds for the sentence spans of any text whatever."""

from hypothesis import example, given
from hypothesis import strategies as st

from ingest.segmentation import MAX_STATEMENT, sentences

_PIECES = st.one_of(
    st.sampled_from(["1 + 1 = 2", "3.14", "１．", "2. ", "……", " a", "字"]),
    st.sampled_from(["。", "”", "“", "「", "」", '"', "? ", "\n", "\r\n", "\u2028"]),
)
_TEXTS = st.text() | st.lists(_PIECES | st.text(max_size=3)).map("".join)


@given(_TEXTS, st.integers(1, 400))
@example("a\u2028b\x1c\x85c", 1)
@example("“" * 7 + "。" + "e\u0301", 400)
def test_spans_are_exact_ordered_and_lose_nothing(text: str, times: int) -> None:
    """Spans ascend, hold no outer space or line break, and cover all text that is not space."""
    text = text * (times if len(text) < 50 else 1)
    position = 0
    for start, end in sentences(text):
        assert position <= start < end <= start + MAX_STATEMENT
        assert text[position:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        assert len(text[start:end].splitlines()) == 1
        position = end
    assert text[position:].strip() == ""


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_the_spans_of_a_part_are_those_of_that_part_alone(a: str, b: str, c: str) -> None:
    """Splitting text[start:end] gives the same sentences as splitting that part on its own."""
    start, end = len(a), len(a) + len(b)
    shifted = [(low + start, high + start) for low, high in sentences(b)]
    assert list(sentences(a + b + c, start, end)) == shifted
