"""What a block of a test asks of the database, for tests that say how many queries there are."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event

from store.engine import Engine, Session


@contextmanager
def queries_of(asked: Session | Engine) -> Iterator[list[str]]:
    """The statements that are sent while the block runs, in order."""
    bind = asked.get_bind() if isinstance(asked, Session) else asked
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    event.listen(bind, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(bind, "before_cursor_execute", note)
