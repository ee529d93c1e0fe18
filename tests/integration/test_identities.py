"""Who an author is: two of one name, one of two names, two spellings, and money after a close."""

from collections.abc import Callable
from pathlib import Path

import pytest

from haozhi.erasing import erase
from haozhi.reports.signed import signed_bytes
from store import identities, ledger, rights
from store.deletions.planning import cover_author
from store.engine import Engine, Session, read, write
from store.errors import Ambiguous, BadInput, HaozhiError, NotFound
from store.identities import Named, find_named, list_waiting
from store.people import author_names, find_authors, get_author
from store.records.ledger import Transfer
from store.statements import Filters, visible_ids, wanted_ids, withdraw_statements_of
from store.unresolved import unresolved_among
from tests.closed_books import close
from tests.disputing import close as close_dispute
from tests.disputing import dispute
from tests.identifying import FEE, People
from tests.stored_books import NOW

ORCID, OTHER_ORCID = "orcid:0000-0002-1825-0097", "orcid:0000-0001-5109-3700"


@pytest.fixture
def people(engine: Engine) -> People:
    """An empty database of each kind."""
    return People(engine)


def test_one_name_in_two_uploads_is_two_people_whose_money_is_held(people: People) -> None:
    """Two 王伟 of whom only bylines speak are paid nothing until each is confirmed."""
    one, other = people.say("王伟"), people.say("王伟")
    assert one.author_id != other.author_id
    people.ask(one, other)
    people.ask(one)
    assert people.money(one.author_id, other.author_id) == ((0, 13_500), (0, 4_500))
    assert people.reserve() == 2 * FEE
    done = people.confirm(one.author_id)
    assert done.released_micro == 13_500
    assert people.money(one.author_id, other.author_id) == ((13_500, 0), (0, 4_500))
    people.ask(one, other)
    assert people.money(one.author_id, other.author_id) == ((18_000, 0), (0, 9_000))
    people.assert_whole()


def test_a_name_matches_where_somebody_vouches_for_it(people: People) -> None:
    """In a namespace a name is one person; what only a file says matches nobody there."""
    mapped, again = people.say("王伟", vouched=True), people.say("王伟", vouched=True)
    assert mapped.author_id == again.author_id
    met = people.say("王伟")
    assert met.author_id != mapped.author_id
    elsewhere = people.say("王伟", vouched=True, namespace="another")
    assert elsewhere.author_id not in (mapped.author_id, met.author_id)
    with read(people.engine) as s:
        ids = [each.author_id for each in (mapped, met, elsewhere)]
        assert unresolved_among(s, ids) == {met.author_id}
        # Running the same file again meets the same unresolved author.
        assert find_named(s, Named("王 伟", vouched=False), "default", met.work_id) is None
        found = find_named(s, Named("王伟", vouched=False), "default", met.work_id)
    assert found == met.author_id


def test_two_people_under_one_vouched_name_are_split(people: People) -> None:
    """A split moves what is earned from now on; what was paid moves only by a dispute."""
    one, other = people.say("王伟", vouched=True), people.say("王伟", vouched=True)
    paid = people.ask(one, other)
    assert people.money(one.author_id) == ((9_000, 0),)
    done = people.split(one.author_id, other)
    new = done.decision.subject
    assert (people.credited(one), people.credited(other)) == (one.author_id, new)
    assert people.money(one.author_id, new) == ((9_000, 0), (0, 0))
    people.ask(one, other)
    assert people.money(one.author_id, new) == ((13_500, 0), (4_500, 0))
    opened = dispute(people.engine, line=1, entry_key=paid)
    close_dispute(people.engine, opened, new)
    assert people.money(one.author_id, new) == ((9_000, 0), (9_000, 0))
    with read(people.engine) as s, pytest.raises(Ambiguous):
        find_named(s, Named("王伟"), "default", None)  # the name alone says no more who it is
    people.assert_whole()
    undone = people.undo(done)
    assert undone.moved_micro == 9_000
    assert people.credited(other) == one.author_id
    assert people.money(one.author_id, new) == ((18_000, 0), (0, 0))
    with read(people.engine) as s:
        assert find_named(s, Named("王伟"), "default", None) == one.author_id
    people.assert_whole()


def test_one_person_of_two_names_is_merged(people: People) -> None:
    """鲁迅 = 周树人: what either said is 鲁迅's, in credit, in search and by name."""
    luxun, zhou = people.say("鲁迅", vouched=True), people.say("周树人", vouched=True)
    people.ask(luxun, zhou)
    done = people.merge("周树人", "鲁迅")
    assert (done.moved_micro, done.released_micro) == (4_500, 0)
    assert people.money(luxun.author_id, zhou.author_id) == ((9_000, 0), (0, 0))
    assert people.credited(zhou) == luxun.author_id
    people.ask(zhou)
    assert people.money(luxun.author_id, zhou.author_id) == ((18_000, 0), (0, 0))
    assert people.say("周树人", vouched=True).author_id == luxun.author_id
    with read(people.engine) as s:
        assert [each.id for each in find_authors(s, "周树人")] == [luxun.author_id]
        of_luxun = wanted_ids(s, Filters(author_id=luxun.author_id), NOW * 2)
        assert {luxun.statement_id, zhou.statement_id} <= set(of_luxun.tolist())
        assert not wanted_ids(s, Filters(author_id=zhou.author_id), NOW * 2).size
        # The old rows and what names them stay.
        assert author_names(s, [zhou.author_id]) == {zhou.author_id: "周树人"}
    people.assert_whole()
    undone = people.undo(done)
    assert undone.moved_micro == 4_500
    assert people.credited(zhou) == zhou.author_id
    assert people.money(luxun.author_id, zhou.author_id) == ((13_500, 0), (4_500, 0))
    people.assert_whole()


def test_undoing_a_merge_tells_what_was_earned_meanwhile(people: People) -> None:
    """What 周树人's statements earned as 鲁迅's stays there until a dispute moves it."""
    luxun, zhou = people.say("鲁迅", vouched=True), people.say("周树人", vouched=True)
    people.ask(zhou)
    done = people.merge("周树人", "鲁迅")
    people.ask(luxun, zhou)
    key = people.ask(zhou)
    undone = people.undo(done)
    assert (undone.moved_micro, undone.stays_micro) == (FEE, FEE + FEE // 2)
    assert undone.stays_with == luxun.author_id
    assert people.money(luxun.author_id, zhou.author_id) == ((2 * FEE, 0), (FEE, 0))
    opened = dispute(people.engine, 0, entry_key=key, claimant=zhou.author_id)
    close_dispute(people.engine, opened, zhou.author_id)
    again = people.merge("周树人", "鲁迅")
    dispute(people.engine, 1, entry_key=people.ask(luxun, zhou))
    people.ask(zhou)
    assert people.undo(again).stays_micro == FEE  # nothing of before, nor what is disputed
    people.assert_whole()


def test_undoing_a_merge_without_earnings_tells_nothing_stays(people: People) -> None:
    """What either earned before, or INTO by statements of their own, is not FROM's."""
    luxun, zhou = people.say("鲁迅", vouched=True), people.say("周树人", vouched=True)
    people.ask(luxun, zhou)
    done = people.merge("周树人", "鲁迅")
    people.ask(luxun)
    undone = people.undo(done)
    assert (undone.stays_micro, undone.stays_with) == (0, None)


def test_undoing_a_split_tells_what_the_new_author_no_longer_has(people: People) -> None:
    """The new author's balance goes back; what was taken out of it before stays theirs."""
    one, other = people.say("王伟", vouched=True), people.say("王伟", vouched=True)
    done = people.split(one.author_id, other)
    new = people.credited(other)
    people.ask(other)
    take(people, new, 2_000)
    undone = people.undo(done)
    assert (undone.moved_micro, undone.stays_micro) == (FEE - 2_000, 2_000)
    assert undone.stays_with == new
    people.assert_whole()


def test_an_alias_is_a_name_that_an_admin_vouches_for(people: People) -> None:
    """After `alias`, a byline with the other name means the author, until it is undone."""
    luxun = people.say("鲁迅", vouched=True)
    assert people.say("周树人").author_id != luxun.author_id
    with write(people.engine) as s:
        done = identities.add_alias(s, "鲁迅", "周树人", "root")
    assert people.say("周树人").author_id == luxun.author_id
    assert people.say("周树人", namespace="another").author_id != luxun.author_id
    people.undo(done)
    assert people.say("周树人").author_id != luxun.author_id
    with read(people.engine) as s, pytest.raises(Ambiguous):
        get_author(s, "周树人")


def test_spellings_that_read_the_same_are_offered_and_never_taken(people: People) -> None:
    """The queue names who reads the same; a merge pays what was held to the one who is known."""
    known = people.say("鲁迅", vouched=True)
    met, latin = people.say("魯迅"), people.say("WANG, Wei")
    people.say("Wei Wang", vouched=True)
    people.say("Wei Wan", vouched=True)
    people.ask(known, met)
    with read(people.engine) as s:
        first, second = list_waiting(s, 10)
        assert [each.author_id for each in list_waiting(s, 10, met.author_id)] == [latin.author_id]
    assert (first.author_id, first.name, first.held_micro) == (met.author_id, "魯迅", 4_500)
    assert (first.statements, [work_id for work_id, _ in first.works]) == (1, [met.work_id])
    assert [each.author_id for each in first.candidates] == [known.author_id]
    assert [each.name for each in second.candidates] == ["Wei Wang"]
    done = people.merge(met.author_id, known.author_id)
    assert (done.released_micro, done.moved_micro) == (4_500, 0)
    assert people.money(known.author_id, met.author_id) == ((9_000, 0), (0, 0))
    with read(people.engine) as s:
        assert [each.author_id for each in list_waiting(s, 10)] == [latin.author_id]
    people.assert_whole()
    assert people.undo(done).held_micro == 4_500
    assert people.money(known.author_id, met.author_id) == ((4_500, 0), (0, 4_500))
    people.assert_whole()


def test_a_merge_after_a_close_leaves_what_was_signed(people: People, tmp_path: Path) -> None:
    """Reports of a closed period stay to the byte; the open balance moves in the next period."""
    luxun, zhou = people.say("鲁迅", vouched=True), people.say("周树人", vouched=True)
    people.ask(luxun, zhou)
    people.ask(zhou)
    close(people.engine, tmp_path)
    before = signed(people, 1, luxun.author_id, zhou.author_id)
    done = people.merge(zhou.author_id, luxun.author_id)
    assert done.moved_micro == 13_500
    assert signed(people, 1, luxun.author_id, zhou.author_id) == before
    with read(people.engine) as s:
        entry = ledger.get_entry(s, f"merge:{done.decision.id}")
    assert (entry.period_id, entry.transfers[0].amount_micro) == (2, 13_500)
    close(people.engine, tmp_path)
    assert signed(people, 1, luxun.author_id, zhou.author_id) == before
    people.assert_whole()
    take(people, luxun.author_id, 8_000)
    undone = people.undo(done)
    assert undone.moved_micro == 10_000  # what is left of 18,000
    assert people.money(luxun.author_id, zhou.author_id) == ((0, 0), (10_000, 0))
    assert signed(people, 1, luxun.author_id, zhou.author_id) == before


def signed(people: People, period_id: int, *author_ids: str) -> list[bytes]:
    """The signed bytes of the reports of a closed period."""
    with read(people.engine) as s:
        holders = [rights.get_holder(s, author_id) for author_id in author_ids]
        return [signed_bytes(s, period_id, holder)[1] for holder in holders]


def take(people: People, author_id: str, amount_micro: int) -> None:
    """Set money of an author aside."""
    with write(people.engine) as s:
        holder = f"holder:{get_author(s, author_id).holder_id}"
        away = [Transfer(holder, "hold:away", amount_micro, "payout")]
        ledger.hold(s, "away", away, policy_version=1, now_us=NOW)


def test_undoing_a_confirmation_holds_again_what_is_left(people: People) -> None:
    """What the author no longer has stays paid; confirming again pays the rest once more."""
    met = people.say("王伟")
    people.ask(met)
    done = people.confirm(met.author_id)
    take(people, met.author_id, 2_000)
    assert people.undo(done).held_micro == 7_000
    assert people.money(met.author_id) == ((0, 7_000),)
    assert people.confirm(met.author_id).released_micro == 7_000
    assert people.money(met.author_id) == ((7_000, 0),)
    people.assert_whole()


def test_a_decision_is_not_undone_under_another_that_was_paid_by_it(people: People) -> None:
    """Two unresolved names are one, then confirmed: only in reverse does each get its own back."""
    one, other = people.say("王伟"), people.say("王  伟")
    people.ask(one, other)
    merged = people.merge(one.author_id, other.author_id)
    assert people.money(one.author_id, other.author_id) == ((0, 0), (0, FEE))
    confirmed = people.confirm(other.author_id)
    assert people.money(one.author_id, other.author_id) == ((0, 0), (FEE, 0))
    with pytest.raises(BadInput, match=f"undo {confirmed.decision.id} first"):
        people.undo(merged)
    people.undo(confirmed)
    people.undo(merged)
    assert people.money(one.author_id, other.author_id) == ((0, 4_500), (0, 4_500))
    people.assert_whole()


def test_much_held_money_is_paid_in_several_transactions(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each pays out some entries; one that never came is made up for by confirming once more."""
    monkeypatch.setattr("store.identities.money.AT_ONCE", 2)
    met = people.say("王伟")
    for _ in range(5):
        people.ask(met)
    done = people.confirm(met.author_id)
    assert (done.released_micro, done.more) == (2 * FEE, True)
    with write(people.engine) as s:
        done = identities.go_on(s, done)
    assert (done.released_micro, done.more) == (4 * FEE, True)
    again = people.confirm(met.author_id)
    assert (again.released_micro, again.more) == (FEE, False)
    assert people.money(met.author_id) == ((5 * FEE, 0),)
    people.assert_whole()


def test_what_a_merged_author_gets_later_is_merged_again(people: People) -> None:
    """Money that still reaches the old account, as a returned payout does, is moved once more."""
    luxun, zhou = people.say("鲁迅", vouched=True), people.say("周树人", vouched=True)
    people.ask(zhou)
    take(people, zhou.author_id, 2_000)
    people.merge(zhou.author_id, luxun.author_id)
    with pytest.raises(BadInput, match="already, and has nothing left"):
        people.merge(zhou.author_id, luxun.author_id)
    with write(people.engine) as s:
        ledger.void_hold(s, "away", now_us=NOW, reason="returned")
    again = people.merge(zhou.author_id, luxun.author_id)
    assert again.moved_micro == 2_000
    assert people.money(luxun.author_id, zhou.author_id) == ((9_000, 0), (0, 0))
    people.assert_whole()


@pytest.mark.parametrize("vouched", [True, False])
def test_an_answer_credits_whom_it_named_when_it_was_given(people: People, vouched: bool) -> None:
    """Booked after a merge it pays the old account, held or not, until the two are merged again."""
    luxun, zhou = people.say("鲁迅", vouched=True), people.say("周树人", vouched=vouched)
    people.ask(zhou, before_booking=lambda: people.merge(zhou.author_id, luxun.author_id))
    assert people.money(zhou.author_id) == ((FEE, 0),)
    again = people.merge(zhou.author_id, luxun.author_id)
    assert again.moved_micro == FEE
    assert people.money(luxun.author_id) == ((FEE, 0),)
    people.assert_whole()


def test_an_identifier_means_one_person_everywhere(people: People) -> None:
    """By ORCID a file names its author in every namespace and spelling; another ORCID is another
    person of that name.
    """
    first = people.say("Wei Wang", vouched=True, identifier=ORCID)
    same = people.say(
        "W. Wang", vouched=True, namespace="b", identifier="https://orcid.org/0000-0002-1825-0097"
    )
    other = people.say("Wei Wang", vouched=True, identifier=OTHER_ORCID)
    assert same.author_id == first.author_id != other.author_id
    with read(people.engine) as s, pytest.raises(Ambiguous):
        find_named(s, Named("Wei Wang"), "default", None)
    with pytest.raises(BadInput, match="different identifiers"):
        people.merge(first.author_id, other.author_id)


def test_what_cannot_be_decided_is_refused(people: People) -> None:
    """Each refusal says what is wrong, and nothing is decided."""
    a, b = people.say("A", vouched=True), people.say("B", vouched=True)
    met = people.say("A")
    only = people.say("C", vouched=True)
    with write(people.engine) as s:
        identities.identify(s, "B", ORCID, "root")
    merged = people.merge("B", a.author_id)
    refused: tuple[tuple[type[HaozhiError], str, Callable[[Session], object]], ...] = (
        (BadInput, "resolved already", lambda s: identities.confirm(s, a.author_id, "root")),
        (BadInput, "was merged into", lambda s: identities.confirm(s, b.author_id, "root")),
        (BadInput, "into itself", lambda s: identities.merge(s, only.author_id, "C", "root")),
        (BadInput, "confirm it first", lambda s: identities.merge(s, "C", met.author_id, "root")),
        (BadInput, "merge the two", lambda s: identities.add_alias(s, "C", "B", "root")),
        (BadInput, "--namespace", lambda s: identities.add_alias(s, met.author_id, "Z", "root")),
        (BadInput, "identifies author", lambda s: identities.identify(s, "C", ORCID, "root")),
        (
            BadInput,
            "nobody has two",
            lambda s: identities.identify(s, a.author_id, OTHER_ORCID, "root"),
        ),
        (BadInput, "said nothing in", lambda s: identities.split(s, "C", [met.work_id], "root")),
        (BadInput, "some, not all", lambda s: identities.split(s, "C", [only.work_id], "root")),
        (NotFound, "no decision", lambda s: identities.undo(s, 99, "root")),
        (BadInput, "who acts", lambda s: identities.confirm(s, met.author_id, " ")),
        (Ambiguous, "use an id", lambda s: identities.confirm(s, "A", "root")),
    )
    with read(people.engine) as s:
        before = identities.list_decisions(s)
    for kind, words, decide in refused:
        with pytest.raises(kind, match=words), write(people.engine) as s:
            decide(s)
    people.merge(a.author_id, "C")
    with pytest.raises(BadInput, match="builds on"):
        people.undo(merged)
    with read(people.engine) as s:
        assert identities.list_decisions(s)[: len(before)] == before


def test_what_a_person_said_is_withdrawn_under_every_id(people: People) -> None:
    """Withdrawing or deleting all of an author reaches what was merged, not what was split."""
    luxun, zhou, other = (people.say(name, vouched=True) for name in ("鲁迅", "周树人", "周树人"))
    people.merge("周树人", "鲁迅")
    people.split("鲁迅", other)
    with read(people.engine) as s:
        covered = cover_author(s, luxun.author_id)
    assert set(covered.statement_ids) == {luxun.statement_id, zhou.statement_id}
    with write(people.engine) as s:
        assert withdraw_statements_of(s, luxun.author_id) == 2
        ids = [each.statement_id for each in (luxun, zhou, other)]
        assert visible_ids(s, ids) == {other.statement_id}


def test_a_person_is_erased_under_every_id(people: People) -> None:
    """Erasing who others were merged into deletes their names too; nothing more is decided."""
    luxun, zhou = people.say("鲁迅", vouched=True), people.say("周树人", vouched=True)
    people.merge("周树人", "鲁迅")
    done = erase(people.engine, zhou.author_id, by="root")
    assert done.erased is not None
    assert done.erased.names == 2
    with read(people.engine) as s:
        assert find_authors(s, "鲁迅") == find_authors(s, "周树人") == ()
    people.ask(luxun, zhou)
    assert people.reserve() == FEE
    with pytest.raises(BadInput, match="erased"):
        people.merge(people.say("X", vouched=True).author_id, luxun.author_id)
    people.assert_whole()


def test_the_check_names_entries_that_no_decision_calls_for(people: People) -> None:
    """Money booked as if somebody had decided, or to somebody else than was decided, is found."""
    a, b = people.say("A", vouched=True), people.say("B", vouched=True)
    people.ask(a)
    done = people.merge(people.say("C", vouched=True).author_id, b.author_id)
    with write(people.engine) as s:
        one, other = (f"holder:{get_author(s, i).holder_id}" for i in (a.author_id, b.author_id))
        moved = [Transfer(one, other, 10, "merge")]
        for number in (done.decision.id, 99):
            ledger.post(s, f"merge:{number}", moved, policy_version=1, now_us=NOW)
    with read(people.engine) as s:
        found = {each.code for each in identities.identity_differences(s)}
    assert found == {"identity_line_differs", "identity_entry_uncalled"}
