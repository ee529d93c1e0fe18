"""Disputes: somebody says that a line was paid to the wrong holder."""

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, Micros


class DisputeRow(Base):
    """An open question about one line of the ledger; its money waits in the disputed reserve."""

    __tablename__ = "disputes"

    id: Mapped[str] = mapped_column(primary_key=True)
    entry_key: Mapped[str] = mapped_column(ForeignKey("entries.key"))
    line: Mapped[int]
    occurrence_id: Mapped[int | None] = mapped_column(ForeignKey("occurrences.id"))
    """The occurrence whose later money is kept back as long as the dispute is open."""
    claimant_id: Mapped[str | None] = mapped_column(ForeignKey("authors.id"))
    ground: Mapped[str]
    opened_by: Mapped[str]
    created_us: Mapped[Micros]

    __table_args__ = (Index(None, "entry_key", "line"),)


class DisputeClosingRow(Base):
    """How a dispute ended: the money went back, or on to another holder."""

    __tablename__ = "dispute_closings"

    dispute_id: Mapped[str] = mapped_column(ForeignKey("disputes.id"), primary_key=True)
    outcome: Mapped[str]
    holder_id: Mapped[str | None] = mapped_column(ForeignKey("rights_holders.id"))
    """Who got the money; None when it went back."""
    note: Mapped[str]
    closed_by: Mapped[str]
    created_us: Mapped[Micros]

    __table_args__ = (
        CheckConstraint("outcome IN ('back', 'on')", name="outcome"),
        CheckConstraint("(outcome = 'on') = (holder_id IS NOT NULL)", name="holder"),
    )
