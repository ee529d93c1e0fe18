"""Who is credited for what several said: evidence, then date; import order is not income."""

import random
from collections.abc import Sequence

import pytest
from sqlalchemy import Engine, update
from sqlalchemy.orm import Session

from store.engine import write
from store.people import add_author
from store.records.corpus import AuthorShare
from store.rights import NewGrant, add_grant, add_holder
from store.schema import OccurrenceRow, StatementRow
from store.statements import (
    NewStatement,
    add_statements,
    first_dated,
    get_statements,
    representatives,
    withdraw_statement,
)
from store.works import NewWork, add_work, set_evidence
from tests.counting import queries_of

TEXT = "1 + 1 = 2"
#: How a date is known, the work's date, the date of the line itself.
Dated = tuple[str | None, str | None, str | None]


def _say(
    s: Session, author: str | None, dated: Dated, text: str = TEXT, scope: str = "public"
) -> int:
    """A new work in which an author says a text; the statement's id."""
    evidence, on, own = dated
    name = f"{random.getrandbits(64):x}"
    about = (scope, name, len(text), name, name, "text/plain", "utf-8", "x", text)
    work = add_work(s, NewWork(*about, published_on=on, publication_evidence=evidence))
    shares = (AuthorShare(author, 1_000_000),) if author else ()
    new = NewStatement(text, "en", 0, len(text), shares, published_on=own)
    return add_statements(s, work, scope, [new])[0].statement_id


def _credited(s: Session, statement_id: int) -> list[str]:
    """The authors in the order of credit."""
    (statement,) = get_statements(s, [statement_id])
    return [place.authors[0].author_id for place in statement.occurrences]


def _join(s: Session, ids: Sequence[int]) -> None:
    cluster = get_statements(s, ids[:1])[0].cluster_id
    s.execute(update(StatementRow).where(StatementRow.id.in_(ids)).values(cluster_id=cluster))


#: The first of each pair is credited, whichever was imported first.
BEFORE: list[tuple[str, Dated, Dated]] = [
    ("a date before none", (None, "2020", "2020"), (None, None, None)),
    ("the earlier date", (None, "1999", "1999"), (None, "2005", "2005")),
    ("evidence before an early claim", ("registry", "2020", "2020"), (None, "1850", "1850")),
    ("metadata before a claim", ("metadata", "2020", "2020"), ("claimed", "1850", "1850")),
    ("a signature before metadata", ("signed", "2020", "2020"), ("metadata", "1850", "1850")),
    ("a record before a signature", ("isbn_doi", "2020", "2020"), ("signed", "1850", "1850")),
    # Whoever registers a copy of a book later gains nothing.
    ("the earlier record", ("isbn_doi", "1990", "1990"), ("registry", "2024", "2024")),
    # Evidence of the work is none for an early date that a line inside it claims.
    ("what the evidence is for", ("registry", "1990", "1990"), ("registry", "2001", "1850")),
    ("a line of a recorded work", ("registry", "2001", "1850"), (None, "1840", "1840")),
    # A line that is later than its work's record is as late as it says.
    ("a line's own later date", ("registry", "2005", "2005"), ("registry", "2001", "2010")),
    ("a whole year ends last", (None, "1999-12-30", "1999-12-30"), (None, "1999", "1999")),
    ("a month ends last", (None, "1999-05-30", "1999-05-30"), (None, "1999-05", "1999-05")),
    ("evidence without a date", (None, "2020", "2020"), ("registry", None, None)),
]


@pytest.mark.parametrize("turned", [False, True])
def test_import_order_is_not_income(engine: Engine, turned: bool) -> None:
    """Two works that say the same give the same credited author in both orders of import."""
    for why, *both in BEFORE:
        with write(engine) as s:
            first, second = (add_author(s, name, "x") for name in "AB")
            said = list(zip((first, second), both, strict=True))
            for author, dated in reversed(said) if turned else said:
                statement_id = _say(s, author, dated, text=why)
            assert _credited(s, statement_id) == [first, second], why


def test_registration_only_breaks_ties(engine: Engine) -> None:
    """Of equal evidence and date the one that was stored first is credited."""
    with write(engine) as s:
        authors = [add_author(s, name, "x") for name in "ABC"]
        for author in authors:
            statement_id = _say(s, author, ("registry", "1990", "1990"))
        assert _credited(s, statement_id) == authors


def test_disputed_and_withdrawn_places_are_not_credited(engine: Engine) -> None:
    """A disputed occurrence stands behind all that are not, a withdrawn one nowhere."""
    with write(engine) as s:
        a, b, c = (add_author(s, name, "x") for name in "ABC")
        _say(s, a, ("registry", "1990", "1990"))
        _say(s, b, ("registry", "1980", "1980"))
        statement_id = _say(s, c, (None, None, None))
        first = get_statements(s, [statement_id])[0].occurrences[0]
        s.get_one(OccurrenceRow, first.id).disputed = True
        s.flush()
        assert _credited(s, statement_id) == [a, c, b]
        s.get_one(OccurrenceRow, first.id).withdrawn_us = 1
        s.flush()
        assert _credited(s, statement_id) == [a, c]


def test_many_works_are_ordered_as_the_rule_says(engine: Engine) -> None:
    """Sixty works with every kind of evidence and date: the order in SQL is that of the rule."""
    chance = random.Random(1)
    dates = [None, "1990", "1990-05", "1990-05-07", "1990-12-31", "1991", "2001-01"]
    strength = {"registry": 0, "isbn_doi": 0, "signed": 1, "metadata": 2}

    def rule(numbered: tuple[int, Dated]) -> tuple[int, str, int]:
        number, (evidence, on, own) = numbered
        work, line = ((date or "") + "-99-99" for date in (on, own))
        if evidence in strength and on:
            return strength[evidence], max(work[:10], line[:10]) if own else work[:10], number
        return (3, line[:10], number) if own else (4, "", number)

    kinds = [*strength, "claimed", None]
    dated = [(chance.choice(kinds), chance.choice(dates), chance.choice(dates)) for _ in range(60)]
    with write(engine) as s:
        authors = [add_author(s, f"A{i}", "x") for i in range(len(dated))]
        for author, each in zip(authors, dated, strict=True):
            statement_id = _say(s, author, each)
        expected = [authors[i] for i, _ in sorted(enumerate(dated), key=rule)]
        assert _credited(s, statement_id) == expected


def test_the_first_statement_represents_its_cluster(engine: Engine) -> None:
    """Of near-duplicates the one that was first by the same rule stands for all, in its scope."""
    with write(engine) as s:
        a, b = (add_author(s, name, "x") for name in "AB")
        clone = _say(s, b, (None, "1850", "1850"), "1+1 = 2!")
        first = _say(s, a, ("isbn_doi", "1990", "1990"), "1 + 1 = 2.")
        other = _say(s, b, (None, "1980", "1980"), "the sea")
        private = _say(s, b, (None, "1800", "1800"), "1 + 1 is 2", scope="person:1")
        _join(s, [clone, first, private])
        every = [clone, first, other, private]
        found = {clone: first, first: first, other: other, private: private}
        assert representatives(s, [*every, 999], 10) == found
        withdraw_statement(s, first)
        assert representatives(s, [clone, first], 10) == {clone: clone, first: clone}


def test_a_work_that_may_not_be_used_represents_nothing(engine: Engine) -> None:
    """While the first work's grants forbid it, the next one of the cluster stands for it."""
    with write(engine) as s:
        a, b = (add_author(s, name, "x") for name in "AB")
        first = _say(s, a, (None, "1850", "1850"), "1+1 = 2!")
        second = _say(s, b, (None, "1990", "1990"), "1 + 1 = 2.")
        _join(s, [first, second])
        work = get_statements(s, [first])[0].occurrences[0].work_id
        add_grant(s, NewGrant(work, add_holder(s, "Press"), 0, valid_until_us=100), "x")
        assert representatives(s, [first, second], 99) == {first: first, second: first}
        assert representatives(s, [first, second], 100) == {first: second, second: second}
        work = get_statements(s, [second])[0].occurrences[0].work_id
        add_grant(s, NewGrant(work, add_holder(s, "Other"), 0, may_generate=False), "x")
        assert representatives(s, [first, second], 100) == {}


def test_representatives_take_two_queries(engine: Engine) -> None:
    """However many clusters and copies there are."""
    with write(engine) as s:
        ids = [_say(s, None, (None, None, None), f"{i}") for i in range(30)]
        _join(s, ids[:20])
        with queries_of(s) as queries:
            found = representatives(s, ids, 10)
    assert found == dict.fromkeys(ids[:20], ids[0]) | {i: i for i in ids[20:]}
    assert len(queries) == 2


def test_who_was_first_is_known_of_dated_statements_only(engine: Engine) -> None:
    """Without any date nobody was first."""
    with write(engine) as s:
        undated = _say(s, None, (None, None, None), "one")
        early = _say(s, None, (None, "1850", "1850"), "two")
        recorded = _say(s, None, ("registry", "1990", None), "three")
        assert first_dated(s, [undated], 10) is None
        assert first_dated(s, [undated, early], 10) == early
        assert first_dated(s, [undated, early, recorded], 10) == recorded


def test_evidence_that_is_recorded_later_moves_later_credit(engine: Engine) -> None:
    """A work's own date comes with its evidence; a line that had the old one has the new one."""
    with write(engine) as s:
        a, b = (add_author(s, name, "x") for name in "AB")
        statement_id = _say(s, a, (None, "2005", "2005"))
        _say(s, b, (None, "1999", "1999"))
        place = get_statements(s, [statement_id])[0].occurrences[1]
        assert _credited(s, statement_id) == [b, a]
        set_evidence(s, place.work_id, "registry", "2001-02", "x")
        assert _credited(s, statement_id) == [a, b]
        assert get_statements(s, [statement_id])[0].occurrences[0].published_on == "2001-02"
