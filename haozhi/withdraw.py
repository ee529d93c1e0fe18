"""Taking a statement out: marked in SQL, which filters at once, then removed from the index."""

from dataclasses import dataclass

from store import lexical
from store.engine import Engine, Session, write
from store.errors import NotFound
from store.statements import find_by_text, withdraw_statement
from store.vectors import VectorIndex
from store.vectors.catch_up import catch_up


@dataclass(frozen=True)
class Withdrawn:
    """What a withdrawal took out, by store; all 0 when the statement was withdrawn before."""

    statement_id: int
    words_removed: int
    vectors_removed: int


def withdraw(engine: Engine, index: VectorIndex, statement: str) -> Withdrawn:
    """Withdraw the public statement with this id, or with exactly this text.

    Its row, text and past credit stay. Raises NotFound, and StoreBusy for another writer.
    """
    with write(engine) as session:
        statement_id = statement_named(session, statement)
        words = len(lexical.present(session, [statement_id]))
        withdraw_statement(session, statement_id)
    return Withdrawn(statement_id, words, catch_up(engine, index).removed)


def statement_named(session: Session, statement: str) -> int:
    """The id as it is given, or of the public statement with exactly this text. NotFound."""
    if statement.isascii() and statement.isdigit() and len(statement) < 16:
        return int(statement)
    found = find_by_text(session, statement, "public")
    if found is None:
        raise NotFound(f"no statement has the text {statement!r}")
    return found.id
