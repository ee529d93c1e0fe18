"""Which work a statement was found in for an answer."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.schema import ContextRow, OccurrenceRow

#: An answer and a statement of a line; either may be missing.
AnswerStatement = tuple[str | None, int | None]


class Works:
    """Looks works up and remembers those of statements that stand in one work only."""

    def __init__(self, s: Session) -> None:
        self._s = s
        self._first: dict[int, str] = {}
        self._several: set[int] = set()

    def of_pairs(self, pairs: Collection[AnswerStatement]) -> dict[AnswerStatement, str | None]:
        """The work of each statement, for its answer where it stands in several works.

        What the answer's context does not say is the work it stood in first; None: in none.
        """
        self._learn({i for _, i in pairs if i is not None} - self._first.keys())
        found = {pair: None if pair[1] is None else self._first.get(pair[1]) for pair in pairs}
        return found | self._noted([pair for pair in pairs if pair[1] in self._several])

    def _learn(self, statement_ids: Collection[int]) -> None:
        if not statement_ids:
            return
        query = select(OccurrenceRow.statement_id, OccurrenceRow.work_id)
        query = query.where(OccurrenceRow.statement_id.in_(statement_ids))
        for statement_id, work_id in self._s.execute(query.order_by(OccurrenceRow.id)):
            if self._first.setdefault(statement_id, work_id) != work_id:
                self._several.add(statement_id)

    def _noted(self, pairs: Collection[AnswerStatement]) -> dict[AnswerStatement, str | None]:
        """The work of the occurrence that the answer credited."""
        if not pairs:
            return {}
        query = (
            select(ContextRow.answer_id, ContextRow.statement_id, OccurrenceRow.work_id)
            .join(OccurrenceRow, OccurrenceRow.id == ContextRow.occurrence_id)
            .where(ContextRow.answer_id.in_({answer_id for answer_id, _ in pairs}))
        )
        return {(a, i): work_id for a, i, work_id in self._s.execute(query) if (a, i) in pairs}
