"""g: what coalitions of players supplied of each segment, from measured values."""

from collections.abc import Sequence

from haozhi.attribution.context import Case
from haozhi.attribution.rules import USED_AND_SUPPORTED, Rule
from haozhi.attribution.shapley import Coalition, subsets
from haozhi.attribution.shares import Used, terms_of
from haozhi.attribution.values import ValueFunction


def used_by(
    case: Case, values: ValueFunction, rule: Rule = USED_AND_SUPPORTED, most: int | None = None
) -> Used:
    """g_k(T) for coalitions of players; all that the rule's games ask for runs as one batch.

    At most `most` passes are run, v(none) and v(all) among them. The games of segments for which
    they do not suffice, in the answer's order, take every coalition for all statements together.
    """
    measured = _affordable(case, values, rule, most)
    asked = dict.fromkeys(c for coalitions in measured.values() for c in coalitions)
    values.token_values(list(asked))
    everyone = frozenset(range(len(case.players)))

    def used(k: int, coalition: Coalition) -> float:
        start, end = case.segments[k]
        own = statements_of(case, coalition) if k in measured or not coalition else everyone
        some, none = values.token_values([own, frozenset()])[:, start:end].sum(1)
        return rule.used(float(some), float(none))

    return used


def games_of(case: Case, rule: Rule = USED_AND_SUPPORTED) -> list[tuple[int, ...]]:
    """The players of each segment's game: those of whom it is asked what they supplied."""
    return [terms_of(case, k, 1.0, rule).players for k in range(len(case.segments))]


def coalitions_of(case: Case, rule: Rule = USED_AND_SUPPORTED) -> list[Coalition]:
    """The coalitions of statements that any of the games asks for."""
    return [c for players in games_of(case, rule) for c in _coalitions(case, players)]


def statements_of(case: Case, players: Coalition) -> frozenset[int]:
    """The numbers of these players' statements."""
    return frozenset(i for i, player in enumerate(case.players) if player in players)


def _coalitions(case: Case, players: Sequence[int]) -> list[Coalition]:
    return [statements_of(case, coalition) for coalition in subsets(players)]


def _affordable(
    case: Case, values: ValueFunction, rule: Rule, most: int | None
) -> dict[int, Sequence[Coalition]]:
    """The coalitions of statements of each segment's game, as far as the passes suffice."""
    found: dict[int, Sequence[Coalition]] = {}
    asked = set[Coalition]()
    for k, players in enumerate(games_of(case, rule)):
        game = _coalitions(case, players)
        if most is None or values.unknown(asked.union(game)) <= most:
            asked.update(game)
            found[k] = game
    return found
