"""Figures about answers: right or wrong, how sure a rate is, what wrong answers cost."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from haozhi.evaluation.devset import Item
from store.text import normalise

_Z95 = 1.959963984540054
_HAN = "\u3400-\u9fff\u3001-\u303f"
_HAN_NUMERALS = "〇零一二两三四五六七八九十百千万亿"
_LATIN = "a-z\u00df-\u024f"
# A citation marker is no part of the answer: the 3 of "Poland [3]" answers no sum.
_MARKER = re.compile(r"[\[【]\d+(?:\s*,\s*\d+)*[\]】]")
_SPACE_AT_HAN = re.compile(f"(?<=[{_HAN}]) | (?=[{_HAN}])")


@dataclass(frozen=True)
class Result:
    """What became of an item: refused, or answered with `text` for a fee (micro-credits, >= 0)."""

    item: Item
    refused: bool
    text: str
    fee_micro: int

    @property
    def right(self) -> bool:
        """Refused where nothing answers the question, else answered correctly."""
        if self.item.answerable:
            return not self.refused and is_correct(self.item, self.text)
        return self.refused


def is_correct(item: Item, answer_text: str) -> bool:
    """Whether the answer holds an accepted string, no rejected one and, for a sum, no later number.

    Width, case, spaces and citation markers do not matter. Numbers and Latin words match whole:
    6 is neither in 16 nor in 6.5, 三 not in 十三, red not in Fred. False for an unanswerable item.
    """
    text = _folded(_MARKER.sub(" ", normalise(answer_text)))
    if any(_whole(wrong).search(text) for wrong in item.reject):
        return False
    ends = [match.end() for right in item.accept for match in _whole(right).finditer(text)]
    if not ends:
        return False
    # A worked sum names its steps' results too; only the one that it ends with is the answer.
    return item.kind != "sum" or not re.search("[0-9]", text[max(ends) :])


def wilson(k: int, n: int) -> tuple[float, float]:
    """The 95 % Wilson interval of k out of n, within 0..1; (0, 1) when nothing was counted."""
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no count")
    if n == 0:
        return 0.0, 1.0
    z2 = _Z95 * _Z95
    centre = (k + z2 / 2) / (n + z2)
    margin = _Z95 * sqrt(k * (n - k) / n + z2 / 4) / (n + z2)
    # The two ends are exact at 0 and n, where rounding would step over them.
    return (0.0 if k == 0 else centre - margin), (1.0 if k == n else centre + margin)


def summarise(results: Sequence[Result]) -> dict[str, dict[str, Any]]:
    """Per language that occurs: rates `{k, n, rate, low, high}` (rate None when n is 0) and fees.

    `accuracy` and `false_refusals` are over the answerable items, `refusals` over the others;
    `by_kind` counts what is right; fees are micro-credits, `wrong_fee_micro` those of answers that
    should have been refused or are not correct.
    """
    languages = sorted({result.item.language for result in results})
    return {
        language: _figures([r for r in results if r.item.language == language])
        for language in languages
    }


def _figures(results: Sequence[Result]) -> dict[str, Any]:
    answerable = [r for r in results if r.item.answerable]
    kinds = sorted({r.item.kind for r in results})
    return {
        "accuracy": _rate(r.right for r in answerable),
        "refusals": _rate(r.refused for r in results if not r.item.answerable),
        "false_refusals": _rate(r.refused for r in answerable),
        "fee_micro": sum(r.fee_micro for r in results),
        "wrong_fee_micro": sum(r.fee_micro for r in results if not r.refused and not r.right),
        "by_kind": {kind: _rate(r.right for r in results if r.item.kind == kind) for kind in kinds},
    }


def _rate(flags: Iterable[bool]) -> dict[str, float | int | None]:
    counted = list(flags)
    k, n = sum(counted), len(counted)
    low, high = wilson(k, n)
    return {"k": k, "n": n, "rate": k / n if n else None, "low": low, "high": high}


def _folded(text: str) -> str:
    """Normalised, and without the spaces that only typography puts next to Han characters."""
    return _SPACE_AT_HAN.sub("", normalise(text))


def _whole(needle: str) -> re.Pattern[str]:
    """A pattern for the needle that does not start or end inside a longer number or Latin word."""
    folded = _folded(needle)
    return re.compile(_before(folded[0]) + re.escape(folded) + _after(folded[-1]))


def _before(first: str) -> str:
    if first.isdecimal():
        return r"(?<![0-9])(?<![0-9]\.)"
    kin = _kin(first)
    return f"(?<![{kin}])" if kin else ""


def _after(last: str) -> str:
    if last.isdecimal():
        return r"(?![0-9]|\.[0-9]|,[0-9]{3}(?![0-9])|:[0-5][0-9])"
    kin = _kin(last)
    return f"(?![{kin}])" if kin else ""


def _kin(edge: str) -> str:
    """The characters that would continue a word or numeral at this edge; '' for none."""
    return next((kin for kin in (_HAN_NUMERALS, _LATIN) if re.match(f"[{kin}]", edge)), "")
