"""Whom the names of files mean: what a person says of a file, and what a file says of itself."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ingest.options import IngestOptions
from ingest.pipeline import ingest
from store.engine import Engine, read
from store.errors import BadInput, UsageError
from store.identities import list_waiting
from store.people import author_names
from store.schema import WorkRow
from store.statements import find_by_text
from store.unresolved import unresolved_among
from tests.ingesting import SmallE5

ORCID = "0000-0002-1825-0097"
BYLINED = "Trees\n\nBy Wei Wang\n\nThe oldest oak of number {} is called Boris.\n"
OAK = "The oldest oak of number {} is called Boris."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    found = tmp_path / "files"
    found.mkdir()
    return found


def bring_in(engine: Engine, folder: Path, files: Mapping[str, str], **options: Any) -> None:
    """Write the files and ingest the folder."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    report = ingest([folder], engine=engine, embedder=SmallE5(), options=IngestOptions(**options))
    assert report.rejected == ()


def said_by(engine: Engine, text: str) -> tuple[str, str, bool]:
    """Id and name of the author of a text, and whether the author is unresolved."""
    with read(engine) as s:
        statement = find_by_text(s, text, "public")
        assert statement is not None
        (share,) = statement.occurrences[0].authors
        unresolved = bool(unresolved_among(s, [share.author_id]))
        return share.author_id, author_names(s, [share.author_id])[share.author_id], unresolved


def test_bylines_of_unrelated_files_are_no_one_person(engine: Engine, folder: Path) -> None:
    """Without a namespace each file has an unresolved author of its own; with one they are one."""
    bring_in(engine, folder, {f"{n}.txt": BYLINED.format(n) for n in (1, 2)})
    one, other = (said_by(engine, OAK.format(n)) for n in (1, 2))
    assert one[1:] == other[1:] == ("Wei Wang", True)
    assert one[0] != other[0]
    with read(engine) as s:
        assert {each.author_id for each in list_waiting(s, 10)} == {one[0], other[0]}
    bring_in(engine, folder, {f"{n}.txt": BYLINED.format(n) for n in (3, 4)}, namespace="park")
    third, fourth = (said_by(engine, OAK.format(n)) for n in (3, 4))
    assert third == fourth
    assert third[1:] == ("Wei Wang", False)


def test_a_changed_file_keeps_its_unresolved_author(engine: Engine, folder: Path) -> None:
    """The next version of a work meets the author whom the version before made."""
    bring_in(engine, folder, {"a.txt": BYLINED.format(1)})
    before = said_by(engine, OAK.format(1))
    bring_in(engine, folder, {"a.txt": BYLINED.format(1) + OAK.format(2) + "\n"})
    assert said_by(engine, OAK.format(1)) == said_by(engine, OAK.format(2)) == before


def test_what_a_person_says_beats_what_the_file_says(engine: Engine, folder: Path) -> None:
    """`--author`, then a row's own column or front matter, then sidecar, then manifest, then the
    byline; only the last is not vouched for.
    """
    files = {
        "byline.txt": BYLINED.format(1),
        "manifest.meta.json": json.dumps({"m*.txt": {"author": "王芳"}}),
        "manifested.txt": BYLINED.format(2),
        "msidecar.txt": BYLINED.format(3),
        "msidecar.txt.meta.yaml": "author: 李娜\n",
        "front.md": f"---\nauthor: 赵敏\n---\n\n{OAK.format(4)}\n",
        "front.meta.yml": "authors: [nobody, else]\ntitle: 橡树\n",
        "rows.jsonl": json.dumps({"text": OAK.format(5), "author": "陈静"}) + "\n",
        "rows.meta.json": json.dumps({"author": "else"}),
    }
    bring_in(engine, folder, files)
    found = [said_by(engine, OAK.format(n))[1:] for n in range(1, 6)]
    assert found == [
        ("Wei Wang", True),
        ("王芳", False),
        ("李娜", False),
        ("赵敏", False),
        ("陈静", False),
    ]
    with read(engine) as s:
        assert s.scalar(select(WorkRow.title).where(WorkRow.path.endswith("front.md"))) == "橡树"
    bring_in(engine, folder, {"given.txt": BYLINED.format(6)}, author="刘洋")
    assert said_by(engine, OAK.format(6))[1:] == ("刘洋", False)


def test_an_identifier_is_the_same_author_in_every_kind_of_file(
    engine: Engine, folder: Path
) -> None:
    """A column, front matter and a sidecar with one ORCID name one person, by whatever name."""
    row = {"text": OAK.format(1), "author": "Wei Wang", "author_orcid": ORCID}
    bring_in(engine, folder, {"rows.jsonl": json.dumps(row)}, namespace="one")
    files = {
        "front.md": f"---\nauthor: 王伟\norcid: https://orcid.org/{ORCID}\n---\n\n{OAK.format(2)}\n",
        "plain.txt": OAK.format(3) + "\n",
        "plain.meta.json": json.dumps({"author_identifier": f"orcid:{ORCID}"}),
    }
    bring_in(engine, folder, files, namespace="other")
    assert len({said_by(engine, OAK.format(n)) for n in (1, 2, 3)}) == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"author_orcid": "0000-0002-1825-0098"}, "check digit"),
        ({"author_isni": "12"}, "16 digits"),
        ({"author_url": "http://example.org/"}, "no identifier"),
        ({"author_orcid": ORCID, "author_isni": ORCID}, "give one of them"),
        ({"author_orcid": [ORCID, ORCID]}, "2 identifiers are given for 1 authors"),
    ],
)
def test_a_wrong_identifier_rejects_its_row(
    sqlite_engine: Engine, folder: Path, fields: dict[str, object], reason: str
) -> None:
    """A slip in an identifier is no other person: the row stays out, the rest goes in."""
    rows = [{"text": OAK.format(1), "author": "A"} | fields, {"text": OAK.format(2)}]
    path = folder / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    report = ingest([path], engine=sqlite_engine, embedder=SmallE5())
    (rejected,) = report.rejected
    assert (rejected.line, report.statements) == (1, 1)
    assert reason in rejected.reason


def test_licences_are_spdx_expressions(sqlite_engine: Engine, folder: Path) -> None:
    """They are stored in their usual spelling; one that is none is an error or a note."""
    files = {
        "front.md": f"---\nlicence: cc-by-4.0 or mit\n---\n\n{OAK.format(1)}\n",
        "plain.txt": OAK.format(2) + "\n",
        "plain.txt.meta.json": json.dumps({"license": "CC0-1.0"}),
        "wrong.md": f"---\nlicence: all mine\n---\n\n{OAK.format(3)}\n",
    }
    bring_in(sqlite_engine, folder, files)
    with read(sqlite_engine) as s:
        query = select(WorkRow.licence).order_by(WorkRow.path)
        assert s.scalars(query).all() == ["CC-BY-4.0 OR MIT", "CC0-1.0", None]
    for options, error in (
        ({"licence": "CC BY"}, BadInput),
        ({"namespace": "work:w1"}, UsageError),
    ):
        with pytest.raises(error):
            bring_in(sqlite_engine, folder, {}, **options)


def test_a_sidecar_that_cannot_be_read_rejects_its_file(
    sqlite_engine: Engine, folder: Path
) -> None:
    """A file goes nowhere rather than to another author than the one that stands beside it."""
    for name, text in (("a.meta.json", "{"), ("b.meta.yaml", "author: [a"), ("c.meta.yml", "x")):
        (folder / name).write_text(text, encoding="utf-8")
        (folder / f"{name[0]}.txt").write_text(BYLINED.format(name), encoding="utf-8")
    report = ingest([folder], engine=sqlite_engine, embedder=SmallE5())
    assert [Path(each.path).name for each in report.rejected] == ["a.txt", "b.txt", "c.txt"]
    assert all(".meta." in each.reason for each in report.rejected)
    assert report.works == 0
