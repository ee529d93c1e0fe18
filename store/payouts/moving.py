"""The steps of a payout: rows and postings together, each in the caller's one transaction.

A batch holds each payout's gross; a confirmed payout moves the hold on to the bank and to tax; a
returned one brings everything back to the holder.
"""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from sqlalchemy import insert
from sqlalchemy.orm import Session

from store import acts, ledger
from store.payouts.batches import get_batch, next_batch_id
from store.payouts.records import Amounts, Batch, Payout, PayoutFile, Planned
from store.records.ledger import Transfer
from store.schema import PayoutBatchRow, PayoutEventRow, PayoutFileRow, PayoutRow


def add_batch(
    s: Session,
    currency: str,
    planned: Sequence[Planned],
    *,
    policy_version: int,
    by: str,
    now_us: int,
) -> Batch:
    """Write a batch with at least one payout and hold the gross of each."""
    batch_id = next_batch_id(s, currency)
    row = {"id": batch_id, "currency": currency, "policy_version": policy_version}
    total_minor = sum(each.amounts.net_minor for each in planned)
    sums = {"payout_count": len(planned), "total_minor": total_minor}
    s.execute(insert(PayoutBatchRow), [row | sums | {"created_by": by, "created_us": now_us}])
    s.execute(
        insert(PayoutRow),
        [
            {"batch_id": batch_id, "holder_id": each.holder_id, "tax_class": each.tax_class}
            | vars(each.amounts)
            | {"withholding_ppm": each.withholding_ppm}
            for each in planned
        ],
    )
    acts.record(s, PayoutBatchRow, [(batch_id,)])
    acts.record(s, PayoutRow, [(batch_id, each.holder_id) for each in planned])
    batch = get_batch(s, batch_id)
    for payout in batch.payouts:
        transfers = held_transfers(payout)
        ledger.hold(s, payout.hold, transfers, policy_version=policy_version, now_us=now_us)
    return batch


def add_file(s: Session, batch_id: str, format_name: str, content: bytes) -> PayoutFile:
    """Keep a file with its hash; a batch has one per format, which is never changed."""
    file = PayoutFile(batch_id, format_name, sha256(content).hexdigest(), content)
    s.execute(insert(PayoutFileRow), [dict(vars(file))])
    acts.record(s, PayoutFileRow, [(batch_id,)])
    return file


def send_payout(s: Session, payout: Payout, *, by: str, now_us: int) -> None:
    """An open payout went to the bank."""
    _add_event(s, payout, "sent", by, None, now_us)


def confirm_payout(s: Session, payout: Payout, currency: str, *, by: str, now_us: int) -> None:
    """The bank paid a sent payout: its hold is posted, net to the bank and the rest to tax."""
    _add_event(s, payout, "confirmed", by, None, now_us)
    ledger.post_hold(s, payout.hold, paid_transfers(payout, currency), now_us=now_us)


def return_payout(
    s: Session, payout: Payout, currency: str, *, by: str, note: str, now_us: int
) -> None:
    """The money came back: a pending hold is voided, a posted one is booked back to the holder."""
    _add_event(s, payout, "returned", by, note, now_us)
    if payout.state != "confirmed":
        ledger.void_hold(s, payout.hold, now_us=now_us, reason="returned")
        return
    posted = ledger.get_entry(s, f"hold:{payout.hold}:post")
    ledger.post(
        s,
        f"{payout.hold}:return",
        returned_transfers(payout, currency),
        policy_version=posted.policy_version,
        now_us=now_us,
        of=ledger.Correction(corrects=posted.key),
    )


def held_transfers(payout: Payout) -> tuple[Transfer, ...]:
    """From the holder into the hold."""
    holder, hold = f"holder:{payout.holder_id}", f"hold:{payout.hold}"
    return _two(payout.amounts, (holder, holder), (hold, hold))


def paid_transfers(payout: Payout, currency: str) -> tuple[Transfer, ...]:
    """From the hold to the bank and to tax."""
    hold = f"hold:{payout.hold}"
    return _two(payout.amounts, (hold, hold), _outside(payout, currency))


def returned_transfers(payout: Payout, currency: str) -> tuple[Transfer, ...]:
    """From the bank and from tax back to the holder; each undoes a line of the posted hold."""
    holder = f"holder:{payout.holder_id}"
    back = _two(payout.amounts, _outside(payout, currency), (holder, holder))
    return tuple(replace(transfer, line=line) for line, transfer in enumerate(back))


def _outside(payout: Payout, currency: str) -> tuple[str, str]:
    return f"bank:{currency}", f"tax:{payout.tax_class}"


def _two(
    amounts: Amounts, sources: tuple[str, str], targets: tuple[str, str]
) -> tuple[Transfer, ...]:
    """The net and, where something is withheld, the tax."""
    both = (
        Transfer(sources[0], targets[0], amounts.net_micro, "payout"),
        Transfer(sources[1], targets[1], amounts.withheld_micro, "withholding"),
    )
    return tuple(transfer for transfer in both if transfer.amount_micro)


def _add_event(
    s: Session, payout: Payout, state: str, by: str, note: str | None, now_us: int
) -> None:
    row = {"batch_id": payout.batch_id, "holder_id": payout.holder_id, "state": state}
    s.execute(insert(PayoutEventRow), [row | {"by": by, "note": note, "created_us": now_us}])
    acts.record(s, PayoutEventRow, [(payout.batch_id, payout.holder_id, state)])
