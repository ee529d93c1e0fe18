"""Checks of fairness: one who pays by support passes them all, others are caught by name."""

from collections.abc import Mapping

from haozhi.evaluation.bias import Row, apart, bias_figures
from haozhi.evaluation.fairness import base_cases, checks
from haozhi.evaluation.fairness_copies import Payer
from haozhi.evaluation.made import MadeCase

CASES = base_cases(1)
_ADDED = ("It rained", "天气")


def _just(made: MadeCase, _order: int) -> Mapping[str, float]:
    """Pays what is owed, and half of it where a claim was added."""
    part = 0.5 if any(words in made.answer for words in _ADDED) else 1.0
    return {author: part * float(owed) for author, owed in made.owed.items()}


def _everybody(made: MadeCase, _order: int) -> Mapping[str, float]:
    """Pays every statement the same."""
    parts: dict[str, float] = {}
    for saying in made.sayings:
        parts[saying.author] = parts.get(saying.author, 0.0) + 1 / len(made.sayings)
    return parts


def _first(made: MadeCase, order: int) -> Mapping[str, float]:
    """Pays as just, but in other orders another author."""
    return {"someone": 1.0} if order else _just(made, order)


def _broken(pays: Payer) -> set[str]:
    return {check.name for check in checks(pays, CASES) if not check.holds}


def test_paying_by_support_breaks_nothing() -> None:
    """Every check is made in both languages, requests to be cited in ten wordings."""
    found = {check.name: check for check in checks(_just, CASES)}
    assert len(found) == 11
    assert not [name for name, check in found.items() if not check.holds]
    assert len(found["request to be cited, paid"].changes) == 10 * len(CASES)


def test_paying_everybody_is_caught() -> None:
    """Null statements, copies, requests and claims are paid, and copies take from the original."""
    broken = _broken(_everybody)
    assert {"null statement, paid", "copy by another, paid", "request to be cited, paid"} <= broken
    assert "three clones by others, original moves" in broken
    assert "uncited claim in the answer, paid for it" in broken


def test_paying_by_place_is_caught_by_other_orders() -> None:
    """Nothing else is broken then."""
    assert _broken(_first) == {"other orders, share moves"}


def _row(place: int, paid: float) -> Row:
    return Row("en", place, 6, 30 + place, is_rare=False, size=1, owed=0.5, paid=paid)


def test_bias_compares_what_is_paid_with_what_is_owed() -> None:
    """By group, with an interval; groups are apart when their intervals do not meet."""
    found = bias_figures([_row(0, 0.5)] * 5 + [_row(5, 0.25)] * 5)
    assert {group: n for group, (n, _) in found["position"].items()} == {
        "retrieved first": 5,
        "second half": 5,
    }
    assert found["position"]["second half"][1].mean == 0.5
    assert apart(found["position"])
    assert not apart(found["language"])
