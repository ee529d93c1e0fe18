"""What holds for support sets whatever was asked, answered and stated."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from haozhi.attribution.support import SegmentSupport, SupportStatement, find_support

SMALL = st.integers(1, 5)
TERMS = st.lists(SMALL, min_size=2, max_size=5)
TRUE_SUMS = st.tuples(SMALL, SMALL).map(lambda pair: f"{pair[0]} + {pair[1]} = {sum(pair)}")
TEXTS = st.sampled_from(
    [
        "Marie Curie was born in Warsaw.",
        "Warsaw is the capital of Poland.",
        "Warsaw lies in Poland.",
        "Marie Curie was born in Poland.",
        "Marie Curie was not born in Germany.",
        "Many people ask where Marie Curie was born.",
        "居里夫人出生在华沙。",
        "华沙是波兰的首都。",
    ]
)
ASKED = st.sampled_from(
    [
        ("In which country was Marie Curie born?", "Poland"),
        ("Where was Marie Curie born?", "Marie Curie was born in Warsaw."),
        ("居里夫人出生在哪个国家？", "波兰"),
        ("", "Marie Curie was born in Poland."),
    ]
)


def numbered(texts: list[str]) -> list[SupportStatement]:
    """Statements with the ids 1, 2, …"""
    return [SupportStatement(i, text) for i, text in enumerate(texts, start=1)]


def ids_of(support: SegmentSupport) -> set[frozenset[int]]:
    """The sets as sets."""
    return {frozenset(found.statement_ids) for found in support.sets}


@given(TERMS, st.lists(TRUE_SUMS, max_size=8), st.integers(2, 25))
def test_true_sums_never_support_a_false_result(
    terms: list[int], texts: list[str], result: int
) -> None:
    """Rewriting is sound: over true statements only the true result is ever supported."""
    question = " + ".join(map(str, terms)) + " = ?"
    (support,) = find_support(question, [f"The answer is {result}."], numbered(texts))
    assert not support.sets or result == sum(terms)


@given(TERMS, st.lists(TRUE_SUMS, max_size=8))
def test_every_statement_of_a_sum_set_is_needed(terms: list[int], texts: list[str]) -> None:
    """A set alone gives the result, and none of its statements can be left out."""
    question = " + ".join(map(str, terms)) + " = ?"
    answer = [str(sum(terms))]
    statements = numbered(texts)
    (support,) = find_support(question, answer, statements)
    for found in ids_of(support):
        alone = [s for s in statements if s.id in found]
        assert ids_of(find_support(question, answer, alone)[0]) == {found}


@settings(deadline=None)  # the first Chinese question loads the dictionary
@given(ASKED, st.lists(TEXTS, max_size=6), st.randoms(use_true_random=False))
def test_order_of_statements_changes_no_set(
    asked: tuple[str, str], texts: list[str], random: Random
) -> None:
    """The same statements in another order give the same sets, strengths and denials."""
    statements = numbered(texts)
    shuffled = list(statements)
    random.shuffle(shuffled)
    question, answer = asked
    assert find_support(question, [answer], statements) == find_support(
        question, [answer], shuffled
    )


@settings(deadline=None)
@given(ASKED, st.lists(TEXTS, max_size=6))
def test_sets_are_minimal_small_and_strong_within_bounds(
    asked: tuple[str, str], texts: list[str]
) -> None:
    """No set contains another or more than three statements; strengths lie in 0..1, best first."""
    (support,) = find_support(asked[0], [asked[1]], numbered(texts))
    sets = ids_of(support)
    assert not any(a < b for a in sets for b in sets)
    assert all(1 <= len(ids) <= 3 for ids in sets)
    strengths = [found.strength for found in support.sets]
    assert strengths == sorted(strengths, reverse=True)
    assert all(0 < strength <= 1 for strength in strengths)
