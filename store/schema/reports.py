"""Closed periods: credit reports, their totals, signed checkpoints and the answers audited."""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, Micros


class CreditReportRow(Base):
    """A holder's credit report of a closed period, as it was signed.

    opening + earned - adjustments - deductions - recouped - disputed + released - paid = closing,
    and payable + carried + held = closing.
    """

    __tablename__ = "credit_reports"

    period_id: Mapped[int] = mapped_column(ForeignKey("periods.id"), primary_key=True)
    holder_id: Mapped[str] = mapped_column(ForeignKey("rights_holders.id"), primary_key=True)
    opening_micro: Mapped[int] = mapped_column(BigInteger)
    earned_micro: Mapped[int] = mapped_column(BigInteger)
    adjustments_micro: Mapped[int] = mapped_column(BigInteger)
    deductions_micro: Mapped[int] = mapped_column(BigInteger)
    recouped_micro: Mapped[int] = mapped_column(BigInteger)
    disputed_micro: Mapped[int] = mapped_column(BigInteger)
    released_micro: Mapped[int] = mapped_column(BigInteger)
    paid_micro: Mapped[int] = mapped_column(BigInteger)
    closing_micro: Mapped[int] = mapped_column(BigInteger)
    payable_micro: Mapped[int] = mapped_column(BigInteger)
    carried_micro: Mapped[int] = mapped_column(BigInteger)
    held_micro: Mapped[int] = mapped_column(BigInteger)
    line_count: Mapped[int] = mapped_column(BigInteger)
    lines_sha256: Mapped[str]
    """Of the lines file, which is written again from the ledger whenever it is asked for."""
    report_sha256: Mapped[str]
    """Of the canonical bytes of the report."""
    salt: Mapped[str]
    """32 random bytes (hex): nobody can guess a report from its leaf."""
    leaf_hash: Mapped[str]

    __table_args__ = (
        CheckConstraint(
            "opening_micro + earned_micro - adjustments_micro - deductions_micro - recouped_micro"
            " - disputed_micro + released_micro - paid_micro = closing_micro",
            name="equation",
        ),
        CheckConstraint(
            "payable_micro >= 0 AND carried_micro >= 0 AND held_micro >= 0"
            " AND payable_micro + carried_micro + held_micro = closing_micro",
            name="parts",
        ),
    )


class CreditReportStatementRow(Base):
    """What one statement brought a holder in a closed period, less what was taken back."""

    __tablename__ = "credit_report_statements"

    period_id: Mapped[int] = mapped_column(ForeignKey("periods.id"), primary_key=True)
    holder_id: Mapped[str] = mapped_column(ForeignKey("rights_holders.id"), primary_key=True)
    statement_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    work_id: Mapped[str | None] = mapped_column(ForeignKey("works.id"))
    amount_micro: Mapped[int] = mapped_column(BigInteger)
    line_count: Mapped[int] = mapped_column(BigInteger)


class SigningKeyRow(Base):
    """A public key of this ledger; the private one is never in the database."""

    __tablename__ = "signing_keys"

    key_id: Mapped[str] = mapped_column(primary_key=True)
    public_key: Mapped[str]
    """32 bytes, hex."""
    created_us: Mapped[Micros]


class CheckpointRow(Base):
    """The signed tree heads of a period: all entries and acts so far, and its credit reports."""

    __tablename__ = "checkpoints"

    period_id: Mapped[int] = mapped_column(ForeignKey("periods.id"), primary_key=True)
    tree_size: Mapped[int] = mapped_column(BigInteger)
    root_hash: Mapped[str]
    reports_size: Mapped[int] = mapped_column(BigInteger)
    reports_root: Mapped[str]
    acts_size: Mapped[int] = mapped_column(BigInteger)
    acts_root: Mapped[str]
    previous_hash: Mapped[str | None]
    """SHA-256 of the note of the checkpoint before; None for the first."""
    note: Mapped[str]
    key_id: Mapped[str] = mapped_column(ForeignKey("signing_keys.key_id"))


class AuditRow(Base):
    """An answer that was recomputed when its period closed, and how far the shares differed."""

    __tablename__ = "audits"

    period_id: Mapped[int] = mapped_column(ForeignKey("periods.id"), primary_key=True)
    answer_id: Mapped[str] = mapped_column(ForeignKey("answers.id"), primary_key=True)
    state: Mapped[str]
    largest_ppb: Mapped[int | None]
    """The greatest difference of a share; None when the answer could not be recomputed."""
    model_fingerprint: Mapped[str]
    created_us: Mapped[Micros]

    __table_args__ = (
        CheckConstraint("state IN ('same', 'differs', 'not_replayable')", name="state"),
    )
