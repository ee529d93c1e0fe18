"""`haozhi author queue`, decisions and their undoing: shapes, words, exit codes."""

from pathlib import Path

import pytest

from store.engine import Engine
from tests.identifying import People
from tests.terminal import Terminal

ORCID = "orcid:0000-0002-1825-0097"


@pytest.fixture(autouse=True)
def people(sqlite_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> People:
    """An empty database in the folder that the settings name."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("HAOZHI_DATABASE_URL", raising=False)
    return People(sqlite_engine)


@pytest.fixture
def haozhi(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """The command line."""
    return Terminal(capsys)


def test_the_queue_from_a_byline_to_a_decision_and_back(haozhi: Terminal, people: People) -> None:
    """Who waits, with work, money and candidates; confirmed, nobody waits; undone, again."""
    assert haozhi.text("author", "queue") == "nobody waits for a decision\n"
    known, met = people.say("鲁迅", vouched=True), people.say("魯迅")
    people.ask(met)
    (waiting,) = haozhi.json("author", "queue")["authors"]
    assert waiting == {
        "id": met.author_id,
        "name": "魯迅",
        "works": [{"id": met.work_id, "title": "work 2"}],
        "statements": 1,
        "held_micro": 9_000,
        "candidates": [
            {
                "id": known.author_id,
                "name": "鲁迅",
                "namespace": "default",
                "unresolved": False,
            }
        ],
    }
    assert haozhi.text("author", "queue").splitlines() == [
        f"{met.author_id}  魯迅: 1 statement in work 2, 0.009000 held",
        f"    perhaps {known.author_id}  鲁迅, namespace default",
    ]
    assert "unresolved: nobody vouches for the name; 0.009000 held" in haozhi.text(
        "author", "show", met.author_id
    )
    done = haozhi.json("author", "confirm", met.author_id, "--by", "root")
    assert (done["kind"], done["author_id"], done["released_micro"]) == (
        "confirm",
        met.author_id,
        9_000,
    )
    assert haozhi.json("author", "queue") == {"authors": []}
    assert haozhi.text("author", "undo", done["id"], "--by", "root").splitlines() == [
        "decision 2 by root: undoes decision 1",
        "0.009000 held again",
    ]
    assert haozhi.json("author", "queue")["authors"] == [waiting]
    first, second = haozhi.json("author", "decisions", met.author_id)["decisions"]
    assert (first["undone_by"], second["undoes"], second["decided_by"]) == (2, 1, "root")


def test_merging_naming_identifying_and_splitting(haozhi: Terminal, people: People) -> None:
    """Each command says what it decided; `show` has the names and identifiers of the person."""
    luxun, zhou = people.say("鲁迅", vouched=True), people.say("周树人", vouched=True)
    people.ask(zhou)
    haozhi.text("author", "identify", "鲁迅", ORCID, "--by", "root")
    haozhi.text("author", "alias", "鲁迅", "Lu Xun", "--by", "root")
    assert haozhi.text("author", "merge", "周树人", "鲁迅", "--by", "root").splitlines() == [
        f"decision 3 by root: author {zhou.author_id} is author {luxun.author_id}",
        "0.009000 moved from account to account",
    ]
    shown = haozhi.json("author", "show", "Lu Xun")
    assert (shown["id"], shown["aliases"]) == (luxun.author_id, ["Lu Xun", "周树人"])
    assert (shown["identifiers"], shown["statements"]) == ([ORCID], 2)
    assert f"is author {luxun.author_id}" in haozhi.text("author", "show", zhou.author_id)
    done = haozhi.json("author", "split", "鲁迅", "work 2", "--name", "别人", "--by", "root")
    assert (done["work_ids"], done["author_id"]) == ([zhou.work_id], luxun.author_id)
    assert haozhi.json("author", "show", "别人")["id"] == done["into_id"] == people.credited(zhou)


def test_an_undo_tells_what_stays_and_how_to_move_it(haozhi: Terminal, people: People) -> None:
    """Money earned while a merge stood is told in words and JSON, with the command to move it."""
    luxun, zhou = people.say("鲁迅", vouched=True), people.say("周树人", vouched=True)
    haozhi.text("author", "merge", "周树人", "鲁迅", "--by", "root")
    people.ask(zhou)
    one, other = zhou.author_id, luxun.author_id
    assert haozhi.text("author", "undo", "1", "--by", "root").splitlines() == [
        "decision 2 by root: undoes decision 1",
        f"0.009000 earned meanwhile by what author {one} said stays with author {other}",
        (
            f"to move it, open disputes on those lines of author {other}:"
            f" haozhi dispute open ENTRY LINE --claimant {one}"
        ),
    ]
    haozhi.text("author", "merge", "周树人", "鲁迅", "--by", "root")
    people.ask(zhou)
    done = haozhi.json("author", "undo", "3", "--by", "root")
    assert (done["stays_micro"], done["stays_with"]) == (9_000, luxun.author_id)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("confirm", "nobody"), 3),
        (("confirm", "A"), 4),
        (("merge", "A", "A"), 4),
        (("identify", "A", "orcid:0000-0002-1825-0098"), 4),
        (("split", "A", "no such work"), 3),
        (("undo", "7"), 3),
        (("undo", "x"), 2),
    ],
)
def test_what_cannot_be_is_one_line(
    haozhi: Terminal, people: People, arguments: tuple[str, ...], code: int
) -> None:
    """The exit code says of which kind it is."""
    people.say("A", vouched=True)
    found, out, err = haozhi.run("author", *arguments, "--by", "root")
    assert (found, out) == (code, "")
    assert err.startswith("haozhi: ") or code == 2
