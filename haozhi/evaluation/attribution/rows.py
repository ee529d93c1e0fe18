"""Measurements as lines of JSON that a killed run leaves whole: one line per item and method."""

import fcntl
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from store.errors import BadInput, StoreBusy

Key = tuple[str, str, str, int]

#: How every row begins, a torn one too.
_START = b'{"posed": '


@dataclass(frozen=True)
class Row:
    """What one method found for one item (`posed` is its key) with one model.

    `influence` are nats per statement, `values` the nats of all coalitions where a method evaluates
    them (number b holds statement i where bit i of b is set). Seconds are the processor's and the
    wall's, `answer_…` those of the answer's own prefill and decoding, measured beside it.
    """

    posed: str
    method: str
    model: str
    version: int
    influence: tuple[float, ...]
    cpu_s: float
    wall_s: float
    answer_cpu_s: float
    answer_wall_s: float
    values: tuple[float, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """A row of the same key says the same again."""
        return self.posed, self.method, self.model, self.version


class Rows:
    """The rows of a file; what is added is on disk before anything else happens."""

    def __init__(self, file: IO[bytes], found: Iterable[Row]) -> None:
        self._file = file
        self._rows = {row.key: row for row in found}

    def find(self, key: Key) -> Row | None:
        """The newest row of a key."""
        return self._rows.get(key)

    def add(self, row: Row) -> None:
        """Keep a row; an earlier one of its key no longer counts."""
        self._file.write(json.dumps(asdict(row)).encode() + b"\n")
        self._file.flush()
        self._rows[row.key] = row


@contextmanager
def open_rows(path: Path) -> Iterator[Rows]:
    """The rows of a file, which is made where it is missing; a torn last line is dropped.

    StoreBusy: another run writes to it. BadInput: it holds something else.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b")
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreBusy(f"another run writes to {path}") from error
        file.seek(0)
        *lines, torn = file.read().split(b"\n")
        found = [_row(path, line) for line in lines]
        if not torn.startswith(_START[: len(torn)]):
            raise _no_rows(path)
        file.truncate(sum(len(line) + 1 for line in lines))
        yield Rows(file, found)


def _row(path: Path, line: bytes) -> Row:
    try:
        fields: dict[str, Any] = json.loads(line)
        fields |= {name: tuple(fields[name]) for name in ("influence", "values")}
        return Row(**fields)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _no_rows(path) from error


def _no_rows(path: Path) -> BadInput:
    return BadInput(f"{path} is not a file of rows: name another with --rows")
