"""Books with a closed period and payable credit, for the tests of payouts."""

from collections.abc import Mapping

from sqlalchemy import insert, select, update

from haozhi.paying import set_payee
from haozhi.payouts.sender import Sender
from store import acts, ledger
from store.clock import now_us
from store.engine import Engine, Session, write
from store.people import add_author, get_author
from store.policies import get_policy_version
from store.records.ledger import Transfer
from store.schema import CreditReportRow, PeriodRow, PolicyProposalRow, PolicyRow, RightsHolderRow
from tests.paying import NOW, SENDER, a_payee

POLICY = {
    "payout_threshold_micro": 1_000_000,
    "payout_minor_per_credit": {"CNY": 100, "EUR": 12, "USD": 14},
    "withholding_ppm": {"none": 0, "individual": 200_000},
}
SENDERS = {"EUR": SENDER, "CNY": Sender(name="澔智出版社", account="11001234567890123")}


def add_payable(engine: Engine, payable: Mapping[str, int], *, currency: str = "EUR") -> list[str]:
    """Authors with these names who have so many micro-credits, all payable since period 1 closed.

    Each is a payee; those whose name ends in `taxed` are individuals. Returns their holders' ids.
    """
    with write(engine) as s:
        add_policy(s, POLICY)
        holders = [get_author(s, add_author(s, name, "test")).holder_id for name in payable]
        for number, (holder_id, micro) in enumerate(zip(holders, payable.values(), strict=True)):
            earn(s, holder_id, micro, number)
        close_period(s, dict(zip(holders, payable.values(), strict=True)))
    for name, holder_id in zip(payable, holders, strict=True):
        tax_class = "individual" if name.endswith("taxed") else "none"
        set_payee(engine, a_payee(currency, holder_id, tax_class=tax_class))
    return holders


def add_policy(s: Session, changes: Mapping[str, object]) -> None:
    """The next policy: the newest with these fields."""
    newest = get_policy_version(s)
    changed = {**newest.body, **changes}
    proposed = {"body": changed, "proposed_by": "A", "created_us": now_us()}
    (proposal_id,) = s.execute(
        insert(PolicyProposalRow).values(**proposed).returning(PolicyProposalRow.id)
    ).one()
    admins = {"proposal_id": proposal_id, "proposed_by": "A", "approved_by": "B"}
    next_ = {"version": newest.version + 1, "body": changed, "created_us": now_us()}
    s.execute(insert(PolicyRow).values(**next_, **admins))
    acts.record(s, PolicyProposalRow, [(proposal_id,)])
    acts.record(s, PolicyRow, [(newest.version + 1,)])


def earn(s: Session, holder_id: str, amount_micro: int, number: int) -> None:
    """Book a share, without the answer that it would come from."""
    author_id = s.scalar(select(RightsHolderRow.author_id).where(RightsHolderRow.id == holder_id))
    account = f"holder:{holder_id}"
    share = Transfer("asker:local", account, amount_micro, "share", author_id=author_id)
    ledger.post(s, f"answer:paid-{number}:dist:1", [share], policy_version=1, now_us=NOW)


def close_period(s: Session, payable: Mapping[str, int]) -> None:
    """Close the open period with a credit report per holder and open the next."""
    period = ledger.open_period(s)
    this = update(PeriodRow).where(PeriodRow.id == period.id)
    s.execute(this.values(state="CLOSING", closed_by="A"))
    s.execute(this.values(state="CLOSED", closed_us=period.opened_us + 1))
    acts.record(s, PeriodRow, [(period.id,)])
    s.execute(
        insert(PeriodRow).values(id=period.id + 1, state="OPEN", opened_us=period.opened_us + 1)
    )
    columns = [c.name for c in CreditReportRow.__table__.c if c.name.endswith("_micro")]
    hashes = dict.fromkeys(("lines_sha256", "report_sha256", "salt", "leaf_hash"), "0" * 64)
    for holder_id, micro in payable.items():
        amounts = dict.fromkeys(columns, 0) | dict.fromkeys(
            ("earned_micro", "closing_micro", "payable_micro"), micro
        )
        row = {"period_id": period.id, "holder_id": holder_id, "line_count": 1}
        s.execute(insert(CreditReportRow).values(**row, **amounts, **hashes))
