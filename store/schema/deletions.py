"""What was deleted on request: the decision, and the statements whose text it takes away."""

from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, IntId, Micros


class DeletionRow(Base):
    """A deletion that was decided; it is not over before everything was searched for in vain."""

    __tablename__ = "deletions"

    id: Mapped[IntId]
    kind: Mapped[str]
    subject: Mapped[str]
    """Id of the work or author; of statements the ids, in ascending order, with spaces."""
    requested_by: Mapped[str]
    reason: Mapped[str]
    created_us: Mapped[Micros]
    removed: Mapped[dict[str, Any]] = mapped_column(JSON)
    """How many were removed so far, by store."""
    finished_us: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (CheckConstraint("kind IN ('statement', 'work', 'author')", name="kind"),)


class DeletedStatementRow(Base):
    """A statement whose text a deletion takes away."""

    __tablename__ = "deleted_statements"

    statement_id: Mapped[int] = mapped_column(ForeignKey("statements.id"), primary_key=True)
    deletion_id: Mapped[int] = mapped_column(ForeignKey("deletions.id"), index=True)
