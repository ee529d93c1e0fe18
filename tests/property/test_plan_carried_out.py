"""A plan is exactly what the run that follows does, whatever was stored before."""

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sqlalchemy import Engine, text

from ingest.options import IngestOptions
from ingest.pipeline import IngestReport, ingest, plan
from store import lexical
from store.engine import make_engine, read
from store.text import normalise
from tests.ingesting import everything

_TEXTS = st.sampled_from(
    ["1 + 1 = 2", "１ + 1 = 2", "Cat", "cat", "猫。", "狗叫旺财。", "a b", "…"]
)
_NAMES = st.lists(st.sampled_from(["A", "Ａ", "乙"]), max_size=2)
# A file without any statement takes nothing out, so that each has one.
_FILE = st.lists(st.tuples(_TEXTS, _NAMES), min_size=1, max_size=5).filter(
    lambda records: any(said != "…" for said, _ in records)
)
_FOLDER = st.dictionaries(st.sampled_from(["a", "b", "丙"]), _FILE, min_size=1, max_size=3)


class Hashed:
    """Vectors by the hash of a text: enough to be stored, at once."""

    fingerprint = "hashed"
    dim = 4

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, [len(texts), 4]."""
        places = [len(each) % self.dim for each in texts]
        return np.eye(self.dim, dtype=np.float32)[places].reshape(len(texts), self.dim)

    queries = passages


def _write(folder: Path, files: dict[str, list[tuple[str, list[str]]]]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, records in files.items():
        lines = [json.dumps({"text": said, "authors": names}) for said, names in records]
        (folder / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")


def _planned(engine: Engine, folder: Path) -> IngestReport:
    """The report that a plan promises."""
    total = IngestReport()
    for each in plan([folder], engine=engine):
        stored = each.action in ("new", "changed")
        same = each.action in ("duplicate", "unchanged", "moved")
        total += IngestReport(
            works=int(stored),
            statements=each.counts.new,
            duplicates=each.counts.duplicate + same,
            rejected=each.rejected,
            unchanged=each.counts.unchanged,
            removed=each.counts.removed,
        )
    return total


def _standing(engine: Engine) -> set[tuple[object, ...]]:
    """What the texts of works have where a statement stands, with name and part of an author."""
    sql = (
        'SELECT substr(t.text, start + 1, "end" - start), n.name, ppm'
        " FROM occurrences o JOIN works w ON w.id = work_id JOIN work_texts t USING (work_id)"
        ""
        " LEFT JOIN occurrence_shares p ON p.occurrence_id = o.id"
        " LEFT JOIN author_names n USING (author_id) WHERE o.withdrawn_us IS NULL"
    )
    with read(engine) as s:
        rows = s.execute(text(sql)).all()
        assert list(lexical.verify(s)) == []
    # An author's name is as it was written first.
    return {(said, normalise(name or ""), ppm) for said, name, ppm in rows}


@example(  # a file is overwritten with the bytes of one beside it, and moved onto another
    versions=[
        {"a": [("Cat", ["A"])], "b": [("猫。", ["乙"])]},
        {"a": [("猫。", ["乙"])], "b": [("猫。", ["乙"])]},
        {"b": [("a b", ["A"])], "丙": [("cat", [])]},
        {"丙": [("a b", ["A"])]},
    ]
)
@example(  # the bytes of a removed file come back where another one lies, which then changes
    versions=[
        {"丙": [("1 + 1 = 2", ["A"])], "a": [("Cat", [])]},
        {"a": [("1 + 1 = 2", ["A"]), ("Cat", [])]},
        {"a": [("1 + 1 = 2", ["A"])]},
        {"丙": [("a b", ["A"])], "a": [("Cat", [])]},
    ]
)
@example(  # a file's bytes go to another place, and it has others in the same run; two are swapped
    versions=[
        {"丙": [("Cat", ["A"])]},
        {"b": [("Cat", ["A"])], "丙": [("猫。", ["乙"])]},
        {"b": [("猫。", ["乙"])], "丙": [("Cat", ["A"])]},
        {"丙": [("a b", ["A"])]},
        {"a": [("猫。", ["乙"])], "b": [("Cat", [])]},
    ]
)
@settings(max_examples=20, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(versions=st.lists(_FOLDER, min_size=1, max_size=4))
def test_a_run_does_what_its_plan_said(
    migrated_file: Path, versions: list[dict[str, list[tuple[str, list[str]]]]]
) -> None:
    """Planning writes nothing, the run does what was planned, and only the newest files stand."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "folder")
        engine = make_engine(f"sqlite:///{shutil.copy(migrated_file, place)}")
        sync = IngestOptions(sync=True)
        for files in versions:
            _write(folder, files)
            before = everything(engine)
            promised = _planned(engine, folder)
            assert everything(engine) == before
            assert ingest([folder], engine=engine, embedder=Hashed(), options=sync) == promised
        fresh = make_engine(f"sqlite:///{shutil.copy(migrated_file, Path(place, 'fresh.db'))}")
        ingest([folder], engine=fresh, embedder=Hashed())
        assert _standing(engine) == _standing(fresh)
        for each in (engine, fresh):
            each.dispose()
