"""All made cases of a half, by kind and language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from haozhi.evaluation.made.case import KINDS, Half, MadeCase
from haozhi.evaluation.made.chains import chain
from haozhi.evaluation.made.facts import (
    alternative,
    contradiction,
    duplicate,
    echo,
    injection,
    known,
    negation,
    single,
)
from haozhi.evaluation.made.sums import shared_digits, two_proofs
from haozhi.evaluation.made.words import Draw
from haozhi.language import Language

Maker = Callable[[Draw, int], MadeCase]


def make_cases(
    half: Half,
    *,
    each: int = 6,
    seed: int = 1,
    kinds: Sequence[str] = KINDS,
    languages: Sequence[Language] = ("zh", "en"),
) -> tuple[MadeCase, ...]:
    """`each` cases of every kind and language, the same for the same arguments.

    Cases of one kind and language have the same number whatever else is made.
    """
    return tuple(
        _made(half, seed, kind, language, turn)
        for kind in kinds
        for language in languages
        for turn in range(each)
    )


def _made(half: Half, seed: int, kind: str, language: Language, turn: int) -> MadeCase:
    name = f"{half}-{seed}-{kind}-{language}-{turn}"
    draw = Draw(name, language, half)
    return replace(_MAKERS[kind](draw, turn), id=name, is_rare=draw.is_nonce)


def _alternatives(draw: Draw, turn: int) -> MadeCase:
    """Two independent statements, and sums that share a step, in turn."""
    return two_proofs(draw, turn // 2) if turn % 2 else alternative(draw, turn)


_MAKERS: Mapping[str, Maker] = {
    "single": single,
    "pair": partial(chain, "pair"),
    "three_hop": partial(chain, "three_hop"),
    "alternative": _alternatives,
    "duplicate": duplicate,
    "echo": echo,
    "negation": negation,
    "sum": shared_digits,
    "known": known,
    "contradiction": contradiction,
    "injection": injection,
}
