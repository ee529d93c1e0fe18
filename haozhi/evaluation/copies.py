"""How far credit reaches the original: texts of a known kind are ingested, then asked for credit.

FOLDER/file_information.csv names each `File`, its `Task` and `Category`: `orig`, `non` (written
without the original), `cut`, `light` and `heavy` (copied with ever more changes). The name of a
file begins with its author's, before the first `_`.
"""

import csv
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from haozhi.app import App
from ingest.decoding import decode
from ingest.options import IngestOptions
from ingest.pipeline import ingest
from store.clock import now_us
from store.engine import Session, read
from store.errors import BadInput
from store.lexical.tokens import units
from store.people import author_names
from store.statements import Filters, get_statements, representatives, wanted_ids
from store.works import get_work

TABLE = "file_information.csv"
ORIGINAL = "orig"
CATEGORIES = ("cut", "light", "heavy", "non")
FIRST_DAY, LATER_DAY = "2000-01-01", "2009-01-01"
LEAST_RUN = 8
"""Words in a row that a file has in common with the original, if it holds any of its text."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Text:
    """A file of the set; `run` is the longest run of words in common with the task's original."""

    path: Path
    category: str
    run: int

    @property
    def author(self) -> str:
        """As the file's name has it."""
        return self.path.name.partition("_")[0]


@dataclass(frozen=True)
class Credited:
    """A text with its statements, and how many of them the original's author, or a third one, is
    credited for.
    """

    text: Text
    statements: int
    original: int
    others: int


@dataclass(frozen=True)
class Kind:
    """A category: its files; those that hold text of the original; those of which at least one
    statement reaches it, so that its author is credited; its statements, those that reach the
    original, and those that were merged with what a third author wrote.
    """

    files: int
    holding: int
    reached: int
    statements: int
    statements_reached: int
    statements_others: int
    missed: tuple[str, ...]
    """Files that hold text of the original and do not reach it."""


def measure_copies(app: App, folder: Path, progress: Progress) -> dict[str, Kind]:
    """Ingest the set into an empty store, the originals dated first; figures by category.

    BadInput: the folder has another shape.
    """
    texts = load_texts(folder)
    authors = sorted({text.author for text in texts}, key=lambda name: (name != ORIGINAL, name))
    for number, author in enumerate(authors, start=1):
        day = FIRST_DAY if author == ORIGINAL else LATER_DAY
        options = IngestOptions(author=author, published_on=day)
        paths = [text.path for text in texts if text.author == author]
        ingest(paths, engine=app.engine, embedder=app.embedder, options=options)
        progress(number, len(authors))
    with read(app.engine) as session:
        found = [_credited(session, text) for text in texts]
    return {kind: _figures([f for f in found if f.text.category == kind]) for kind in CATEGORIES}


def load_texts(folder: Path) -> list[Text]:
    """The texts that the table names, in its order. BadInput: one is missing, or the table is."""
    try:
        with (folder / TABLE).open(encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(table))
        words = {row["File"]: _words(folder / row["File"]) for row in rows}
        originals = {r["Task"]: words[r["File"]] for r in rows if r["Category"] == ORIGINAL}
        return [
            Text(
                folder / row["File"],
                row["Category"],
                _longest_run(words[row["File"]], originals[row["Task"]]),
            )
            for row in rows
        ]
    except (OSError, KeyError) as error:
        raise BadInput(
            f"{folder} has no {TABLE} with files to measure copies on: {error}"
        ) from error


def _words(path: Path) -> list[str]:
    return units(decode(path.read_bytes())[0])


def _longest_run(one: Sequence[str], other: Sequence[str]) -> int:
    return SequenceMatcher(None, one, other, autojunk=False).find_longest_match().size


def _credited(s: Session, text: Text) -> Credited:
    work = get_work(s, str(text.path))
    ids = wanted_ids(s, Filters(work_id=work.id), now_us()).tolist()
    first = representatives(s, ids, now_us())
    statements = {each.id: each for each in get_statements(s, sorted(set(first.values())))}
    authors = [statements[first[i]].occurrences[0].authors[0].author_id for i in ids]
    names = author_names(s, set(authors))
    said = Counter(names[author] for author in authors)
    others = len(ids) - said[ORIGINAL] - said[text.author]
    return Credited(text, len(ids), said[ORIGINAL], others)


def _figures(found: Sequence[Credited]) -> Kind:
    holding = [each for each in found if each.text.run >= LEAST_RUN]
    return Kind(
        files=len(found),
        holding=len(holding),
        reached=sum(each.original > 0 for each in found),
        statements=sum(each.statements for each in found),
        statements_reached=sum(each.original for each in found),
        statements_others=sum(each.others for each in found),
        missed=tuple(each.text.path.name for each in holding if not each.original),
    )
