"""Whatever an answer says, its segments cover it exactly."""

from hypothesis import given
from hypothesis import strategies as st

from haozhi.attribution.support.segments import split_segments

PARTS = ["1 + 1 = 2", ", ", "，", "and 2 + 1 = 3", ". ", "。", "所以等于3", "\n", " ", "Dr. ", "x"]
STEPS = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)


@given(st.one_of(st.text(max_size=80), STEPS))
def test_segments_cover_all_that_is_not_space_once(answer: str) -> None:
    """Spans are in order, do not overlap, have no outer space, and leave out only white space."""
    position = 0
    for start, end in split_segments(answer):
        assert start >= position
        assert not answer[position:start].strip()
        assert answer[start:end] == answer[start:end].strip() != ""
        position = end
    assert not answer[position:].strip()
