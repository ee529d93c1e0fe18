"""What admins decided about who an author is. The rows hold no names, so that they can stay."""

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, IntId, Micros


class AuthorDecisionRow(Base):
    """One decision about an author; only a later `undo` takes it back."""

    __tablename__ = "author_decisions"

    id: Mapped[IntId]
    kind: Mapped[str]
    author_id: Mapped[str] = mapped_column(ForeignKey("authors.id"), index=True)
    """Whom it is about; for a merge the one who from then on is `into_id`."""
    into_id: Mapped[str | None] = mapped_column(ForeignKey("authors.id"), index=True)
    """Who says from then on what `author_id` said: in all works, for a split in some."""
    undoes: Mapped[int | None] = mapped_column(ForeignKey("author_decisions.id"), unique=True)
    decided_by: Mapped[str]
    created_us: Mapped[Micros]

    __table_args__ = (
        CheckConstraint(
            "kind IN ('confirm', 'alias', 'identify', 'merge', 'split', 'undo')", name="kind"
        ),
        CheckConstraint("(kind = 'undo') = (undoes IS NOT NULL)", name="undo"),
    )


class AuthorDecisionWorkRow(Base):
    """A work whose statements a split gives to the new author."""

    __tablename__ = "author_decision_works"

    decision_id: Mapped[int] = mapped_column(ForeignKey("author_decisions.id"), primary_key=True)
    work_id: Mapped[str] = mapped_column(ForeignKey("works.id"), primary_key=True)
