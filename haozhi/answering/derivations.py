"""Ways to work out a sum with stored equations alone; nothing is computed."""

from collections.abc import Sequence

from haozhi.sums import Expression, equations_in, rewritings

#: Steps of one derivation, and derivations looked at; a long sum has too many to try them all.
MOST_STEPS = 3
MOST_DERIVATIONS = 32


def derivations(asked: Expression, statements: Sequence[str]) -> list[tuple[int, ...]]:
    """Sequences of statements (by number) whose equations turn the sum into one number.

    Each statement replaces a part of what is left of the sum by what it says that part is.
    """
    steps = [equations_in(text) for text in statements]
    found: list[tuple[int, ...]] = []
    open_ways: list[tuple[tuple[int, ...], Expression]] = [((), asked)]
    for _ in range(MOST_STEPS):
        longer = [
            ((*way, number), rest)
            for way, left in open_ways
            for number, equations in enumerate(steps)
            if number not in way
            for equation in equations
            for rest in rewritings(left, equation)
        ]
        found += [way for way, rest in longer if len(rest) == 1]
        open_ways = [(way, rest) for way, rest in longer if len(rest) > 1][:MOST_DERIVATIONS]
    return list(dict.fromkeys(found))[:MOST_DERIVATIONS]
