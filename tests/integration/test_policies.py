"""Two admins make a policy; what was given under an older one never changes."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import IntegrityError

from haozhi.policies import (
    Change,
    approve,
    changes_between,
    get_policy,
    list_proposals,
    load_changes,
    propose,
)
from haozhi.settling import share_rules_of
from store import policies
from store.engine import Engine, read, write
from store.errors import BadInput, NotFound
from store.schema import PolicyRow


def _versions(engine: Engine) -> int:
    with read(engine) as s:
        return policies.get_policy_version(s).version


def test_a_new_store_pays_by_the_newest_rule(engine: Engine) -> None:
    """Two admins may go back to an older one; what was given under it is replayed by it."""
    with read(engine) as s:
        assert share_rules_of(s, 1).rule.name == "used-and-supported/2"
    proposed = propose(engine, {"rule": "used-and-supported/1"}, "Ann")
    approve(engine, proposed.proposal.id, "Bob")
    with read(engine) as s:
        assert [share_rules_of(s, version).rule.name[-2:] for version in (1, 2)] == ["/2", "/1"]


def test_two_admins_make_the_next_version(engine: Engine) -> None:
    """A proposal says what it changes and acts only once another admin approves it."""
    proposed = propose(engine, {"platform_ppm": 100_000, "common_authors": 5}, "Ann")
    assert proposed.proposal.state == "open"
    assert proposed.changes == (
        Change("platform_ppm", 0, 100_000),
        Change("common_authors", None, 5),
    )
    assert _versions(engine) == 1
    approved = approve(engine, proposed.proposal.id, "Bob")
    assert (approved.proposal.state, approved.proposal.version) == ("approved", 2)
    assert approved.changes == proposed.changes
    stored, policy = get_policy(engine)
    assert (stored.version, stored.proposed_by, stored.approved_by) == (2, "Ann", "Bob")
    assert (policy.platform_ppm, policy.common_authors, policy.fee_micro) == (100_000, 5, 10**6)
    first, before = get_policy(engine, 1)
    assert (first.proposed_by, first.approved_by, before.platform_ppm) == (None, None, 0)
    assert list_proposals(engine) == (approved,)


def test_a_stored_version_holds_every_field(engine: Engine) -> None:
    """A new version says everything itself, so that no later default can change its meaning."""
    approve(engine, propose(engine, {"window_s": 60}, "Ann").proposal.id, "Bob")
    stored, policy = get_policy(engine)
    assert stored.body == policy.to_body()


@pytest.mark.parametrize("by", ["Ann", " ann ", "ＡＮＮ", "A\u200bnn"])
def test_nobody_approves_an_own_proposal(engine: Engine, by: str) -> None:
    """The same name in another spelling is the same admin."""
    proposal_id = propose(engine, {"window_s": 60}, "Ann").proposal.id
    with pytest.raises(BadInput, match="another admin must approve it"):
        approve(engine, proposal_id, by)
    assert _versions(engine) == 1


@pytest.mark.parametrize("by", ["", "  ", "\u200b", "x" * 201, "a\0b"])
def test_whoever_acts_has_a_name(engine: Engine, by: str) -> None:
    """An empty, invisible, endless or unstorable name neither proposes nor approves."""
    with pytest.raises(BadInput):
        propose(engine, {"window_s": 60}, by)
    assert list_proposals(engine) == ()
    proposal_id = propose(engine, {"window_s": 60}, "安").proposal.id
    with pytest.raises(BadInput):
        approve(engine, proposal_id, by)
    assert _versions(engine) == 1


def test_a_proposal_is_approved_once(engine: Engine) -> None:
    """A second approval is refused and names the version that the first one made."""
    proposal_id = propose(engine, {"window_s": 60}, "Ann").proposal.id
    approve(engine, proposal_id, "Bob")
    with pytest.raises(BadInput, match="approved already: it is policy 2"):
        approve(engine, proposal_id, "Cid")
    with pytest.raises(NotFound, match="no policy proposal 99"):
        approve(engine, 99, "Bob")
    with pytest.raises(NotFound, match="no policy 3"):
        get_policy(engine, 3)


def test_a_proposal_for_an_older_version_is_stale(engine: Engine) -> None:
    """Approving it would undo what was approved since, unseen; it must be proposed again."""
    stale = propose(engine, {"window_s": 60}, "Ann").proposal
    approve(engine, propose(engine, {"platform_ppm": 7}, "Ann").proposal.id, "Bob")
    with pytest.raises(BadInput, match="changes policy 1, which is no longer the newest"):
        approve(engine, stale.id, "Bob")
    assert [p.proposal.state for p in list_proposals(engine)] == ["stale", "approved"]
    again = propose(engine, {"window_s": 60}, "Ann")
    assert again.changes == (Change("window_s", 0, 60),)
    approve(engine, again.proposal.id, "Bob")
    assert get_policy(engine)[1].platform_ppm == 7


def test_a_clock_set_back_makes_no_stale_proposal_open(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came first is decided by the rows' order, also when the clock goes backwards."""
    early = propose(engine, {"window_s": 60}, "Ann").proposal
    monkeypatch.setattr(policies, "now_us", lambda: 1)
    approve(engine, propose(engine, {"platform_ppm": 7}, "Ann").proposal.id, "Bob")
    assert [p.proposal.state for p in list_proposals(engine)] == ["stale", "approved"]
    late = propose(engine, {"window_s": 60}, "Ann").proposal
    assert (early.base, late.base) == (1, 2)
    assert approve(engine, late.id, "Bob").proposal.version == 3


def _outcome(engine: Engine, proposal_id: int, by: str) -> str:
    try:
        return f"policy {approve(engine, proposal_id, by).proposal.version}"
    except BadInput as error:
        return str(error)


def test_of_concurrent_approvals_one_wins(engine: Engine) -> None:
    """Eight admins approve two proposals at once: one version comes of it, seven are refused."""
    ids = [propose(engine, {"window_s": n}, "Ann").proposal.id for n in (60, 120)]
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda n: _outcome(engine, ids[n % 2], f"Bob {n}"), range(8)))
    assert done.count("policy 2") == 1
    assert sum("approved already" in each or "no longer" in each for each in done) == 7
    assert _versions(engine) == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"platform_ppm": 1_000_001}, "platform_ppm is 1000001; it may be 0..1000000"),
        ({"platform_ppm": True}, "platform_ppm is True"),
        ({"fee_micro": -1}, "fee_micro is -1"),
        ({"platform": 1}, "no field 'platform'"),
        ({"version": 9}, "no field 'version'"),
        ({"withholding_ppm": {"resident": 200_000}}, "always with none = 0"),
        ({"unattributed": "platform:share"}, "unattributed is 'platform:share'"),
        ({}, "nothing changes: policy 1 says the same"),
        ({"fee_micro": 1_000_000}, "nothing changes"),
    ],
)
def test_a_proposal_that_cannot_be_applied_is_not_stored(
    engine: Engine, changes: dict[str, Any], message: str
) -> None:
    """Everything is checked before anything is written, and the field is named in one line."""
    with pytest.raises(BadInput, match=message):
        propose(engine, changes, "Ann")
    assert list_proposals(engine) == ()


def test_the_database_itself_wants_two_admins(engine: Engine) -> None:
    """A version without a proposal, or with one admin in both parts, cannot be stored at all."""
    proposal = propose(engine, {"window_s": 60}, "Ann").proposal
    row = {"version": 2, "body": proposal.body, "created_us": 1, "proposal_id": proposal.id}
    for admins in ({}, {"proposed_by": "Ann"}, {"proposed_by": "Ann", "approved_by": "Ann"}):
        with pytest.raises(IntegrityError), write(engine) as s:
            s.execute(insert(PolicyRow).values(row | admins))
    for table in ("policies", "policy_proposals"):
        with pytest.raises(IntegrityError), write(engine) as s:
            s.execute(text(f"UPDATE {table} SET proposed_by = 'Eve'"))


def test_changes_are_read_from_toml(tmp_path: Path) -> None:
    """A file holds only what changes; "none" switches an optional field off, and only that."""
    file = tmp_path / "change.toml"
    file.write_bytes(
        b'\xef\xbb\xbfcommon_authors = "none"\nrule = "none"\nwindow_s = 60\n'
        b"[payout_minor_per_credit]\nEUR = 13\n"
    )
    assert load_changes(file) == {
        "common_authors": None,
        "rule": "none",
        "window_s": 60,
        "payout_minor_per_credit": {"EUR": 13},
    }


@pytest.mark.parametrize(
    ("raw", "message"),
    [(b"window_s = ", "not TOML"), (b"\xff\xfe", "not TOML"), (b"#" * 100_001, "no policy")],
)
def test_a_file_that_is_no_change_is_named(tmp_path: Path, raw: bytes, message: str) -> None:
    """A file that cannot be read is one line with its name."""
    file = tmp_path / "change.toml"
    for path in (file, tmp_path):
        with pytest.raises(BadInput, match=str(path)):
            load_changes(path)
    file.write_bytes(raw)
    with pytest.raises(BadInput, match=message) as caught:
        load_changes(file)
    assert str(file) in str(caught.value)


def test_a_change_of_a_table_is_shown_entry_by_entry(engine: Engine) -> None:
    """A table is replaced whole, and what that takes away is shown."""
    before = get_policy(engine)[1].to_body()
    after = before | {"payout_minor_per_credit": {"EUR": 13, "USD": 14}}
    assert list(changes_between(before, after)) == [
        Change("payout_minor_per_credit.CNY", 100, None),
        Change("payout_minor_per_credit.EUR", 12, 13),
    ]
