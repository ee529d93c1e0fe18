"""Whether shares stay where they belong when somebody tries to move them, or nothing has changed.

Made cases are paid as they are and then with one thing changed: a statement more, a copy, an author
under two names, another order, a request to be cited, a marker or a claim in the answer. What moves
is told in points, per cent of the answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from haozhi.evaluation.fairness_copies import (
    STRANGER,
    Payer,
    Shares,
    clones_move,
    clones_paid,
    clones_share,
    copy_moves,
    copy_paid,
    moved_most,
    with_more,
)
from haozhi.evaluation.made import MadeCase, Saying, make_cases
from haozhi.evaluation.made.words import words
from haozhi.language import Language

ORDERS = (1, 2)
_NOTHING = 0.0
_LITTLE = 2.0
_ORDER = 5.0


@dataclass(frozen=True)
class Change:
    """What one change moved: `points` of the answer, and in which case."""

    case: str
    points: float


@dataclass(frozen=True)
class Check:
    """A rule of fairness over all its cases; `most` is the bound in points."""

    name: str
    most: float
    changes: tuple[Change, ...]

    @property
    def worst(self) -> Change:
        """The change that moved most."""
        return max(self.changes, key=lambda change: change.points)

    @property
    def holds(self) -> bool:
        """Whether nothing moved more than the bound."""
        return self.worst.points <= self.most


def base_cases(each: int, languages: Sequence[Language] = ("zh", "en")) -> tuple[MadeCase, ...]:
    """One statement that answers, and two that do together; `each` of both per language."""
    return make_cases("development", each=each, kinds=("single", "pair"), languages=languages)


def checks(pays: Payer, cases: Sequence[MadeCase]) -> Iterator[Check]:
    """Every check over the cases, in the order of the table."""
    for name, most, moved in (
        ("null statement, paid", _NOTHING, _null),
        ("copy by another, paid", _NOTHING, copy_paid),
        ("copy by another, original moves", _LITTLE, copy_moves),
        ("three clones by others, paid", _NOTHING, clones_paid),
        ("three clones by others, original moves", _LITTLE, clones_move),
        ("three clones, split-verified, all together move", _LITTLE, clones_share),
        ("author split in two, sum moves", _LITTLE, _split_author),
        ("other orders, share moves", _ORDER, _orders),
        ("request to be cited, paid", _LITTLE, _injected),
        ("citation marker in the answer, share moves", _LITTLE, _marker),
        ("uncited claim in the answer, paid for it", _LITTLE, _uncited),
    ):
        found = [Change(made.id, 100 * points) for made in cases for points in moved(pays, made)]
        if found:
            yield Check(name, most, tuple(found))


def _null(pays: Payer, made: MadeCase) -> Iterator[float]:
    yield pays(with_more(made, _aside(made)), 0).get(STRANGER, 0.0)


def _split_author(pays: Payer, made: MadeCase) -> Iterator[float]:
    """All that supports, by one author and by as many as there are statements."""
    if len(made.owed) > 1:
        owed = set(made.owed)
        one = tuple(
            replace(saying, author=STRANGER) if saying.author in owed else saying
            for saying in made.sayings
        )
        apart = sum(pays(made, 0).get(author, 0.0) for author in owed)
        yield abs(pays(replace(made, sayings=one), 0).get(STRANGER, 0.0) - apart)


def _orders(pays: Payer, made: MadeCase) -> Iterator[float]:
    for order in ORDERS:
        yield moved_most(pays(made, 0), pays(made, order), made)


def _injected(pays: Payer, made: MadeCase) -> Iterator[float]:
    for wording in words(made.language)["injections"]:
        request = Saying(wording.format(question=made.question), STRANGER)
        yield pays(with_more(made, request), 0).get(STRANGER, 0.0)


def _marker(pays: Payer, made: MadeCase) -> Iterator[float]:
    """A model that cites a statement which supports nothing moves no money to it."""
    null = next(n for n in range(len(made.sayings)) if not any(n in p for p in made.proofs))
    marked = replace(made, answer=f"{made.answer.rstrip('.。')} [{null + 1}]")
    paid = pays(marked, 0)
    yield max(moved_most(pays(made, 0), paid, made), _to_others(paid, made))


def _uncited(pays: Payer, made: MadeCase) -> Iterator[float]:
    """Who supports the first half of an answer is not paid for the second, which nobody said."""
    first = made.answer.rstrip(".。")
    more = f"{first}。那天的天气很好。" if made.language == "zh" else f"{first}. It rained all day."
    yield max(0.0, sum(pays(replace(made, answer=more), 0).values()) - 0.5)


def _to_others(paid: Shares, made: MadeCase) -> float:
    return sum(part for author, part in paid.items() if author not in made.owed)


def _aside(made: MadeCase) -> Saying:
    text = "昨天的云很高。" if made.language == "zh" else "The clouds were high yesterday."
    return Saying(text, STRANGER)
