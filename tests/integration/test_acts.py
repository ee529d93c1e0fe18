"""Acts: the rows that say who did what are recorded once, in the order in which it was done."""

from pathlib import Path

import pytest
from sqlalchemy import Engine, insert, select

from haozhi import policies
from store.acts import RECORDED, act_differences, count_acts, read_acts, record
from store.chain import Leaf
from store.checkpoints import DamagedEntry, act_leaves
from store.engine import read, write
from store.errors import BadInput
from store.schema import ActRow, PolicyProposalRow
from tests.full_books import make_full_books

#: More than are read at once.
MANY = 501


def test_every_kind_of_act_is_recorded(engine: Engine, tmp_path: Path) -> None:
    """Books in which everything has happened have an act for every row that says who did what."""
    make_full_books(engine, tmp_path)
    with read(engine) as s:
        assert [*act_differences(s)] == []
        assert {*s.scalars(select(ActRow.table_name))} == {row.__tablename__ for row in RECORDED}


def test_a_new_ledger_has_one_act(engine: Engine) -> None:
    """The policy that comes with the ledger is the first act."""
    with read(engine) as s:
        assert [leaf.key for leaf in read_acts(s, count_acts(s))] == ["policies [1]"]
        assert [*act_differences(s)] == []


def test_what_failed_was_no_act(engine: Engine) -> None:
    """An act is in the transaction of its row: nothing is left of an approval that was refused."""
    proposal = policies.propose(engine, {"window_s": 60}, "甲").proposal
    with pytest.raises(BadInput):
        policies.approve(engine, proposal.id, "甲")
    with read(engine) as s:
        assert count_acts(s) == 2
        assert [*act_differences(s)] == []


def test_acts_are_read_some_at_a_time(engine: Engine) -> None:
    """However many are recorded at once, each is found again in its place."""
    row = {"body": {"中": 2**60}, "proposed_by": "甲", "created_us": 1}
    ids = range(1, MANY + 1)
    with write(engine) as s:
        s.execute(insert(PolicyProposalRow), [row | {"id": i} for i in ids])
        record(s, PolicyProposalRow, [(i,) for i in ids])
    with read(engine) as s:
        leaves = [*read_acts(s, MANY + 2)]
        assert [leaf.key for leaf in leaves[1:-1]] == [f"policy_proposals [{i}]" for i in ids]
        assert [leaf.data for leaf in leaves[:-1]] == [*act_leaves(s)]
    gone = "it is not there or cannot be read"
    assert leaves[-1] == Leaf(MANY + 2, f"act {MANY + 2}", bytes(32), gone)
    assert [leaf.seq for leaf in leaves] == [*range(1, MANY + 3)]


def test_a_row_that_nobody_recorded_is_found(engine: Engine) -> None:
    """Who writes a row past the ledger's own code writes no act, and the check counts both."""
    row = {"body": {}, "proposed_by": "Eve", "created_us": 1}
    with write(engine) as s:
        s.execute(insert(PolicyProposalRow), [row])
        (found,) = act_differences(s)
    assert (found.code, found.subject) == ("act_differs", "policy_proposals")
    assert found.message == "1 rows are there, 0 were recorded"


def test_an_act_without_its_row_is_named(engine: Engine) -> None:
    """An act without its row, or over another hash than the last one has, is not signed."""
    act = {"seq": 2, "table_name": "policies", "row_key": "[9]", "prev_hash": "1", "hash": "2"}
    with write(engine) as s:
        s.execute(insert(ActRow), [act])
        with pytest.raises(DamagedEntry, match=r"act policies \[9\]: its row is not there"):
            tuple(act_leaves(s))
        s.rollback()
