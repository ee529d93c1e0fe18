"""Authors, their erasable names, and who holds the rights in what they said."""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, IntId, Micros


class AuthorRow(Base):
    """A person or organisation; the id is random and says nothing about the name."""

    __tablename__ = "authors"

    id: Mapped[str] = mapped_column(primary_key=True)
    namespace: Mapped[str]
    """`work:ID`: a name that nobody vouches for, met in that work (`store.identities`)."""
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
    decision_id: Mapped[int | None] = mapped_column(ForeignKey("author_decisions.id"))
    """The decision that confirmed it."""
    created_us: Mapped[Micros]

    __table_args__ = (Index(None, "namespace", "alias_key"),)


class AuthorIdentifierRow(Base):
    """An identifier of an author in a public scheme (orcid, isni, url)."""

    __tablename__ = "author_identifiers"

    scheme: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str] = mapped_column(primary_key=True)
    author_id: Mapped[str] = mapped_column(ForeignKey("authors.id"), index=True)
    decision_id: Mapped[int | None] = mapped_column(ForeignKey("author_decisions.id"))
    """The decision that an admin made about it; None where it came with a file."""


class RightsHolderRow(Base):
    """Who is paid: an author (by default) or another holder named in a grant."""

    __tablename__ = "rights_holders"

    id: Mapped[str] = mapped_column(primary_key=True)
    author_id: Mapped[str | None] = mapped_column(ForeignKey("authors.id"), unique=True)
    label: Mapped[str | None]
    created_us: Mapped[Micros]


class GrantRow(Base):
    """What a holder allows for a work and which part (ppm) of its money the holder gets.

    A work without grant rows is held by its authors, by their shares, and allows every use. A
    later grant of the same holder starts when the one before ends.
    """

    __tablename__ = "grants"

    id: Mapped[IntId]
    work_id: Mapped[str] = mapped_column(ForeignKey("works.id"), index=True)
    holder_id: Mapped[str] = mapped_column(ForeignKey("rights_holders.id"), index=True)
    ppm: Mapped[int]
    may_retrieve: Mapped[bool]
    may_generate: Mapped[bool]
    may_display: Mapped[bool]
    may_train: Mapped[bool]
    display_chars: Mapped[int | None]
    """The most characters of one statement that may be shown; None is no limit."""
    valid_from_us: Mapped[int | None] = mapped_column(BigInteger)
    valid_until_us: Mapped[int | None] = mapped_column(BigInteger)
    terms: Mapped[str | None]
    """An SPDX expression or the address of RSL terms."""
    granted_by: Mapped[str | None]
    ended_by: Mapped[str | None]
    """The admins who did it; None where it was not recorded or has not happened."""
    created_us: Mapped[Micros]

    __table_args__ = (
        CheckConstraint("ppm >= 0 AND ppm <= 1000000", name="ppm"),
        CheckConstraint("display_chars >= 0", name="display_chars"),
    )


class AskerAuthorRow(Base):
    """An asker who is an author: what this asker asks earns that author nothing."""

    __tablename__ = "asker_authors"

    asker_id: Mapped[str] = mapped_column(primary_key=True)
    author_id: Mapped[str] = mapped_column(ForeignKey("authors.id"), primary_key=True)
    linked_by: Mapped[str | None]
    created_us: Mapped[Micros]


class ErasureRow(Base):
    """An author whose name was erased: ids, totals and proofs stay, later money is unclaimed."""

    __tablename__ = "erasures"

    author_id: Mapped[str] = mapped_column(ForeignKey("authors.id"), primary_key=True)
    requested_by: Mapped[str]
    created_us: Mapped[Micros]


class CommonKnowledgeRow(Base):
    """A statement that an admin marked as common knowledge."""

    __tablename__ = "common_knowledge"

    statement_hash: Mapped[str] = mapped_column(primary_key=True)
    marked_by: Mapped[str]
    created_us: Mapped[Micros]
