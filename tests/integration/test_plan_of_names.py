"""What a plan says of names that earlier files, or earlier rows, of the same run make somebody."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from ingest.pipeline import ingest, plan
from store.engine import Engine, read
from store.people import find_authors
from tests.ingesting import SmallE5

ONE, OTHER = "0000-0002-1825-0097", "0000-0001-5109-3700"
TEXTS = {"王伟": "院子里的第{}棵橡树很老。", "Wei Wang": "The oak of number {} is very old."}
NAMES = pytest.mark.parametrize("name", TEXTS)
_IDS = re.compile(", use an id: .*")


def table(name: str, *rows: tuple[int, str]) -> str:
    """A CSV file of numbered texts by this name, each with an ORCID or none."""
    lines = [f"{TEXTS[name].format(number)},{name},{orcid}" for number, orcid in rows]
    return "\n".join(["text,author,author_orcid", *lines]) + "\n"


def planned_and_done(
    engine: Engine, place: Path, files: Mapping[str, str]
) -> tuple[list[list[str]], list[str]]:
    """What each file's names mean by the plan, and the reasons of rows that plan and run reject."""
    folder = place / "files"
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    plans = list(plan([folder], engine=engine))
    report = ingest([folder], engine=engine, embedder=SmallE5())
    # Who is not stored yet has no id to be shown.
    promised, done = (
        [(each.path, each.line, _IDS.sub("", each.reason)) for each in rejected]
        for rejected in ([each for p in plans for each in p.rejected], report.rejected)
    )
    assert promised == done
    assert sum(each.counts.new for each in plans) == report.statements
    return [[n.meaning for n in each.names] for each in plans], [reason for *_, reason in done]


@NAMES
def test_a_plan_refuses_a_name_that_earlier_files_give_to_two(
    engine: Engine, tmp_path: Path, name: str
) -> None:
    """A bare name after two new authors of that name is refused, by the plan as by the run."""
    files = {
        "p1/poems.csv": table(name, (1, ONE)),
        "p2/murals.csv": table(name, (2, OTHER)),
        "t.csv": table(name, (3, ""), (4, "")),
    }
    meanings, reasons = planned_and_done(engine, tmp_path, files)
    assert meanings == [["new"], ["new"], ["refused"]]
    assert reasons[:2] == [f"2 authors are called {name!r}"] * 2


@NAMES
def test_whom_an_earlier_file_makes_is_known(engine: Engine, tmp_path: Path, name: str) -> None:
    """A later file with the bare name, or with an ORCID that it adds, makes nobody new."""
    files = {
        "a.csv": table(name, (1, "")),
        "b.csv": table(name, (2, ""), (3, ONE)),
        "c.csv": table(name, (4, ONE), (5, OTHER)),
    }
    meanings, reasons = planned_and_done(engine, tmp_path, files)
    assert (meanings, reasons) == ([["new"], ["known", "known"], ["known", "new"]], [])
    with read(engine) as s:
        assert len(find_authors(s, name, "default")) == 2


@NAMES
def test_a_row_is_refused_whose_name_rows_before_give_to_two(
    engine: Engine, tmp_path: Path, name: str
) -> None:
    """Within a file it is the same: the row stays out, and the rest goes in."""
    files = {"a.csv": table(name, (1, ONE), (2, OTHER), (3, ""))}
    meanings, reasons = planned_and_done(engine, tmp_path, files)
    assert meanings == [["new", "new", "refused"]]
    assert reasons == [f"2 authors are called {name!r}"]


@NAMES
def test_a_rejected_file_makes_nobody(engine: Engine, tmp_path: Path, name: str) -> None:
    """Nobody is expected of rows that go nowhere."""
    row = TEXTS[name].format(1)
    files = {
        "a.jsonl": f'{{"text": "{row}", "authors": ["{name}", "{"A" * 2000}"]}}\n',
        "b.csv": table(name, (2, "")),
    }
    meanings, _ = planned_and_done(engine, tmp_path, files)
    assert meanings[-1] == ["new"]
