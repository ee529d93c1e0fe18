"""Rows of tables: how a file separates its cells, which row names the columns, how a row reads."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence

from ingest.fields import has_text
from store.errors import BadInput

Row = tuple[int, list[str] | BadInput]
"""The 1-based line where a row begins, and its cells or why they cannot be read."""

_DELIMITERS = ",;\t|"
_SNIFFED_LINES = 200


def rows_in(text: str, text_names: Sequence[str] = ()) -> Iterator[Row]:
    """The rows that are not blank, by the separator under which a column is named `text`.

    Without such a column, by the separator that cuts most rows into the same number of cells.
    """
    lines = list(io.StringIO(text, newline=""))
    return _rows(lines, max(_DELIMITERS, key=lambda d: _fitness(lines, d, text_names)))


def named_columns(rows: Sequence[list[str]]) -> tuple[list[str], int]:
    """The names of the columns, and how many rows they take: 1, or 0 for no names.

    The first row has names when it names one of our fields or has distinct words in all its cells;
    the first column alone may be unnamed. A table of one row has none.
    """
    if not rows:
        return [], 0
    names = [" ".join(name.split()) for name in rows[0]]
    if has_text(list(map(str.lower, names))):
        return names, 1
    filled = [name for name in names[1:] if name]
    words = [name for name in names if name and not _is_number(name)]
    are_names = len(filled) == len(names) - 1 and len(words) == len([n for n in names if n])
    if len(rows) > 1 and are_names and len(set(names)) == len(names) and any(names):
        return names, 1
    return [], 0


def row_text(names: Sequence[str], cells: Sequence[str]) -> str:
    """A row as a text, `name: cell; name: cell`; a column without a name only counts the rows."""
    folded = [" ".join(cell.split()) for cell in cells]
    if not names:
        return "; ".join(filter(None, folded))
    named = zip(names, folded, strict=True)
    return "; ".join(f"{name}: {cell}" for name, cell in named if name and cell)


def _is_number(text: str) -> bool:
    return text.replace(".", "").replace(",", "").replace("-", "").isdigit()


def _fitness(
    lines: list[str], delimiter: str, text_names: Sequence[str]
) -> tuple[bool, float, int]:
    """How well a separator fits: names the text, share of rows that agree, cells in each."""
    rows = [row for _, row in _rows(lines[:_SNIFFED_LINES], delimiter) if isinstance(row, list)]
    if not rows:
        return False, 0, 0
    header = [name.strip().lower() for name in rows[0]]
    width, agreeing = Counter(map(len, rows)).most_common(1)[0]
    names_text = has_text(header) or any(name in header for name in text_names)
    return names_text, agreeing / len(rows) if width > 1 else 0, width


def _rows(lines: list[str], delimiter: str) -> Iterator[Row]:
    """The rows that are not blank; after a broken one, reading goes on with the next line.

    Without that, a quote that nobody closes would swallow the rest of the file.
    """
    first = 0
    while first < len(lines):
        rest = (lines[index] for index in range(first, len(lines)))  # a slice would be quadratic
        reader = csv.reader(rest, delimiter=delimiter, strict=True)
        done = 0
        try:
            for row in reader:
                if any(cell.strip() for cell in row):
                    yield first + done + 1, row
                done = reader.line_num
            return
        except csv.Error as error:
            yield first + done + 1, BadInput(f"not a row: {error}")
        first += done + 1
