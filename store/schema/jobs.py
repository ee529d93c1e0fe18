"""Long work as rows, so that a crash leaves something that another process can finish."""

from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint
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

    __table_args__ = (
        CheckConstraint("state IN ('queued', 'running', 'done', 'failed')", name="state"),
    )
