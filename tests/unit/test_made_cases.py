"""Made cases: the same for the same seed, in two languages, and owed what their proofs say."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from haozhi.evaluation.made import KINDS, Half, MadeCase, Saying, make_cases
from haozhi.evaluation.made.scoring import Paid, Score, figures
from haozhi.sums import Expression, asked_sum, equations_in, rewritings

HALVES: tuple[Half, ...] = ("development", "held_out")


def _case(*proofs: set[int], is_known: bool = False) -> MadeCase:
    """Three statements by A, B and C."""
    sayings = tuple(Saying(f"{author} speaks.", author) for author in "ABC")
    found = tuple(map(frozenset, proofs))
    return MadeCase("x", "single", "en", "?", sayings, "!", found, is_known)


def _score(made: MadeCase, **paid: float) -> Score:
    return Score(made, Paid(paid), 0.5)


def test_there_are_enough_cases_of_every_kind_in_both_languages() -> None:
    """At least 120 in a half, 60 of them Chinese, no two with the same name."""
    cases = make_cases("development")
    assert Counter(made.language for made in cases) == {"zh": 66, "en": 66}
    assert Counter(made.kind for made in cases) == dict.fromkeys(KINDS, 12)
    assert len({made.id for made in cases}) == len(cases)


def test_a_case_does_not_depend_on_what_else_is_made() -> None:
    """Cases are drawn from their own names, so that a part of the benchmark is a part of it."""
    whole = {made.id: made for made in make_cases("held_out", each=2)}
    for made in make_cases("held_out", each=1, kinds=("sum", "echo"), languages=("zh",)):
        assert whole[made.id] == made


def test_halves_share_no_statement_and_no_question() -> None:
    """What was looked at while mending says nothing of the half that gives the figures.

    Requests to be cited and sums have no words of their own in either half.
    """
    kinds = [kind for kind in KINDS if kind not in ("injection", "sum", "alternative")]
    one, other = (make_cases(half, kinds=kinds) for half in HALVES)
    said = [{saying.text for made in half for saying in made.sayings} for half in (one, other)]
    assert not said[0] & said[1]
    assert not {made.question for made in one} & {made.question for made in other}


@pytest.mark.parametrize("half", HALVES)
def test_what_matters_is_said_by_different_authors(half: Half) -> None:
    """Whoever supports nothing can be told from whoever does; each text stands there once."""
    for made in make_cases(half, seed=3):
        numbers = sorted(set().union(*made.proofs))
        assert len({made.sayings[n].author for n in numbers}) == len(numbers), made
        assert len({saying.text for saying in made.sayings}) == len(made.sayings), made
        assert sum(made.owed.values()) == (1 if made.proofs else 0)


def test_the_equations_of_a_sum_prove_it_in_no_other_way() -> None:
    """Every set of statements that works the sum out holds one of the proofs."""
    for made in make_cases("development", each=12, kinds=("sum", "alternative"), seed=2):
        asked = asked_sum(made.question)
        if asked is None:
            continue
        texts = [saying.text for saying in made.sayings]
        enough = {
            frozenset(some)
            for size in (1, 2, 3)
            for some in combinations(range(len(texts)), size)
            if _is_worked_out(asked, [texts[n] for n in some])
        }
        minimal = {some for some in enough if not any(other < some for other in enough)}
        assert minimal == set(made.proofs), made


def _is_worked_out(asked: Expression, texts: list[str]) -> bool:
    reached, new = {asked}, {asked}
    while new:
        new = {
            rest
            for left in new
            for text in texts
            for equation in equations_in(text)
            for rest in rewritings(left, equation)
        } - reached
        reached |= new
    return any(len(each) == 1 for each in reached)


def test_each_proof_is_owed_the_same() -> None:
    """And within a proof each statement; needed is who is in all of them."""
    made = _case({0, 1}, {0, 2})
    assert made.owed == {"A": Fraction(1, 2), "B": Fraction(1, 4), "C": Fraction(1, 4)}
    assert made.needed == {"A"}
    assert (_case().owed, _case().needed) == ({}, frozenset())


def test_money_goes_astray_only_to_those_who_support_nothing() -> None:
    """What a supporter gets beyond a part is not misdirected, and what it lacks is withheld."""
    score = _score(_case({0}, {1}), A=0.7, B=0.1, C=0.15)
    assert score.misdirected == pytest.approx(0.15)
    assert score.withheld == pytest.approx(0.4)
    assert score.unattributed == pytest.approx(0.05)


def test_of_a_known_fact_the_policys_part_is_owed() -> None:
    """What the model knew is not the author's; the whole is told beside it."""
    score = _score(_case({0}, is_known=True), A=0.6)
    assert score.withheld == 0.0
    assert score.withheld_of_whole == pytest.approx(0.4)


def test_figures_count_only_the_cases_that_a_figure_is_about() -> None:
    """Nothing is withheld where nobody is owed, and nothing is silent where somebody is."""
    found = figures([_score(_case({0}), A=0.4), _score(_case(), B=0.1)])
    assert [found.misdirected, found.withheld] == pytest.approx([0.05, 0.6])
    assert [found.needed, found.silent] == pytest.approx([0.0, 0.9])
    assert figures([_score(_case())]).withheld is None
