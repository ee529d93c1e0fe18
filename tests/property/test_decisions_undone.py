"""Any decisions about authors, undone in reverse: everybody is who they were, with their money."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from haozhi.accounting.settle import check_ledger
from store import identities, ledger
from store.engine import Engine, Session, write
from store.errors import HaozhiError
from store.identities import Decided, Named, find_named
from store.identities.money import held_micro
from store.people import get_author
from store.resolution import resolution_of
from tests.identifying import People, Said

NAMES = ("王伟", "鲁迅", "周树人")
_WHO = st.integers(0, 9)
_STEP = st.one_of(
    st.tuples(st.just("merge"), _WHO, _WHO),
    st.tuples(st.just("split"), _WHO, _WHO),
    st.tuples(st.just("confirm"), _WHO, _WHO),
    st.tuples(st.just("alias"), _WHO, _WHO),
    st.tuples(st.just("identify"), _WHO, _WHO),
)


class Undone(Exception):
    """Ends an example: its transaction leaves nothing."""


@pytest.fixture
def said(sqlite_engine: Engine) -> tuple[Said, ...]:
    """Vouched and unvouched authors of three names, each paid for, in two works where they can."""
    people = People(sqlite_engine)
    said = [people.say(name, vouched=True) for name in (*NAMES, *NAMES)]
    said += [people.say(name) for name in (*NAMES, NAMES[0])]
    for each in said:
        people.ask(each)
    return tuple(said)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(_STEP, max_size=12))
def test_decisions_undone_in_reverse_leave_no_trace_but_the_log(
    sqlite_engine: Engine, said: tuple[Said, ...], steps: list[tuple[str, int, int]]
) -> None:
    """After each undo everybody is who they were before the decision, and has the money of then."""
    with suppress(Undone), write(sqlite_engine) as s:
        states, made = [state(s, said)], list[Decided]()
        for step in steps:
            if done := decide(s, said, made, *step):
                made.append(done)
                states.append(state(s, said))
        assert check_ledger(s) == ()
        for done in reversed(made):
            assert states.pop() == state(s, said)
            identities.undo(s, done.decision.id, "root")
        assert states.pop() == state(s, said)
        assert check_ledger(s) == ()
        raise Undone


def decide(
    s: Session, said: tuple[Said, ...], made: list[Decided], kind: str, one: int, other: int
) -> Decided | None:
    """The decision, about authors of the beginning or made since; None when it is refused."""
    ids = [each.author_id for each in said]
    ids += [done.decision.subject for done in made if done.decision.kind == "split"]
    author, second = ids[one % len(ids)], ids[other % len(ids)]
    deciding: dict[str, Callable[[], Decided]] = {
        "merge": lambda: identities.merge(s, author, second, "root"),
        "split": lambda: identities.split(s, author, [said[other].work_id], "root"),
        "confirm": lambda: identities.confirm(s, author, "root"),
        "alias": lambda: identities.add_alias(s, author, f"{other}号", "root", "default"),
        "identify": lambda: identities.identify(s, author, f"https://a.example/{other}", "root"),
    }
    try:
        with s.begin_nested():
            return deciding[kind]()
    except HaozhiError:
        return None


def state(s: Session, said: tuple[Said, ...]) -> Any:
    """Who says what, who is meant by the names, and what everybody of the beginning has."""
    ids = sorted({each.author_id for each in said})
    whose = resolution_of(s, ids)
    held = held_micro(s, ids)
    return (
        [whose.author(each.author_id, each.work_id) for each in said],
        [meant(s, name) for name in (*NAMES, *(f"{number}号" for number in range(10)))],
        {i: ledger.balance(s, f"holder:{get_author(s, i).holder_id}") for i in ids},
        {i: held.get(i, 0) for i in ids},
    )


def meant(s: Session, name: str) -> str | None:
    """Whom a vouched name means; several are somebody too."""
    try:
        return find_named(s, Named(name), "default", None)
    except HaozhiError as error:
        return str(error)
