"""A payment order: what a payment file says, before it has a format."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from haozhi.payouts.accounts import ACCOUNTS, checked_bic
from haozhi.payouts.names import latin_name, plain_text
from haozhi.payouts.sender import Sender
from store.errors import BadInput
from store.payouts.records import Batch, Payee

#: The longest identifier that ISO 20022 carries.
_REFERENCE_LENGTH = 35


@dataclass(frozen=True)
class Payment:
    """One line of the order; `reference` comes back on the bank's statement."""

    reference: str
    name: str
    account: str
    bic: str | None
    bank_name: str | None
    country: str
    amount_minor: int


@dataclass(frozen=True)
class Order:
    """The payments of a batch that have not been returned, at least one."""

    batch_id: str
    currency: str
    created_us: int
    execute_on: date
    sender: Sender
    payments: tuple[Payment, ...]

    @property
    def total_minor(self) -> int:
        """Cents or fen of all payments."""
        return sum(payment.amount_minor for payment in self.payments)


def execution_day(text: str | None, now_us: int) -> date:
    """The day on which the bank is asked to pay: YYYY-MM-DD, or today in UTC.

    BadInput: no day, one in the past, or one that is more than a year away: the file is kept for
    ever, and no bank takes it.
    """
    today = datetime.fromtimestamp(now_us // 1_000_000, UTC).date()
    if text is None:
        return today
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"a day is written YYYY-MM-DD, not {text[:40]!r}") from None
    if not today <= day <= today + timedelta(days=366):
        raise BadInput(f"the bank cannot pay on {day}: name a day from {today} to a year ahead")
    return day


def build_order(
    batch: Batch, payees: dict[str, Payee], sender: Sender, execute_on: date, now_us: int
) -> Order:
    """The order that pays what is open in a batch, to the payees as they are now.

    `payees` are those of the batch's currency by holder. BadInput: nothing is open, a payee was
    removed, or the sender's own data cannot be used.
    """
    wanted = [payout for payout in batch.payouts if payout.state != "returned"]
    if not wanted:
        raise BadInput(f"every payout of batch {batch.id} was returned: there is nothing to write")
    for payout in wanted:
        if payout.holder_id not in payees:
            raise BadInput(
                f"holder {payout.holder_id} has no payee data in {batch.currency} any more: use"
                f" `haozhi payee set`, or `haozhi payout return {batch.id} {payout.holder_id}`"
            )
    return Order(
        batch_id=batch.id,
        currency=batch.currency,
        created_us=now_us,
        execute_on=execute_on,
        sender=_checked(sender, batch.currency),
        payments=tuple(
            _payment(batch.id, payees[payout.holder_id], payout.amounts.net_minor)
            for payout in wanted
        ),
    )


def _payment(batch_id: str, payee: Payee, amount_minor: int) -> Payment:
    reference = f"{batch_id}-{payee.holder_id}"
    assert len(reference) <= _REFERENCE_LENGTH, f"{reference} is too long for a payment file"
    return Payment(
        reference=reference,
        name=payee.name if payee.currency == "CNY" else latin_name(payee.name),
        account=payee.account,
        bic=payee.bic,
        bank_name=payee.bank_name,
        country=payee.country,
        amount_minor=amount_minor,
    )


def _checked(sender: Sender, currency: str) -> Sender:
    try:
        name = plain_text("name", sender.name, 70)
        return Sender(
            name=name if currency == "CNY" else latin_name(name),
            account=ACCOUNTS[currency](sender.account),
            bic=None if sender.bic is None else checked_bic(sender.bic),
        )
    except BadInput as error:
        raise BadInput(f"payout.{currency} (haozhi.toml): {error}") from error
