"""Long work as rows, so that a crash leaves something that another process can finish."""

from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, Micros


class JobRow(Base):
    """One piece of long work, its state, its holder and its last sign of life."""

    __tablename__ = "jobs"

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    key: Mapped[str] = mapped_column(unique=True)
    state: Mapped[str]
    payload: Mapped[dict[str, Any]] = mapped_column(JSON)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    error: Mapped[str | None]
    attempts: Mapped[int]
    lease_owner: Mapped[str | None]
    lease_until_us: Mapped[int | None] = mapped_column(BigInteger)
    heartbeat_us: Mapped[int | None] = mapped_column(BigInteger)
    created_us: Mapped[Micros]
    updated_us: Mapped[Micros]
    cancel_us: Mapped[int | None] = mapped_column(BigInteger)
    """When somebody asked for an end; whoever holds the job looks at it between steps."""

    __table_args__ = (
        CheckConstraint(
            "state IN ('queued', 'running', 'done', 'done-with-warnings', 'failed', 'cancelled')",
            name="state",
        ),
    )


class JobFileRow(Base):
    """One file of a job of ingestion, and what became of it."""

    __tablename__ = "job_files"

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    path: Mapped[str] = mapped_column(primary_key=True)
    state: Mapped[str]
    work_id: Mapped[str | None] = mapped_column(ForeignKey("works.id"), index=True)
    result: Mapped[dict[str, Any]] = mapped_column(JSON)
    """Counts of statements, what was rejected, pages without text, what was not read."""
    updated_us: Mapped[Micros]

    __table_args__ = (
        CheckConstraint(
            "state IN ('queued', 'parsing', 'embedding', 'indexing', 'done', 'done-with-warnings',"
            " 'skipped-duplicate', 'no-text', 'failed', 'cancelled')",
            name="state",
        ),
    )
