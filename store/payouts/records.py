"""Values of payouts that cross the store's border."""

from dataclasses import dataclass

#: The formats of a payment file.
FORMATS = ("pain001", "csv", "xlsx")


@dataclass(frozen=True)
class Payee:
    """Where a holder is paid in a currency; checked and normalised before it is stored.

    `account` is an IBAN (EUR) or the bank's own number, without spaces. `country` is where the
    holder lives (ISO 3166 letters), `tax_class` a class of the policy's withholding table,
    `updated_by` the admin who set it.
    """

    holder_id: str
    currency: str
    name: str
    account: str
    bic: str | None
    bank_name: str | None
    country: str
    tax_class: str
    updated_by: str
    updated_us: int


@dataclass(frozen=True)
class Amounts:
    """What one payout moves: gross = withheld + net in micro-credits, and net in cents or fen."""

    gross_micro: int
    withheld_micro: int
    net_micro: int
    net_minor: int


@dataclass(frozen=True)
class Planned:
    """A payout that a batch will have."""

    holder_id: str
    amounts: Amounts
    withholding_ppm: int
    tax_class: str


@dataclass(frozen=True)
class Payout:
    """A payout of a batch and its newest state: open, sent, confirmed or returned."""

    batch_id: str
    holder_id: str
    amounts: Amounts
    withholding_ppm: int
    tax_class: str
    state: str

    @property
    def hold(self) -> str:
        """The name of the hold that keeps its gross until it is confirmed or returned."""
        return f"payout:{self.batch_id}:{self.holder_id}"


@dataclass(frozen=True)
class Batch:
    """One payment run in one currency; `payouts` are ordered by holder."""

    id: str
    currency: str
    policy_version: int
    created_by: str
    created_us: int
    payouts: tuple[Payout, ...]

    @property
    def total_minor(self) -> int:
        """Cents or fen of all its payouts, whatever became of them."""
        return sum(payout.amounts.net_minor for payout in self.payouts)


@dataclass(frozen=True)
class PayoutFile:
    """A payment file as it was written; `format` is pain001, csv or xlsx."""

    batch_id: str
    format: str
    sha256: str
    content: bytes


@dataclass(frozen=True)
class PayoutEvent:
    """A state that a payout came into, by whom and when."""

    batch_id: str
    holder_id: str
    state: str
    by: str
    note: str | None
    created_us: int
