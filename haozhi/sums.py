"""Reads sums such as `1 + 1 + 1 = 3` out of Chinese and English text; computes nothing.

Whether a sum is right is decided neither here nor anywhere else: statements license sums.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

Expression = tuple[str, ...]
"""Numbers and operators in turn, ("1", "+", "1"); a single number is ("3",)."""


@dataclass(frozen=True)
class Equation:
    """`left = right`, or `left ≠ right` when `denied`."""

    left: Expression
    right: Expression
    denied: bool = False


_HAN_DIGITS = dict(zip("零一二三四五六七八九十两", [*range(11), 2], strict=True))
_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_TOKEN = re.compile(
    rf"""(?P<number> (?:\d{{1,3}}(?:,\d{{3}})+(?!\d) | \d+) (?:\.\d+)?
                   | [{"".join(_HAN_DIGITS)}] | \b(?:{"|".join(_WORDS)})\b)
    | (?P<unequal> 不等于|不是|不为|不得|!=|≠
                   |\b(?:is|are|does|do)(?:\ not|n't)(?:\ (?:equal|make)(?:\ to)?)?\b)
    | (?P<equal> 等于|得到|就是|得|是|为|=|\b(?:(?:is\ )?equal\ to|equals?|is|are|gives?|makes?)\b)
    | (?P<bullet> ^\s*[-–*·]\s)
    | (?P<plus> \+|再?加上|再?加|\bplus\b)
    | (?P<minus> [-−–]|再?减去|再?减|\bminus\b)
    | (?P<times> [×*·]|(?<![a-z])x(?![a-z])|乘以|乘|\btimes\b|\bmultiplied\ by\b)
    | (?P<over> [÷/]|除以|\bdivided\ by\b)""",
    re.VERBOSE | re.MULTILINE,
)
_OPERATORS = {"plus": "+", "minus": "-", "times": "×", "over": "÷"}
_SUM_FRAME = re.compile(
    r"what(?:'s| is| does| do)?|how much(?: is| are)?|please|tell me|calculate|compute|"
    r"the (?:sum|result|value|answer)(?: of| to)?|equals?|make|"
    r"请问|请|计算|一下|算|等于|结果|答案|是|得|的|多少|几|什么|呢|啊|[=?.。!:,，\s]"
)


def canonical_number(text: str) -> str:
    """One spelling per number: `1,000`, `007`, `两` and `three` give `1000`, `7`, `2` and `3`."""
    small = _HAN_DIGITS.get(text, _WORDS.get(text))
    if small is not None:
        return str(small)
    whole, _, fraction = text.replace(",", "").partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def fold(text: str) -> str:
    """NFKC, casefold, one apostrophe: the form in which sums are read."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def equations_in(text: str) -> tuple[Equation, ...]:
    """Every equation stated in the text, in order; `a = b = c` gives a = b, b = c and a = c."""
    found: list[Equation] = []
    for _, sides, denied in _runs(fold(text)):
        pairs = list(pairwise(sides))
        if len(sides) > 2:
            pairs.append((sides[0], sides[-1]))  # a chain claims that its two ends are equal too
        found += [Equation(a, b, denied) for a, b in pairs if len(a) > 1 or len(b) > 1]
    return tuple(dict.fromkeys(found))


def asked_sum(question: str) -> Expression | None:
    """The expression whose value is asked for, and nothing else is; else None."""
    text = fold(question)
    for (start, end), sides, _ in _runs(text):
        rest = _SUM_FRAME.sub("", text[:start]) + _SUM_FRAME.sub("", text[end:])
        if len(sides) == 1 and len(sides[0]) > 1 and not rest:
            return sides[0]
    return None


def rewritings(expression: Expression, step: Equation) -> list[Expression]:
    """The expression with one place of the step's left side replaced by its right side."""
    size = len(step.left)
    if step.denied:
        return []
    return [
        expression[:start] + step.right + expression[start + size :]
        for start in range(0, len(expression) - size + 1, 2)
        if expression[start : start + size] == step.left
    ]


def _runs(text: str) -> Iterator[tuple[tuple[int, int], list[Expression], bool]]:
    """Unbroken runs of sum tokens: their span, their sides, and whether an `≠` stands in them."""
    # A run that begins or ends with an operator continues something unread, a bracket or a letter:
    # `(1 + 1) + 1 + 1 = 4` must not say 1 + 1 = 4. Such a run is not well formed and says nothing.
    run: list[re.Match[str]] = []
    for match in _TOKEN.finditer(text):
        if run and text[run[-1].end() : match.start()].strip():
            yield from _parsed(run)
            run = []
        if match.lastgroup != "bullet":
            run.append(match)
    if run:
        yield from _parsed(run)


def _parsed(run: list[re.Match[str]]) -> Iterator[tuple[tuple[int, int], list[Expression], bool]]:
    sides: list[list[str]] = [[]]
    for match in run:
        kind = match.lastgroup or ""
        if kind in ("equal", "unequal"):
            sides.append([])
        else:
            sides[-1].append(_OPERATORS.get(kind) or canonical_number(match[0]))
    expressions = [_expression(side) for side in sides if side]
    if expressions and all(expressions):
        denied = any(match.lastgroup == "unequal" for match in run)
        yield (run[0].start(), run[-1].end()), [e for e in expressions if e], denied


def _expression(side: list[str]) -> Expression | None:
    """Numbers and operators in turn (a leading minus joins its number), else None."""
    if len(side) > 1 and side[0] == "-" and side[1][0].isdigit():
        side = ["-" + side[1], *side[2:]]
    well_formed = len(side) % 2 == 1 and all(
        (part in "+-×÷") == bool(position % 2) for position, part in enumerate(side)
    )
    return tuple(side) if well_formed else None
