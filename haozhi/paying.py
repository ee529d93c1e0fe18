"""Paying out: payees, batches, files and what became of each payout; one transaction per step."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from haozhi.payouts.accounts import checked_payee
from haozhi.payouts.batches import Skipped, plan_batch
from haozhi.payouts.files import build_file
from haozhi.payouts.layout import Layout
from haozhi.payouts.names import plain_text
from haozhi.payouts.orders import build_order
from haozhi.payouts.sender import Sender
from haozhi.policies import policy_of
from store import payouts, rights
from store.engine import Engine, Session, write
from store.errors import BadInput, NotFound
from store.payouts import Batch, Payee, Payout, PayoutFile, Planned
from store.text import admin_name

_NOTE_LENGTH = 500


@dataclass(frozen=True)
class Created:
    """A new batch and who was left out; no batch when nobody could be paid."""

    batch: Batch | None
    skipped: tuple[Skipped, ...]


def set_payee(engine: Engine, payee: Payee) -> Payee:
    """Check and write a payee, whose `holder_id` may be a holder's or author's id or name.

    Returns what was written. BadInput: an account, code, name or tax class that cannot be used, or
    nobody is named who set it. NotFound, Ambiguous: the holder.
    """
    by = admin_name(payee.updated_by)
    with write(engine) as session:
        holder_id = rights.get_holder(session, payee.holder_id).id
        checked = checked_payee(replace(payee, holder_id=holder_id, updated_by=by))
        policy = policy_of(session)
        if checked.tax_class not in policy.withholding_ppm:
            known = ", ".join(sorted(policy.withholding_ppm)) or "none at all"
            raise BadInput(
                f"policy {policy.version} has no tax class {checked.tax_class!r}, but {known}"
            )
        payouts.set_payee(session, checked)
    return checked


def remove_payees(engine: Engine, holder: str, currency: str | None, *, by: str) -> int:
    """Delete a holder's payee data, of one currency or all; returns how many there were.

    No row is left that could keep `by`. NotFound: there was none. BadInput: nobody is named.
    """
    admin_name(by)
    with write(engine) as session:
        holder_id = rights.get_holder(session, holder).id
        removed = payouts.remove_payees(session, holder_id, currency)
        if not removed:
            of = "" if currency is None else f" in {currency}"
            raise NotFound(f"holder {holder_id} has no payee data{of}")
    return removed


def create_batch(engine: Engine, currency: str, *, by: str, now_us: int) -> Created:
    """Hold what is payable in this currency, one payout per holder, under the newest policy.

    What is held is payable no more, so a second call finds nothing. BadInput: no period is closed,
    or the policy has no rate.
    """
    by = admin_name(by)
    with write(engine) as session:
        policy = policy_of(session)
        plan = plan_batch(
            currency,
            payouts.payable_micro(session),
            payouts.list_payees(session),
            payouts.disputed_holders(session),
            policy,
        )
        skipped = tuple(each for each in plan if isinstance(each, Skipped))
        planned = [each for each in plan if isinstance(each, Planned)]
        if not planned:
            return Created(None, skipped)
        batch = payouts.add_batch(
            session, currency, planned, policy_version=policy.version, by=by, now_us=now_us
        )
    return Created(batch, skipped)


def write_file(
    engine: Engine,
    batch_id: str,
    format_name: str,
    layout: Layout | None,
    senders: Mapping[str, Sender],
    execute_on: date,
    *,
    now_us: int,
) -> PayoutFile:
    """The file of a batch, in one format: written once, the same bytes whenever it is asked for.

    BadInput: the batch has a file in another format, a payee or the sender (by currency) is
    missing, or the layout cannot be used. NotFound: no such batch.
    """
    with write(engine) as session:
        batch = payouts.get_batch(session, batch_id)
        if stored := payouts.find_batch_file(session, batch_id, format_name):
            return stored
        if formats := payouts.file_formats(session, batch_id):
            raise BadInput(
                f"batch {batch_id} has a {formats[0]} file: one in another format could pay it"
                " twice; to pay otherwise, say it was sent, return its payouts and make a new batch"
            )
        if batch.currency not in senders:
            raise BadInput(
                f"nothing says whose account pays: add [payout.{batch.currency}] with name and"
                " account to haozhi.toml"
            )
        found = payouts.list_payees(session)
        payees = {each.holder_id: each for each in found if each.currency == batch.currency}
        order = build_order(batch, payees, senders[batch.currency], execute_on, now_us)
        content = build_file(order, format_name, layout)
        return payouts.add_file(session, batch_id, format_name, content)


def mark_sent(engine: Engine, batch_id: str, *, by: str, now_us: int) -> Batch:
    """The file went to the bank: every open payout is sent; those sent before stay as they are.

    BadInput: no file was written, or nothing is left to send.
    """
    by = admin_name(by)
    with write(engine) as session:
        batch = payouts.get_batch(session, batch_id)
        if not payouts.file_formats(session, batch_id):
            raise BadInput(f"batch {batch_id} has no file: write it with `haozhi payout file`")
        if all(payout.state == "returned" for payout in batch.payouts):
            raise BadInput(f"every payout of batch {batch_id} was returned")
        for payout in batch.payouts:
            if payout.state == "open":
                payouts.send_payout(session, payout, by=by, now_us=now_us)
        return payouts.get_batch(session, batch_id)


def confirm(engine: Engine, batch_id: str, holder: str | None, *, by: str, now_us: int) -> Batch:
    """The bank paid one holder, or all that were sent; confirmed before, they stay as they are.

    BadInput: what is not sent, or was returned.
    """
    by = admin_name(by)
    with write(engine) as session:
        batch = payouts.get_batch(session, batch_id)
        chosen = batch.payouts if holder is None else (_payout(session, batch, holder),)
        if any(payout.state == "open" for payout in chosen):
            raise BadInput(f"batch {batch_id} is not sent: use `haozhi payout sent` first")
        if all(payout.state == "returned" for payout in chosen):
            raise BadInput(f"what is to be confirmed of batch {batch_id} was returned")
        for payout in chosen:
            if payout.state == "sent":
                payouts.confirm_payout(session, payout, batch.currency, by=by, now_us=now_us)
        return payouts.get_batch(session, batch_id)


def give_back(
    engine: Engine, batch_id: str, holder: str, *, by: str, note: str, now_us: int
) -> Batch:
    """A payout came back, or is not to be paid: its money is the holder's again, tax included.

    Returned before, it stays as it is. BadInput: a file of the batch is written and not sent, so
    that the bank may still be asked to pay.
    """
    by, note = admin_name(by), plain_text("note", note, _NOTE_LENGTH)
    with write(engine) as session:
        batch = payouts.get_batch(session, batch_id)
        payout = _payout(session, batch, holder)
        if payout.state == "open" and payouts.file_formats(session, batch_id):
            raise BadInput(
                f"a file with this payout is written: use `haozhi payout sent {batch_id}` first,"
                " then return what the bank did not pay"
            )
        if payout.state != "returned":
            payouts.return_payout(session, payout, batch.currency, by=by, note=note, now_us=now_us)
        return payouts.get_batch(session, batch_id)


def _payout(session: Session, batch: Batch, holder: str) -> Payout:
    """The payout of a holder, given by its or its author's id or name."""
    holder_id = rights.get_holder(session, holder).id
    for payout in batch.payouts:
        if payout.holder_id == holder_id:
            return payout
    raise NotFound(f"batch {batch.id} has no payout to holder {holder_id}")
