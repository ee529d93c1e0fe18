"""Laws of normalisation."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from store.text import normalise

INVISIBLE = st.sampled_from("\u200b\u200c\u200d\u2060\ufeff\u00ad\u202a\u202e\u2066\u2069\ufe0f")
TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)


@given(TEXTS)
def test_normalising_twice_is_normalising_once(text: str) -> None:
    """normalise is idempotent, so that the hash of a stored text is the stored hash."""
    assert normalise(normalise(text)) == normalise(text)


@given(TEXTS, TEXTS, INVISIBLE)
def test_invisible_characters_change_nothing(left: str, right: str, mark: str) -> None:
    """A zero-width or bidirectional character anywhere leaves the identity as it was."""
    assert normalise(left + mark + right) == normalise(left + right)


@given(TEXTS)
def test_compatible_forms_are_one(text: str) -> None:
    """A text and its NFKC, NFD and doubled spaces are the same statement."""
    expected = normalise(text)
    assert normalise(unicodedata.normalize("NFKC", text)) == expected
    assert normalise(unicodedata.normalize("NFD", text)) == expected
    assert normalise(f" {text.replace(' ', '  ')}\n") == expected


@given(TEXTS)
def test_normal_form_has_no_outer_or_double_space(text: str) -> None:
    """The normal form is its words joined by single spaces."""
    assert normalise(text) == " ".join(normalise(text).split())
