"""Authors, their erasable names, and who holds the rights in what they said."""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, IntId, Micros


class AuthorRow(Base):
    """A person or organisation; the id is random and says nothing about the name."""

    __tablename__ = "authors"

    id: Mapped[str] = mapped_column(primary_key=True)
    namespace: Mapped[str]
    created_us: Mapped[Micros]


class AuthorNameRow(Base):
    """The name of an author: deleting this row erases the person and keeps every total."""

    __tablename__ = "author_names"

    author_id: Mapped[str] = mapped_column(ForeignKey("authors.id"), primary_key=True)
    namespace: Mapped[str]
    name: Mapped[str]
    name_key: Mapped[str]
    """NFKC of the name with outer and repeated spaces folded; what exact matching compares."""

    __table_args__ = (Index(None, "namespace", "name_key"),)


class AuthorAliasRow(Base):
    """Another name of an author; only a confirmed alias resolves."""

    __tablename__ = "author_aliases"

    id: Mapped[IntId]
    author_id: Mapped[str] = mapped_column(ForeignKey("authors.id"), index=True)
    namespace: Mapped[str]
    alias: Mapped[str]
    alias_key: Mapped[str]
    confirmed: Mapped[bool]
    created_us: Mapped[Micros]

    __table_args__ = (Index(None, "namespace", "alias_key"),)


class AuthorIdentifierRow(Base):
    """An identifier of an author in a public scheme (orcid, isni, url)."""

    __tablename__ = "author_identifiers"

    scheme: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str] = mapped_column(primary_key=True)
    author_id: Mapped[str] = mapped_column(ForeignKey("authors.id"), index=True)


class RightsHolderRow(Base):
    """Who is paid: an author (by default) or another holder named in a grant."""

    __tablename__ = "rights_holders"

    id: Mapped[str] = mapped_column(primary_key=True)
    author_id: Mapped[str | None] = mapped_column(ForeignKey("authors.id"), unique=True)
    label: Mapped[str | None]
    created_us: Mapped[Micros]


class GrantRow(Base):
    """What a holder allows for a work and which part (ppm) of its money the holder gets.

    A work without grant rows is held by its authors, by their shares.
    """

    __tablename__ = "grants"

    id: Mapped[IntId]
    work_id: Mapped[str] = mapped_column(ForeignKey("works.id"))
    holder_id: Mapped[str] = mapped_column(ForeignKey("rights_holders.id"), index=True)
    ppm: Mapped[int]
    may_retrieve: Mapped[bool]
    may_generate: Mapped[bool]
    may_display: Mapped[bool]
    may_train: Mapped[bool]
    valid_from_us: Mapped[int | None] = mapped_column(BigInteger)
    valid_until_us: Mapped[int | None] = mapped_column(BigInteger)
    terms: Mapped[str | None]
    created_us: Mapped[Micros]

    __table_args__ = (
        UniqueConstraint("work_id", "holder_id"),
        CheckConstraint("ppm > 0 AND ppm <= 1000000", name="ppm"),
    )
