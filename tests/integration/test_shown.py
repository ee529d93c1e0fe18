"""What is shown of a text: as much as its grants allow, and otherwise why it is not there."""

from typing import Any

import pytest
from sqlalchemy import Engine

from haozhi.display import Shown, shown_texts
from haozhi.provenance import explain
from store.engine import read, write
from store.people import add_author
from store.records.corpus import AuthorShare
from store.rights import NewGrant, add_grant, add_holder
from store.statements import NewStatement, add_statements, get_statements
from store.works import NewWork, add_work
from tests.books import an_answer

TEXT = "我家猫叫团子，它喜欢睡觉。"
PAST = 1


@pytest.fixture
def place(engine: Engine) -> int:
    """The occurrence of one statement by 苏禾."""
    with write(engine) as s:
        author = AuthorShare(add_author(s, "苏禾", "x"), 1_000_000)
        about = ("public", "w", 1, "w", "w", "text/plain", "utf-8", "x", TEXT)
        new = NewStatement(TEXT, "zh", 0, len(TEXT), (author,))
        (added,) = add_statements(s, add_work(s, NewWork(*about)), "public", [new])
    return added.occurrence_id


def _grant(engine: Engine, **uses: Any) -> None:
    with write(engine) as s:
        work = get_statements(s, [1])[0].occurrences[0].work_id
        add_grant(s, NewGrant(work, add_holder(s, "Press"), 0, **uses), "x")


CASES: dict[str, tuple[dict[str, int | bool], Shown]] = {
    "enough": ({"display_chars": len(TEXT)}, Shown(TEXT, "whole")),
    "some": ({"display_chars": 6}, Shown(TEXT[:6], "cut")),
    "nothing": ({"display_chars": 0}, Shown(None, "forbidden")),
    "forbidden": ({"may_display": False}, Shown(None, "forbidden")),
    "ended": ({"valid_until_us": PAST}, Shown(None, "not_granted")),
}


@pytest.mark.parametrize("case", CASES)
def test_a_text_is_cut_to_what_its_grants_allow(engine: Engine, place: int, case: str) -> None:
    """Unknown places and works without grants show all; a text that is gone is deleted."""
    texts = [(TEXT, place), (TEXT, None), (None, place)]
    with read(engine) as s:
        free = shown_texts(s, texts)
    assert free == (Shown(TEXT, "whole"), Shown(TEXT, "whole"), Shown(None, "deleted"))
    uses, expected = CASES[case]
    _grant(engine, **uses)
    with read(engine) as s:
        assert shown_texts(s, texts) == (expected, *free[1:])


@pytest.mark.parametrize(
    ("uses", "told"),
    [
        ({}, f"苏禾（{TEXT[:-1]}）说过这句话"),
        ({"display_chars": 6}, f"苏禾（{TEXT[:6]}…）说过这句话"),
        ({"may_display": False}, "苏禾说过这句话"),
    ],
)
def test_who_tells_no_more_of_a_text_than_may_be_shown(
    engine: Engine, place: int, uses: dict[str, int | bool], told: str
) -> None:
    """The sentence that names authors stays when their words may not be quoted."""
    _grant(engine, **uses)
    with read(engine) as s:
        (statement,) = get_statements(s, [1])
        author = statement.occurrences[0].authors[0].author_id
        entry = an_answer().context[0]
        player = f"{author}:1000000"
        context = (type(entry)(**(vars(entry) | {"occurrence_id": place, "player": player})),)
        answer = an_answer(kind="who", context=context, language="zh")
        assert told in explain(s, answer, {1: "stated"}, "said")
