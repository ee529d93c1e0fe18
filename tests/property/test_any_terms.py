"""Terms of a grant, whatever is written."""

from hypothesis import given
from hypothesis import strategies as st

from store.errors import BadInput
from store.terms import check_terms

WORDS = ("MIT", "Apache-2.0", "LicenseRef-a", "foo", "AND", "or", "WITH", "(", ")", "+", "GPL-2.0+")


@given(st.lists(st.sampled_from((*WORDS, "Classpath-exception-2.0")), max_size=9))
def test_any_expression_is_spelt_once_or_refused(words: list[str]) -> None:
    """Whatever is written, it is an expression that stays as it is stored, or bad input."""
    try:
        stored = check_terms(" ".join(words))
    except BadInput:
        return
    assert check_terms(stored) == stored
