"""Payouts: who is paid where, the batches, their files and what became of each payout."""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, Micros


class PayeeRow(Base):
    """Where a holder is paid in a currency; personal data, so it can be changed and removed."""

    __tablename__ = "payees"

    holder_id: Mapped[str] = mapped_column(ForeignKey("rights_holders.id"), primary_key=True)
    currency: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    account: Mapped[str]
    bic: Mapped[str | None]
    bank_name: Mapped[str | None]
    country: Mapped[str]
    tax_class: Mapped[str]
    updated_by: Mapped[str]
    updated_us: Mapped[Micros]

    __table_args__ = (CheckConstraint("currency IN ('CNY', 'EUR', 'USD')", name="currency"),)


class PayoutBatchRow(Base):
    """One payment run in one currency."""

    __tablename__ = "payout_batches"

    id: Mapped[str] = mapped_column(primary_key=True)
    currency: Mapped[str]
    policy_version: Mapped[int] = mapped_column(ForeignKey("policies.version"))
    created_by: Mapped[str]
    created_us: Mapped[Micros]
    payout_count: Mapped[int]
    total_minor: Mapped[int] = mapped_column(BigInteger)
    """Cents or fen of all its payouts."""

    __table_args__ = (
        CheckConstraint("currency IN ('CNY', 'EUR', 'USD')", name="currency"),
        CheckConstraint("payout_count > 0 AND total_minor > 0", name="whole"),
    )


class PayoutRow(Base):
    """What one holder gets in a batch: gross = withheld + net, in micro-credits, and net in cents.

    The hold `payout:{batch}:{holder}` keeps the gross until the payment is confirmed or returned.
    """

    __tablename__ = "payouts"

    batch_id: Mapped[str] = mapped_column(ForeignKey("payout_batches.id"), primary_key=True)
    holder_id: Mapped[str] = mapped_column(ForeignKey("rights_holders.id"), primary_key=True)
    gross_micro: Mapped[int] = mapped_column(BigInteger)
    withheld_micro: Mapped[int] = mapped_column(BigInteger)
    net_micro: Mapped[int] = mapped_column(BigInteger)
    net_minor: Mapped[int] = mapped_column(BigInteger)
    withholding_ppm: Mapped[int]
    tax_class: Mapped[str]

    __table_args__ = (
        CheckConstraint(
            "withheld_micro >= 0 AND net_micro > 0 AND gross_micro = withheld_micro + net_micro",
            name="gross",
        ),
        CheckConstraint("net_minor > 0", name="net_minor"),
    )


class PayoutFileRow(Base):
    """The payment file of a batch, of which there is one: two could both be sent."""

    __tablename__ = "payout_files"

    batch_id: Mapped[str] = mapped_column(ForeignKey("payout_batches.id"), primary_key=True)
    format: Mapped[str]
    sha256: Mapped[str]
    content: Mapped[bytes] = mapped_column(LargeBinary)


class PayoutEventRow(Base):
    """What became of a payout: sent, confirmed by the bank, or returned."""

    __tablename__ = "payout_events"

    batch_id: Mapped[str] = mapped_column(ForeignKey("payout_batches.id"), primary_key=True)
    holder_id: Mapped[str] = mapped_column(ForeignKey("rights_holders.id"), primary_key=True)
    state: Mapped[str] = mapped_column(primary_key=True)
    by: Mapped[str]
    note: Mapped[str | None]
    created_us: Mapped[Micros]

    __table_args__ = (CheckConstraint("state IN ('sent', 'confirmed', 'returned')", name="state"),)
