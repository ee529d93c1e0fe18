"""Ingesting is idempotent, and its counts add up."""

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.pipeline import ingest
from store.engine import read
from store.statements import counts
from tests.fixtures_store import OpenCopy
from tests.ingesting import SmallE5, everything

_TEXTS = st.sampled_from(
    ["1 + 1 = 2", "１ + 1 = 2", "Cat", "cat", "猫。狗。", "\u200bcat", "a\nb", "…"]
)
_NAMES = st.lists(st.sampled_from(["A", "Ａ", "乙", "", "c"]), max_size=2)
_FILES = st.lists(st.lists(st.tuples(_TEXTS, _NAMES), max_size=4), max_size=3)
E5 = SmallE5()


@settings(max_examples=25, deadline=None)
@given(files=_FILES)
def test_twice_is_once(
    migrated_file: Path, open_copy: OpenCopy, files: list[list[tuple[str, list[str]]]]
) -> None:
    """A second run writes nothing, and every occurrence was counted as new text or as duplicate."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number}.jsonl") for number in range(len(files))]
        for path, records in zip(paths, files, strict=True):
            lines = [json.dumps({"text": text, "authors": names}) for text, names in records]
            path.write_text("\n".join(lines), encoding="utf-8")
        with open_copy(migrated_file, Path(folder)) as engine:
            first = ingest(paths, engine=engine, embedder=E5)
            before = everything(engine)
            second = ingest(paths, engine=engine, embedder=E5)
            assert everything(engine) == before
            refused = {each.path for each in second.rejected}  # a stored file is not read again
            stored_count = len(files) - len(refused)
            assert (second.works, second.statements, second.duplicates) == (0, 0, stored_count)
            with read(engine) as s:
                stored = counts(s)
            same_bytes = stored_count - first.works
            assert (stored.works, stored.statements) == (first.works, first.statements)
            assert stored.occurrences == first.statements + first.duplicates - same_bytes
