"""Cases of sums: two equations among others with the same digits, and sums with two proofs."""

from collections.abc import Sequence

from haozhi.evaluation.made.case import MadeCase
from haozhi.evaluation.made.facts import mixed
from haozhi.evaluation.made.words import Draw

_SMALL, _LARGE = (1, 4), (111, 389)
_CLOSED = {
    "en": "{first}, and {second}. The answer is {result}.",
    "zh": "{first}，{second}。答案是{result}。",
}


def shared_digits(draw: Draw, turn: int) -> MadeCase:
    """`a + b + c` from `a + b = d` and `d + c = e`; other equations lead nowhere."""
    a, b, c = _numbers(draw, turn)
    first, second = _equation(a, b), _equation(a + b, c)
    useful = {(a, b), (a + b, c), (b, c), (a, b + c)}
    pairs = [(c, a), (b, a + b), (c, b), (a + b, a), (c, a + b), (b, b + c)]
    others = [_equation(*pair) for pair in dict.fromkeys(pairs) if pair not in useful][:4]
    whole = f"{a} + {b} + {c}"
    worked = _CLOSED[draw.language].format(first=first, second=second, result=a + b + c)
    answer = worked if turn % 4 < 2 else f"{whole} = {a + b + c}"
    return _made(draw, "sum", whole, [first, second], others, answer, [{0, 1}], turn)


def two_proofs(draw: Draw, turn: int) -> MadeCase:
    """`a + a + a` from `a + a = b` and either of `b + a = c` and `a + b = c`."""
    a = _numbers(draw, turn)[0]
    said = [_equation(a, a), _equation(2 * a, a), _equation(a, 2 * a)]
    others = [_equation(2 * a, 2 * a), _equation(3 * a, a)]
    whole = f"{a} + {a} + {a}"
    answer = f"{whole} = {3 * a}"
    return _made(draw, "alternative", whole, said, others, answer, [{0, 1}, {0, 2}], turn)


def _made(
    draw: Draw,
    kind: str,
    whole: str,
    said: Sequence[str],
    others: Sequence[str],
    answer: str,
    proofs: Sequence[set[int]],
    turn: int,
) -> MadeCase:
    sayings, found = mixed(draw, said, others, proofs)
    question = f"{whole} = ?"
    return MadeCase(
        "", kind, draw.language, question, sayings, answer, found, is_known=_is_small(turn)
    )


def _is_small(turn: int) -> bool:
    """Every other case has numbers of one digit, whose sums a model knows."""
    return turn % 2 == 0


def _numbers(draw: Draw, turn: int) -> list[int]:
    low, high = _SMALL if _is_small(turn) else _LARGE
    return draw.random.sample(range(low, high + 1), 3)


def _equation(a: int, b: int) -> str:
    return f"{a} + {b} = {a + b}"
