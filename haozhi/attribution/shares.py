"""From values and support to integer shares: pairs, citations and causes that sum to 10^9."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from haozhi.accounting.split import WHOLE_PPB, to_ppb
from haozhi.attribution.context import Case
from haozhi.attribution.rules import (
    USED_AND_SUPPORTED,
    Backing,
    Rule,
    SegmentShares,
    Terms,
    segment_shares,
)
from haozhi.attribution.shapley import Coalition
from store.records.answers import Citation, Pair, Unattributed

#: g_k(T): what coalition T of players supplied of segment k.
Used = Callable[[int, Coalition], float]
CAUSES = ("unsupported", "already_known", "below_noise", "disagree")

#: Segment, statement and author (None: unknown) of a part of the answer.
Line = tuple[int, int, str | None]


@dataclass(frozen=True)
class Shares:
    """Integer shares of one answer, in ppb: pairs and causes together are 10^9."""

    pairs: tuple[Pair, ...]
    citations: tuple[Citation, ...]
    unattributed: Unattributed

    @property
    def by_statement(self) -> dict[int, int]:
        """The share of each credited statement, in ppb."""
        sums: dict[int, int] = defaultdict(int)
        for pair in self.pairs:
            sums[pair.statement_id] += pair.share_ppb
        return dict(sums)


def build_shares(
    case: Case,
    orders: Sequence[Used],
    *,
    support_part: float,
    noise_ppb: int,
    salt: str,
    rule: Rule = USED_AND_SUPPORTED,
) -> Shares:
    """The shares of an answer: g is the mean over `orders`, the interval the span over them.

    Lines below `noise_ppb` go to the cause below_noise. One largest-remainder step makes integers
    of all lines and causes at once; ties are broken by `salt`.
    """

    def mean(k: int, coalition: Coalition) -> float:
        return sum(used(k, coalition) for used in orders) / len(orders)

    games = [terms_of(case, k, support_part, rule) for k in range(len(case.segments))]
    lines, causes = _parts(case, games, mean, rule)
    apart = [_parts(case, games, used, rule)[0] for used in orders] if len(orders) > 1 else []
    lines, causes = _above_noise(lines, causes, Fraction(noise_ppb, WHOLE_PPB))
    keys = {_key(line): line for line in lines}
    weights = {key: lines[line] for key, line in keys.items()}
    ppb = to_ppb(weights | {f"cause {c}": causes[c] for c in CAUSES}, WHOLE_PPB, salt)
    whole = {line: ppb[key] for key, line in keys.items() if ppb[key]}
    return Shares(
        pairs=_pairs(whole, apart),
        citations=_citations(whole),
        unattributed=Unattributed(**{c: ppb[f"cause {c}"] for c in CAUSES}),
    )


def _key(line: Line) -> str:
    segment, statement, author = line
    return f"line {segment} {statement} {author or ''}"


def _parts(
    case: Case, games: Sequence[Terms], used: Used, rule: Rule
) -> tuple[dict[Line, Fraction], dict[str, Fraction]]:
    """Exact parts of the whole answer per line and per cause."""
    lines: dict[Line, Fraction] = {}
    causes = dict.fromkeys(CAUSES, Fraction(0))
    for k, terms in enumerate(games):
        weight = Fraction(case.weights_ppb[k], WHOLE_PPB)
        found = segment_shares(terms, partial(used, k))
        for cause, part in _causes(found).items():
            causes[cause] += weight * part
        for line, part in _lines(case, k, found, rule):
            lines[line] = lines.get(line, Fraction(0)) + weight * part
    return lines, causes


def terms_of(case: Case, k: int, support_part: float, rule: Rule = USED_AND_SUPPORTED) -> Terms:
    """What the rule plays the game of segment k on; its players are those whose use is asked."""
    player = dict(zip(case.statement_ids, case.players, strict=True))
    support = case.support[k]
    backings = tuple(
        Backing(frozenset(player[i] for i in found.statement_ids), found.strength)
        for found in support.sets
    )
    found = Terms(backings, support_part, bool(support.contradicts))
    return rule.terms(found, tuple(dict.fromkeys(case.players)))


def _causes(found: SegmentShares) -> dict[str, Fraction]:
    return {
        "unsupported": found.unsupported,
        "already_known": found.already_known,
        "disagree": found.disagree,
    }


def _lines(case: Case, k: int, found: SegmentShares, rule: Rule) -> Iterable[tuple[Line, Fraction]]:
    """A player's part over its statements, then over their authors by ppm."""
    strength = _strengths(case, k, rule)
    position = {statement: p for p, statement in enumerate(case.statement_ids)}
    for player, part in found.players.items():
        own = [s for s in strength if case.players[position[s]] == player]
        total = sum(strength[s] for s in own)
        for statement in own:
            piece = part * strength[statement] / total
            authors = case.authors[position[statement]]
            for author in authors:
                yield (k, statement, author.author_id), piece * author.ppm / 1_000_000
            if not authors:
                yield (k, statement, None), piece


def _strengths(case: Case, k: int, rule: Rule) -> dict[int, Fraction]:
    """By what a player's part goes to its statements: the strongest set that each is in."""
    if not rule.divides_by_support:
        return dict.fromkeys(case.statement_ids, Fraction(1))
    strength: dict[int, Fraction] = defaultdict(Fraction)
    for each in case.support[k].sets:
        for statement in each.statement_ids:
            strength[statement] = max(strength[statement], Fraction(each.strength))
    return strength


def _above_noise(
    lines: dict[Line, Fraction], causes: dict[str, Fraction], floor: Fraction
) -> tuple[dict[Line, Fraction], dict[str, Fraction]]:
    """A statement whose share is under the floor gives it up to below_noise."""
    total: dict[int, Fraction] = defaultdict(Fraction)
    for (_, statement, _), part in lines.items():
        total[statement] += part
    low = {line: part for line, part in lines.items() if total[line[1]] < floor}
    below = causes["below_noise"] + sum(low.values(), Fraction(0))
    kept = {line: part for line, part in lines.items() if line not in low and part > 0}
    return kept, causes | {"below_noise": below}


def _pairs(whole: dict[Line, int], apart: Sequence[dict[Line, Fraction]]) -> tuple[Pair, ...]:
    """Pairs of statement and author with the least and greatest share over the orders."""
    sums: dict[tuple[int, str | None], int] = defaultdict(int)
    for (_, statement, author), share in whole.items():
        sums[statement, author] += share
    spread: dict[tuple[int, str | None], list[int]] = {pair: [s] for pair, s in sums.items()}
    for lines in apart:
        once: dict[tuple[int, str | None], Fraction] = defaultdict(Fraction)
        for (_, statement, author), part in lines.items():
            once[statement, author] += part
        for pair in sums:
            spread[pair].append(int(once[pair] * WHOLE_PPB))
    return tuple(
        Pair(statement, author, sums[statement, author], min(values), max(values))
        for (statement, author), values in sorted(
            spread.items(), key=lambda item: (item[0][0], item[0][1] or "")
        )
    )


def _citations(whole: dict[Line, int]) -> tuple[Citation, ...]:
    sums: dict[tuple[int, int], int] = defaultdict(int)
    for (segment, statement, _), share in whole.items():
        sums[segment, statement] += share
    return tuple(Citation(k, statement, share) for (k, statement), share in sorted(sums.items()))
