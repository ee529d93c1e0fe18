"""Where sources disagree both sides are cited and nobody is paid; who else says so is told."""

import pytest

from haozhi.answer_view import Json, answer_view
from haozhi.app import App
from haozhi.ask import AskOptions, ask
from haozhi.cli.answer_text import answer_lines
from haozhi.replay import replay
from store.engine import read
from tests.asking import MakeWorld, asked, told

SAID = [
    ("The Dalka bridge is 1,200 m long.", "Ann", None),
    ("The Dalka bridge is 1,300 m long.", "Ben", None),
    ("奥诺塔高三百米。", "陈一", None),
    ("奥诺塔高400米。", "丁二", None),
    ("Our parrot is called Mango.", "Eve", None),
    ("The name of our parrot is Mango.", "Finn", None),
    ("Mango is the name of our parrot, and he bites.", "Gus", None),
    ("Our canary is called Kiwi.", "Hal", None),
]


@pytest.fixture(scope="module")
def app(world: MakeWorld) -> App:
    """Two bridges of one name, a tower in two heights, and a parrot that many know."""
    return world(SAID)


@pytest.mark.parametrize(
    ("question", "sides", "words"),
    [
        ("How long is the Dalka bridge?", {"Ann", "Ben"}, "sources disagree"),
        ("奥诺塔有多高？", {"陈一", "丁二"}, "来源说法不一"),
    ],
)
def test_both_sides_are_cited_and_nobody_is_paid(
    app: App, question: str, sides: set[str], words: str
) -> None:
    """The weight of the part is unattributed by cause, and a replay says the same."""
    view = asked(app, question)
    (part,) = view["segments"]
    assert part["state"] == "disagree", told(view)
    named = {i for s in part["supports"] for i in s["set"]} | set(part["contradicts"])
    by = {c["statement_id"]: c["authors"][0]["name"] for c in view["context"]}
    assert {by[i] for i in named} == sides
    assert not {i for s in part["supports"] for i in s["set"]} & set(part["contradicts"])
    assert (view["shares"], part["citations"]) == ([], [])
    assert view["unattributed"]["disagree"] == view["unattributed_ppb"] == 10**9
    text = "\n".join(answer_lines(view))
    assert words in text
    assert "[1][2]" in text
    assert replay(app, view["id"]).state == "same"


def test_who_else_says_so_is_told_and_not_paid(app: App) -> None:
    """With one statement read, the others that say the same are named without a share."""
    view = _asked_of_one(app, "What is our parrot called?")
    (part,) = view["segments"]
    (reader,) = view["context"]
    others = {entry["authors"][0]["name"] for entry in view["also"]}
    assert others
    assert others <= {"Eve", "Finn", "Gus"} - {reader["authors"][0]["name"]}
    assert part["also"] == [entry["statement_id"] for entry in view["also"]]
    assert not others & {row["name"] for row in view["shares"]}
    assert "also says so, but was not read for this answer: " in "\n".join(answer_lines(view))
    assert replay(app, view["id"]).state == "same"


def _asked_of_one(app: App, question: str) -> Json:
    answer_id = ask(app, question, AskOptions(top_k=1), asker_id="local")
    with read(app.engine) as session:
        return answer_view(session, answer_id)
