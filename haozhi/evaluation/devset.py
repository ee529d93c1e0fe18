"""Questions with their accepted answers over small corpora, read from a folder of JSON lines.

FOLDER/HALF.jsonl           one Item per line
FOLDER/corpora/NAME.jsonl   one Record per line, as `haozhi ingest` reads it
"""

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import ConfigDict, StringConstraints, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from haozhi.language import Language
from store.errors import BadInput

Kind = Literal["single", "pair", "sum", "unanswerable"]
Text = Annotated[str, StringConstraints(pattern=r"\S")]

_EXACT = ConfigDict(extra="forbid", strict=True)
_Row = TypeVar("_Row")


@dataclass(frozen=True, config=_EXACT)
class Record:
    """One statement of a corpus and who said it."""

    text: Text
    author: Text
    date: dt.date | None = None


@dataclass(frozen=True)
class Corpus:
    """The statements that a question is asked over; `path` is the file to ingest."""

    name: str
    path: Path
    records: tuple[Record, ...]

    @property
    def authors(self) -> frozenset[str]:
        """Everybody who said something in it."""
        return frozenset(record.author for record in self.records)


@dataclass(frozen=True, config=_EXACT)
class Item:
    """A question, what answers it, and the authors without whom it cannot be answered.

    `accept` and `needed` are empty exactly when nothing in the corpus answers the question; `pair`
    and `sum` need two authors or more. `cross`: the needed statement is in the other language.
    """

    id: Text
    language: Language
    question: Text
    corpus: Text
    kind: Kind
    accept: tuple[Text, ...]
    reject: tuple[Text, ...]
    needed: tuple[Text, ...]
    cross: bool

    def __post_init__(self) -> None:
        if self.answerable != bool(self.accept):
            raise ValueError(f"{self.kind} and {len(self.accept)} accepted answers do not agree")
        least = {"single": 1, "pair": 2, "sum": 2, "unanswerable": 0}[self.kind]
        if len(set(self.needed)) < least or (not self.answerable and self.needed):
            raise ValueError(f"{self.kind} and {len(self.needed)} needed authors do not agree")

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return self.kind != "unanswerable"


@dataclass(frozen=True)
class DevSet:
    """One half of the set: its items in file order, and their corpora by name."""

    items: tuple[Item, ...]
    corpora: Mapping[str, Corpus]


def load_devset(folder: Path, half: str = "dev") -> DevSet:
    """Read FOLDER/HALF.jsonl and the corpora that it names.

    Raises BadInput with file and line for anything missing, malformed, doubled or contradictory.
    """
    path = folder / f"{half}.jsonl"
    items = _rows(path, Item)
    corpora: dict[str, Corpus] = {}
    seen: set[str] = set()
    for number, item in enumerate(items, start=1):
        where = f"{path}:{number}"
        if item.id in seen:
            raise BadInput(f"{where}: the id {item.id} is taken: give every item its own")
        seen.add(item.id)
        if item.corpus not in corpora:
            corpora[item.corpus] = load_corpus(folder, item.corpus)
        if strangers := set(item.needed) - corpora[item.corpus].authors:
            raise BadInput(f"{where}: {', '.join(sorted(strangers))}: no author in {item.corpus}")
    return DevSet(items, corpora)


def load_corpus(folder: Path, name: str) -> Corpus:
    """Read FOLDER/corpora/NAME.jsonl; raises BadInput with file and line."""
    path = folder / "corpora" / f"{name}.jsonl"
    return Corpus(name, path, _rows(path, Record))


def _rows(path: Path, kind: type[_Row]) -> tuple[_Row, ...]:
    """Every line of the file as a `kind`; a line that is none, and an empty file, are errors."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read as UTF-8 text: {error}") from None
    if not lines:
        raise BadInput(f"{path}: is empty")
    adapter = TypeAdapter(kind)
    return tuple(_row(adapter, line, f"{path}:{n}") for n, line in enumerate(lines, start=1))


def _row(adapter: TypeAdapter[_Row], line: str, where: str) -> _Row:
    try:
        return adapter.validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"{where}: {field or 'line'}: {first['msg']}") from None
