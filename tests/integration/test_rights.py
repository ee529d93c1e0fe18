"""Rights: who is paid for a work, from when to when, and what else was true of an answer."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, insert, update
from sqlalchemy.orm import Session

from store import statements as st
from store.clock import now_us
from store.engine import read, write
from store.errors import Ambiguous, BadInput, NotFound
from store.people import add_author, get_author
from store.records.corpus import AuthorShare
from store.records.rights import Entitlement, Holdings
from store.rights import (
    NewGrant,
    add_grant,
    add_holder,
    allowance,
    displays,
    end_grant,
    get_holder,
    holdings_of,
    link_asker,
    list_grants,
    mark_common,
    shown_to,
    unlink_asker,
)
from store.schema import AccountRow, ErasureRow, OccurrenceRow, StatementRow, WorkRow
from store.works import NewWork, add_work

WHOLE = 1_000_000


def _work(
    s: Session, text: str, *authors: str, title: str = "w", **of_work: Any
) -> tuple[str, int]:
    """A work that is one statement by these authors in equal parts; its id and the statement's."""
    about = ("public", title, len(text), title, title, "text/plain", "utf-8", "x", text)
    work_id = add_work(s, NewWork(*about, **of_work))
    shares = tuple(AuthorShare(author, WHOLE // len(authors)) for author in sorted(authors))
    new = st.NewStatement(
        text, "en", 0, len(text), shares, published_on=of_work.get("published_on")
    )
    (added,) = st.add_statements(s, work_id, "public", [new])
    return work_id, added.statement_id


def _occurrence_of(s: Session, statement_id: int) -> dict[int, int]:
    return {statement_id: st.get_statements(s, [statement_id])[0].occurrences[0].id}


def _join(s: Session, statement_ids: Sequence[int]) -> None:
    """Put the statements into the first one's cluster."""
    first = st.get_statements(s, statement_ids[:1])[0].cluster_id
    s.execute(
        update(StatementRow).where(StatementRow.id.in_(statement_ids)).values(cluster_id=first)
    )


def test_a_holder_has_an_account_and_is_found_by_id_label_or_author(engine: Engine) -> None:
    """A holder that is no author can be paid too; a label that fits several is refused."""
    with write(engine) as s:
        press = get_holder(s, add_holder(s, "  Press  "))
        assert (press.author_id, press.label) == (None, "Press")
        assert get_holder(s, "Press") == press
        code = f"holder:{press.id}"
        assert s.query(AccountRow).filter_by(code=code, kind="holder", has_floor=True).count() == 1
        author = get_author(s, add_author(s, "李四", "x"))
        for name in (author.id, "李四", author.holder_id):
            assert get_holder(s, name).id == author.holder_id
        add_holder(s, "李四")
        with pytest.raises(Ambiguous) as caught:
            get_holder(s, "李四")
        assert author.holder_id in caught.value.candidates
        with pytest.raises(NotFound, match="Nobody"):
            get_holder(s, "Nobody")
        with pytest.raises(BadInput):
            add_holder(s, " ")


def test_a_grant_that_cannot_be_is_refused(engine: Engine) -> None:
    """Parts, intervals, characters, terms, holders and works are checked; nothing is written."""
    with write(engine) as s:
        work_id, _ = _work(s, "ab")
        press = add_holder(s, "Press")
        bad: list[tuple[type[Exception], dict[str, Any]]] = [
            (BadInput, {"ppm": -1}),
            (BadInput, {"ppm": WHOLE + 1}),
            (BadInput, {"display_chars": -1}),
            (BadInput, {"valid_from_us": 5, "valid_until_us": 5}),
            (BadInput, {"terms": "no licence at all"}),
            (NotFound, {"holder_id": "h0"}),
            (NotFound, {"work_id": "w0"}),
        ]
        for error, change in bad:
            with pytest.raises(error):
                add_grant(s, replace(NewGrant(work_id, press, 1), **change), "x")
        assert list_grants(s, work_id) == ()


def test_grants_never_exceed_the_whole_at_any_time(engine: Engine) -> None:
    """Overlapping intervals are summed where they overlap; those that follow each other are not."""
    with write(engine) as s:
        work_id, _ = _work(s, "ab")
        a, b, c = (add_holder(s, name) for name in "ABC")
        add_grant(s, NewGrant(work_id, a, 600_000, valid_until_us=100), "x")
        add_grant(s, NewGrant(work_id, b, 700_000, valid_from_us=100, valid_until_us=200), "x")
        with pytest.raises(BadInput, match="600000 ppm"):
            add_grant(s, NewGrant(work_id, c, 400_001, valid_until_us=100), "x")
        # Neither neighbour leaves 400,000; before 100 there is room, from 100 on there is not.
        with pytest.raises(BadInput, match="700000 ppm"):
            add_grant(s, NewGrant(work_id, c, 400_000), "x")
        add_grant(s, NewGrant(work_id, c, 300_000), "x")
        add_grant(s, NewGrant(work_id, a, 700_000, valid_from_us=200), "x")
        assert [grant.ppm for grant in list_grants(s, work_id)] == [
            600_000,
            700_000,
            300_000,
            700_000,
        ]


def test_a_holder_has_one_grant_at_a_time(engine: Engine) -> None:
    """A second one of the same time would say two things; the next one starts when one ends."""
    with write(engine) as s:
        work_id, _ = _work(s, "ab")
        press = add_holder(s, "Press")
        first = add_grant(s, NewGrant(work_id, press, 0), "x")
        with pytest.raises(BadInput, match=f"grant {first}"):
            add_grant(s, NewGrant(work_id, press, 0, valid_from_us=10), "x")
        end_grant(s, first, "y")
        (ended,) = list_grants(s, work_id)
        assert (ended.granted_by, ended.ended_by) == ("x", "y")
        add_grant(s, NewGrant(work_id, press, 0, valid_from_us=ended.valid_until_us), "x")


def test_a_grant_ends_once(engine: Engine) -> None:
    """Who ended a grant stays on record; one that starts later and is ended never starts."""
    with write(engine) as s:
        work_id, statement_id = _work(s, "ab")
        press = add_holder(s, "Press")
        now = now_us()
        first = add_grant(s, NewGrant(work_id, press, 1), "x")
        end_grant(s, first, "x")
        with pytest.raises(BadInput, match="already"):
            end_grant(s, first, "x")
        with pytest.raises(NotFound):
            end_grant(s, first + 1, "x")
        later = add_grant(s, NewGrant(work_id, press, 1, valid_from_us=now + 10**12), "x")
        end_grant(s, later, "x")
        with pytest.raises(BadInput, match="already"):
            end_grant(s, later, "y")
        assert st.visible_ids(s, [statement_id], now + 2 * 10**12) == set()
        # Nothing is left of it that stands in another grant's way.
        add_grant(s, NewGrant(work_id, press, 1, valid_from_us=now + 10**12), "x")


FORBIDDING: tuple[dict[str, Any], ...] = ({"may_retrieve": False}, {"may_generate": False})


@pytest.mark.parametrize("forbidding", FORBIDDING)
def test_a_work_is_used_only_as_its_grants_in_force_allow(
    engine: Engine, forbidding: dict[str, Any]
) -> None:
    """Without grants always; with grants while one is in force and none in force forbids it."""
    with write(engine) as s:
        work_id, statement_id = _work(s, "ab")
        a, b = add_holder(s, "A"), add_holder(s, "B")

        def used(at_us: int) -> bool:
            return st.visible_ids(s, [statement_id], at_us) == {statement_id}

        assert used(0)
        add_grant(s, NewGrant(work_id, a, 0, valid_from_us=10, valid_until_us=50), "x")
        assert [used(at_us) for at_us in (9, 10, 49, 50)] == [False, True, True, False]
        meanwhile = NewGrant(work_id, b, 0, valid_from_us=20, valid_until_us=30)
        add_grant(s, replace(meanwhile, **forbidding), "x")
        assert [used(at_us) for at_us in (19, 20, 29, 30)] == [True, False, False, True]
        # Neither showing nor training is needed for an answer.
        other = NewGrant(work_id, b, 0, may_display=False, may_train=False, valid_from_us=30)
        add_grant(s, other, "x")
        assert used(30)


def test_what_is_shown_of_permission_is_what_retrieval_does(engine: Engine) -> None:
    """`allowance`, which people see, and the condition in SQL agree on random grants."""
    chance = random.Random(2)
    with write(engine) as s:
        holders = [add_holder(s, name) for name in "ABC"]
        works = [_work(s, f"say {i}", title=f"w{i}") for i in range(20)]
        for work_id, _ in works:
            for holder in chance.sample(holders, chance.randint(0, 3)):
                start, end = sorted(chance.sample(range(10), 2))
                grant = NewGrant(
                    work_id,
                    holder,
                    0,
                    may_retrieve=chance.random() < 0.8,
                    may_generate=chance.random() < 0.8,
                    valid_from_us=start or None,
                    valid_until_us=end,
                )
                add_grant(s, grant, "x")
        ids = [statement_id for _, statement_id in works]
        states = set()
        for at_us in range(11):
            said = {
                i: allowance(list_grants(s, work_id), at_us, "may_retrieve", "may_generate")
                for work_id, i in works
            }
            states |= set(said.values())
            usable = {i for i, state in said.items() if state in ("free", "granted")}
            assert st.visible_ids(s, ids, at_us) == usable
    assert states == {"free", "granted", "forbidden", "not_granted"}


def test_a_statement_is_credited_where_it_may_be_used(engine: Engine) -> None:
    """When the first work's grant ends, the next one that says the same is credited instead; what
    was credited before is still found."""
    with write(engine) as s:
        first, second = add_author(s, "A", "x"), add_author(s, "B", "x")
        book, statement_id = _work(s, "ab", first, title="book", published_on="1990")
        _work(s, "ab", second, title="page", published_on="2000")
        add_grant(s, NewGrant(book, add_holder(s, "Press"), 0, valid_until_us=100), "x")

        def credited(at_us: int) -> list[str]:
            (statement,) = st.get_statements(s, [statement_id], at_us)
            return [place.authors[0].author_id for place in statement.occurrences]

        assert credited(99) == [first, second]
        assert credited(100) == [second, first]
        assert st.visible_ids(s, [statement_id], 100) == {statement_id}


def test_grants_in_force_are_paid_and_others_are_not(engine: Engine) -> None:
    """Holdings name the authors' holders, the parts in force at the time, and what is disputed."""
    with write(engine) as s:
        authors = [add_author(s, name, "x") for name in "AB"]
        work_id, first = _work(s, "ab", *authors)
        _, second = _work(s, "cd", title="v")
        press = add_holder(s, "Press")
        meanwhile = NewGrant(work_id, press, 250_000, valid_from_us=10, valid_until_us=20)
        add_grant(s, meanwhile, "x")
        add_grant(s, NewGrant(work_id, add_holder(s, "Other"), 0), "x")
        occurrences = _occurrence_of(s, first) | _occurrence_of(s, second)
        s.get_one(OccurrenceRow, occurrences[second]).disputed = True
    with read(engine) as s:
        holders = {author: get_author(s, author).holder_id for author in authors}
        expected = Holdings(holders, {}, frozenset({second}))
        for at_us in (9, 20):
            assert holdings_of(s, occurrences, at_us, asker_id="local") == expected
        during = holdings_of(s, occurrences, 10, asker_id="local")
        assert during.grants == {first: ((press, 250_000),)}
        assert holdings_of(s, {}, 10, asker_id="local") == Holdings({}, {}, frozenset())


def test_an_asker_is_linked_to_authors(engine: Engine) -> None:
    """Own are the authors the asker is linked to, with their holders, until they are unlinked."""
    with write(engine) as s:
        author = get_author(s, add_author(s, "A", "x"))
        _, statement_id = _work(s, "ab")
        occurrences = _occurrence_of(s, statement_id)
        assert link_asker(s, "local", "A", "x")
        assert not link_asker(s, "local", author.id, "x")
        held = holdings_of(s, occurrences, 10, asker_id="local")
        assert held.own == {author.id}
        assert held.holders == {author.id: author.holder_id}
        assert holdings_of(s, occurrences, 10, asker_id="other").own == frozenset()
        assert unlink_asker(s, "local", "A", "x")
        assert not unlink_asker(s, "local", "A", "x")
        assert holdings_of(s, occurrences, 10, asker_id="local").own == frozenset()
        with pytest.raises(NotFound):
            link_asker(s, "local", "nobody", "x")
        with pytest.raises(BadInput):
            link_asker(s, " ", "A", "x")


def test_erased_authors_are_named_wherever_they_would_be_paid(engine: Engine) -> None:
    """An erased author is erased as the author of a statement and as the holder of a grant."""
    with write(engine) as s:
        said, granted, there = (add_author(s, name, "x") for name in "ABC")
        work_id, statement_id = _work(s, "ab", said, there)
        add_grant(s, NewGrant(work_id, get_holder(s, granted).id, 1), "x")
        gone = [{"author_id": a, "requested_by": "x", "created_us": 1} for a in (said, granted)]
        s.execute(insert(ErasureRow), gone)
        held = holdings_of(s, _occurrence_of(s, statement_id), 10, asker_id="local")
        assert held.erased == {said, granted}
        assert held.holders.keys() == {said, granted, there}


def test_marked_statements_are_common_knowledge_from_then_on(engine: Engine) -> None:
    """An admin's mark counts for answers given after it, and is made once."""
    with write(engine) as s:
        _, statement_id = _work(s, "ab")
        occurrences = _occurrence_of(s, statement_id)
        before = now_us() - 1
        assert mark_common(s, statement_id, "x")
        assert not mark_common(s, statement_id, "y")
        assert holdings_of(s, occurrences, before, asker_id="l").common == frozenset()
        assert holdings_of(s, occurrences, now_us(), asker_id="l").common == {statement_id}
        with pytest.raises(NotFound):
            mark_common(s, 999, "x")


def test_independent_authors_make_common_knowledge(engine: Engine) -> None:
    """Vectors that share an author, also by way of others, are one voice; unknown is none, and so
    is an unresolved author, who may be one of the others.
    """
    with write(engine) as s:
        a, b, c, d = (add_author(s, name, "x") for name in "ABCD")
        met = add_author(s, "A", "work:w1")
        said = [(a,), (a, b), (b, c), (d,), (), (met,)]
        ids = [_work(s, f"say {i}", *by, title=f"w{i}")[1] for i, by in enumerate(said)]
        _join(s, ids)
        occurrences = _occurrence_of(s, ids[0])

        def common(least: int | None) -> bool:
            held = holdings_of(s, occurrences, 10, asker_id="l", common_authors=least)
            return held.common == {ids[0]}

        assert [common(least) for least in (None, 2, 3)] == [False, True, False]
        again, _ = _work(s, "say 0", d, title="again")
        assert not common(3)
        e = add_author(s, "E", "x")
        work_id, _ = _work(s, "say 0", e, title="more")
        assert common(3)
        add_grant(s, NewGrant(work_id, add_holder(s, "Press"), 0, may_retrieve=False), "x")
        assert not common(3)
        assert again


def test_the_entitled_are_the_distinct_evidenced_vectors_of_a_cluster(engine: Engine) -> None:
    """Co-authors are one, copies by one author one; merely dated and disputed ones none."""
    with write(engine) as s:
        a, b, c = (add_author(s, name, "x") for name in "ABC")
        said = [
            ((a, b), "isbn_doi", "1990"),
            ((c,), "signed", "1980"),
            ((c,), "registry", "2001"),
            ((a,), "metadata", "1970"),
            ((b,), None, "1960"),
            ((b,), "registry", None),
        ]
        ids = []
        for i, (by, evidence, on) in enumerate(said):
            of_work = {"published_on": on, "publication_evidence": evidence}
            ids.append(_work(s, f"say {i}", *by, title=f"w{i}", **of_work)[1])
        _join(s, ids)
        pair = tuple(AuthorShare(author, WHOLE // 2) for author in sorted((a, b)))
        alone = (AuthorShare(c, WHOLE),)
        press = add_holder(s, "Press")
        work_of_c = st.get_statements(s, [ids[2]])[0].occurrences[0].work_id
        add_grant(s, NewGrant(work_of_c, press, 300_000), "x")
        held = holdings_of(s, _occurrence_of(s, ids[5]), 10, asker_id="l")
        assert held.verified == {
            ids[5]: (Entitlement(pair), Entitlement(alone, ((press, 300_000),)))
        }
        assert held.holders.keys() == {a, b, c}
        s.get_one(OccurrenceRow, _occurrence_of(s, ids[0])[ids[0]]).disputed = True
        s.flush()
        held = holdings_of(s, _occurrence_of(s, ids[5]), 10, asker_id="l")
        assert held.verified == {ids[5]: (Entitlement(alone, ((press, 300_000),)),)}


def test_display_is_as_the_strictest_grant_in_force_says(engine: Engine) -> None:
    """No grants: all; several: the least of them; forbidden, or none in force: nothing."""
    with write(engine) as s:
        work_id, statement_id = _work(s, "ab")
        (place,) = _occurrence_of(s, statement_id).values()
        a, b = add_holder(s, "A"), add_holder(s, "B")

        def display(at_us: int) -> tuple[int | None, str]:
            found = displays(s, [place], at_us)[place]
            return found.chars, found.reason

        assert display(0) == (None, "free")
        add_grant(s, NewGrant(work_id, a, 0, display_chars=80, valid_until_us=50), "x")
        add_grant(s, NewGrant(work_id, b, 0, display_chars=20, valid_until_us=20), "x")
        add_grant(s, NewGrant(work_id, b, 0, valid_from_us=20, valid_until_us=30), "x")
        silent = NewGrant(work_id, b, 0, valid_from_us=30, valid_until_us=40)
        add_grant(s, replace(silent, may_display=False), "x")
        assert [display(at_us) for at_us in (19, 20, 30, 40, 50)] == [
            (20, "granted"),
            (80, "granted"),
            (0, "forbidden"),
            (80, "granted"),
            (0, "not_granted"),
        ]


def test_evidence_without_a_date_and_unknown_kinds_count_for_nothing(engine: Engine) -> None:
    """A work that is said to be registered, nobody knows when, is a work of unknown date."""
    with write(engine) as s:
        a, b = add_author(s, "A", "x"), add_author(s, "B", "x")
        work_id, statement_id = _work(s, "ab", a, title="v", publication_evidence="registry")
        _work(s, "ab", b, published_on="2020", publication_evidence="a dream")
        (statement,) = st.get_statements(s, [statement_id])
        assert [o.authors[0].author_id for o in statement.occurrences] == [b, a]
        assert s.get_one(WorkRow, work_id).published_on is None
        assert shown_to(s, "local", [work_id]) == {}
