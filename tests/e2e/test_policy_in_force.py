"""What an answer costs and whom it pays is what the newest policy says when it is given."""

from haozhi.accounting.settle import check_ledger
from haozhi.app import App
from haozhi.policies import approve, propose
from haozhi.replay import replay
from store.engine import read
from tests.asking import MakeWorld, Said, asked

SAID: tuple[Said, ...] = (("1 + 1 = 2", "A", None), ("2 + 1 = 3", "B", None))
SUM = "1 + 1 + 1 = ?"


def test_the_fee_is_the_newest_policys_unless_the_settings_charge_another(
    world: MakeWorld,
) -> None:
    """Approving a policy changes the next answer; HAOZHI_FEE_MICRO wins; older answers stay."""
    app = world(SAID)
    before = asked(app, SUM)
    assert before["fee_micro"] == 1_000_000
    changes = {"fee_micro": 250_000, "platform_ppm": 100_000, "window_s": 3600}
    proposal_id = propose(app.engine, changes, "Ann").proposal.id
    assert asked(app, SUM)["fee_micro"] == 1_000_000
    approve(app.engine, proposal_id, "安")
    after = asked(app, SUM)
    assert after["fee_micro"] == 250_000
    posted = {p["reason"]: p["amount_micro"] for p in after["postings"]}
    assert (posted["platform"], sum(p["amount_micro"] for p in after["postings"])) == (
        25_000,
        250_000,
    )
    assert {"repeated"} < posted.keys(), "this asker paid A and B for this question before"
    here = App(app.settings.model_copy(update={"fee_micro": 7}), app.engine)
    vars(here).update(embedder=app.embedder, generator=app.generator)
    assert asked(here, SUM)["fee_micro"] == 7
    assert asked(here, "Who invented the fountain pen?")["fee_micro"] == 0
    assert [replay(app, view["id"]).differences for view in (before, after)] == [(), ()]
    with read(app.engine) as session:
        assert check_ledger(session) == ()
