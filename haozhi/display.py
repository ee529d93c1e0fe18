"""How much of a work is shown: of one statement by its grants, of all of it by a budget per asker.

With the budget a book cannot be read out by asking question after question. A statement that the
asker was shown before costs nothing again; one that does not fit is left out of the context, for
this asker, before anything is generated from it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from store.engine import Session
from store.records import Statement
from store.rights import FREE, Display, displays, shown_to


@dataclass(frozen=True)
class DisplayBudget:
    """At most `chars` code points of each work may be shown to the asker."""

    asker_id: str
    chars: int


@dataclass(frozen=True)
class Shown:
    """The text of a statement as it may be shown, and how.

    `display` is `whole`, `cut` (to the characters that a grant allows), or why `text` is None:
    `forbidden` (by a grant in force), `not_granted` (the work has grants, none is in force), or
    `deleted` (there is no text any more).
    """

    text: str | None
    display: str


def shown_texts(
    session: Session, texts: Iterable[tuple[str | None, int | None]]
) -> tuple[Shown, ...]:
    """Each text as it may be shown now, given the occurrence that it is credited at, if known."""
    given = list(texts)
    allowed = displays(session, {place for _, place in given if place is not None})
    return tuple(_shown(text, FREE if place is None else allowed[place]) for text, place in given)


def _shown(text: str | None, allowed: Display) -> Shown:
    if text is None:
        return Shown(None, "deleted")
    if allowed.chars is None or len(text) <= allowed.chars:
        return Shown(text, "whole")
    if allowed.chars == 0:
        return Shown(None, "not_granted" if allowed.reason == "not_granted" else "forbidden")
    return Shown(text[: allowed.chars], "cut")


def over_budget(
    session: Session, budget: DisplayBudget | None, statements: Iterable[Statement]
) -> frozenset[int]:
    """Ids of the statements that do not fit the asker's budget, taken in this order.

    Each counts for the work of its credited occurrence. No budget: everything fits.
    """
    taken = list(statements)
    if budget is None or not taken:
        return frozenset()
    works = {statement.occurrences[0].work_id for statement in taken}
    return _over(taken, shown_to(session, budget.asker_id, works), budget.chars)


def _over(
    statements: Iterable[Statement], shown: Mapping[str, Mapping[int, int]], most: int
) -> frozenset[int]:
    used = {work_id: sum(lengths.values()) for work_id, lengths in shown.items()}
    over = set()
    for statement in statements:
        place = statement.occurrences[0]
        if statement.id in shown.get(place.work_id, {}):
            continue
        total = used.get(place.work_id, 0) + place.end - place.start
        if total > most:
            over.add(statement.id)
        else:
            used[place.work_id] = total
    return frozenset(over)
