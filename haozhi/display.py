"""How much of a work is shown: of one statement by its grants, of all of it by a budget per asker.

With the budget a book cannot be read out by asking question after question. A statement that the
asker was shown before costs nothing again; one that does not fit is left out of the context, for
this asker, before anything is generated from it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from haozhi.accounting.policy import Policy
from store.engine import Session
from store.records.answers import Answer
from store.records.corpus import Statement
from store.rights import FREE, Display, Place, displays, places_of, shown_to


@dataclass(frozen=True)
class DisplayBudget:
    """At most `chars` code points of each work may be shown to the asker."""

    asker_id: str
    chars: int


def budget_of(policy: Policy, asker_id: str) -> DisplayBudget | None:
    """What a policy lets an asker be shown; None: everything."""
    most = policy.display_budget_chars
    return None if most is None else DisplayBudget(asker_id, most)


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


def place_of(statement: Statement) -> Place:
    """Where a statement is shown from: it counts for the work of its credited occurrence."""
    credited = statement.occurrences[0]
    return Place(statement.id, credited.work_id, credited.end - credited.start)


def over_budget(
    session: Session, budget: DisplayBudget | None, places: Iterable[Place]
) -> frozenset[int]:
    """Ids of the statements that do not fit the asker's budget, taken in this order.

    No budget: everything fits.
    """
    taken = list(places)
    if budget is None or not taken:
        return frozenset()
    shown = shown_to(session, budget.asker_id, {place.work_id for place in taken})
    return _over(taken, shown, budget.chars)


def answer_over_budget(session: Session, answer: Answer, policy: Policy) -> frozenset[int]:
    """Ids of the statements of an answer, not stored yet, that no longer fit its asker's budget.

    Another question of the same asker may have used up the room while this one was answered.
    """
    budget = budget_of(policy, answer.asker_id)
    found = places_of(session, [c.occurrence_id for c in answer.context if c.occurrence_id])
    return over_budget(session, budget, found)


def _over(
    places: Iterable[Place], shown: Mapping[str, Mapping[int, int]], most: int
) -> frozenset[int]:
    used = {work_id: sum(lengths.values()) for work_id, lengths in shown.items()}
    over = set()
    for place in places:
        if place.statement_id in shown.get(place.work_id, {}):
            continue
        total = used.get(place.work_id, 0) + place.chars
        if total > most:
            over.add(place.statement_id)
        else:
            used[place.work_id] = total
    return frozenset(over)
