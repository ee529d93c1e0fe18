"""Acts: the rows that say who did what in the books besides moving money, chained."""

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, Id


class ActRow(Base):
    """A row of another table as it was written, chained to the act before it.

    hash = SHA-256(version tag || prev_hash || RFC 8785 body with everything that the row says).
    """

    __tablename__ = "acts"

    seq: Mapped[int] = mapped_column(Id, primary_key=True, autoincrement=False)
    table_name: Mapped[str]
    row_key: Mapped[str]
    """The values of the row's primary key, as a canonical JSON list."""
    prev_hash: Mapped[str] = mapped_column(unique=True)
    hash: Mapped[str] = mapped_column(unique=True)

    __table_args__ = (UniqueConstraint("table_name", "row_key"),)
