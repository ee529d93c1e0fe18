"""Of any two texts: likeness has no direction, and what counts never differs in a copy."""

from hypothesis import given, settings
from hypothesis import strategies as st

from store.clusters.forms import exact_form
from store.clusters.keys import keys_of
from store.clusters.likeness import Likeness, is_copy, shared
from store.lexical.han import simplified

WORDS = (
    *("river", "stone", "bridge", "Anna", "Oslo", "amber", "herons", "quiet", "not", "first"),
    *("12", "seven", "old", "new", "桥", "王", "前", "不", "三", "北", "石头", "建成"),
)
TEXTS = st.lists(st.sampled_from(WORDS), min_size=4, max_size=16).map(" ".join)
PLACES = st.integers(0, 16)


@settings(deadline=None)  # the first reads OpenCC
@given(TEXTS, TEXTS)
def test_likeness_has_no_direction(one: str, other: str) -> None:
    """A is a copy of B exactly if B is one of A, and every text that is long enough of itself."""
    first, second = Likeness(one), Likeness(other)
    assert is_copy(first, second, 1.0) == is_copy(second, first, 1.0)
    assert 0 <= shared(first, second) == shared(second, first) <= 1


@settings(deadline=None)  # the first reads OpenCC
@given(TEXTS, PLACES, st.sampled_from(("13", "eight", "never", "没", "四", "only", "副")))
def test_one_word_that_counts_makes_another_statement(text: str, place: int, word: str) -> None:
    """Wherever a number, a negation or a qualifier is put in, however near the vectors are."""
    words = text.split()
    words.insert(place, word)
    assert not is_copy(Likeness(text), Likeness(" ".join(words)), 1.0)


@settings(deadline=None)  # the first reads OpenCC
@given(st.text(min_size=1, max_size=40))
def test_exact_forms_are_stable_and_know_one_script(text: str) -> None:
    """The form of a form is the form; traditional and simplified characters have one."""
    form = exact_form(text)
    assert exact_form(simplified(text)) == form
    assert keys_of("public", Likeness(text)).exact == keys_of("public", Likeness(text)).exact
    assert keys_of("public", Likeness(text)).exact != keys_of("person", Likeness(text)).exact
