"""The display budget: how much of one work one asker is shown, all answers together.

So that a book cannot be read out by asking question after question. A statement that the asker was
shown before costs nothing again; one that does not fit is left out of the context, for this asker,
before anything is generated from it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from store.engine import Session
from store.records import Statement
from store.rights import shown_to


@dataclass(frozen=True)
class DisplayBudget:
    """At most `chars` code points of each work may be shown to the asker."""

    asker_id: str
    chars: int


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
