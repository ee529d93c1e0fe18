"""Works, statements, where they stand, their clusters and their vectors."""

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    LargeBinary,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, IntId, Micros


class WorkRow(Base):
    """One ingested file; `byte_hash` is the SHA-256 of the bytes of its newest version."""

    __tablename__ = "works"

    id: Mapped[str] = mapped_column(primary_key=True)
    scope: Mapped[str]
    byte_hash: Mapped[str]
    byte_count: Mapped[int] = mapped_column(BigInteger)
    path: Mapped[str]
    title: Mapped[str]
    media_type: Mapped[str]
    encoding: Mapped[str]
    namespace: Mapped[str]
    published_on: Mapped[str | None]
    """ISO 8601 date as claimed (YYYY, YYYY-MM or YYYY-MM-DD); None is unknown."""
    publication_evidence: Mapped[str | None]
    evidence_by: Mapped[str | None]
    """The admin who recorded the evidence; None where the file came with it."""
    evidence_us: Mapped[int | None] = mapped_column(BigInteger)
    """When that was; it says nothing of what was registered later. None: it speaks of all."""
    licence: Mapped[str | None]
    state: Mapped[str]
    """`removed`: its file is gone, so that nothing of it is retrieved until it comes back."""
    source: Mapped[str | None]
    """Where the file lies; other bytes from there are its next version. None has no next one."""
    version: Mapped[int] = mapped_column(server_default="1")
    created_us: Mapped[Micros]
    beside_hash: Mapped[str] = mapped_column(server_default="")
    """SHA-256 of what a sidecar or manifest said of the file when it was read; '' for nothing."""

    __table_args__ = (
        UniqueConstraint("scope", "byte_hash"),
        Index(None, "source"),
        CheckConstraint("state IN ('ingesting', 'ready', 'removed', 'withdrawn')", name="state"),
    )


class WorkTextRow(Base):
    """The text of a work's newest version; spans of that version are code-point offsets into it."""

    __tablename__ = "work_texts"

    work_id: Mapped[str] = mapped_column(ForeignKey("works.id"), primary_key=True)
    text: Mapped[str]
    raw: Mapped[str | None] = mapped_column(deferred=True)
    """The source of the web page that the text was taken out of; None for other files, and once
    something of the text was deleted.
    """


class ClusterRow(Base):
    """Near-duplicate statements; a statement alone is its own cluster."""

    __tablename__ = "clusters"

    id: Mapped[IntId]
    created_us: Mapped[Micros]


class ClusterKeyRow(Base):
    """By what a new statement finds the clusters of texts like its own (`store.clusters`)."""

    __tablename__ = "cluster_keys"

    key: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    cluster_id: Mapped[int] = mapped_column(ForeignKey("clusters.id"), primary_key=True)

    __table_args__ = ({"sqlite_with_rowid": False},)


class StatementRow(Base):
    """One distinct normalised text within one scope: the unit of retrieval, citation and credit."""

    __tablename__ = "statements"

    id: Mapped[IntId]
    scope: Mapped[str]
    hash: Mapped[str]
    """SHA-256 (hex) of the normalised text; never changes, also after deletion."""
    text: Mapped[str | None]
    """The original text of the first occurrence; None once deleted."""
    language: Mapped[str]
    cluster_id: Mapped[int] = mapped_column(ForeignKey("clusters.id"), index=True)
    withdrawn_us: Mapped[int | None] = mapped_column(BigInteger)
    created_us: Mapped[Micros]

    __table_args__ = (UniqueConstraint("scope", "hash"),)


class OccurrenceRow(Base):
    """Where a statement stands: a half-open code-point span of a work's text."""

    __tablename__ = "occurrences"

    id: Mapped[IntId]
    statement_id: Mapped[int] = mapped_column(ForeignKey("statements.id"), index=True)
    work_id: Mapped[str] = mapped_column(ForeignKey("works.id"))
    start: Mapped[int]
    end: Mapped[int]
    page: Mapped[int | None]
    line: Mapped[int | None]
    headings: Mapped[str] = mapped_column(server_default="")
    """The headings above it, below the work's title, the highest first, one a line; '' for none."""
    published_on: Mapped[str | None]
    registered_us: Mapped[Micros]
    disputed: Mapped[bool]
    withdrawn_us: Mapped[int | None] = mapped_column(BigInteger)
    version: Mapped[int] = mapped_column(server_default="1")
    """The version of the work that the span is of; what stays in the work moves on to the next."""
    gone_in: Mapped[int | None]
    """The first version without it. Such a one was not withdrawn by anybody and may come back."""
    confidence_ppm: Mapped[int | None]
    """How sure the reading is, for text recognised in a picture; None for text that is text."""
    read_by: Mapped[str | None]
    """The admin who looked at an unsure reading and found it right (`store.readings`)."""
    read_us: Mapped[int | None] = mapped_column(BigInteger)
    boxes: Mapped[list[list[float]] | None] = mapped_column(JSON(none_as_null=True), deferred=True)
    """Page, left, bottom, right and top of each piece of a line; None where no place is known."""

    __table_args__ = (
        UniqueConstraint("work_id", "version", "start", "end"),
        CheckConstraint('"start" >= 0 AND "end" > "start"', name="span"),
    )


class OccurrenceShareRow(Base):
    """An author's part of an occurrence; parts sum to 1,000,000. No rows: the author is unknown."""

    __tablename__ = "occurrence_shares"

    occurrence_id: Mapped[int] = mapped_column(ForeignKey("occurrences.id"), primary_key=True)
    author_id: Mapped[str] = mapped_column(ForeignKey("authors.id"), primary_key=True, index=True)
    ppm: Mapped[int]

    __table_args__ = (CheckConstraint("ppm > 0 AND ppm <= 1000000", name="ppm"),)


class EmbeddingRow(Base):
    """The vector of a statement under one embedder; the truth that the FAISS file is built from."""

    __tablename__ = "embeddings"

    statement_id: Mapped[int] = mapped_column(ForeignKey("statements.id"), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(primary_key=True)
    dim: Mapped[int]
    vector: Mapped[bytes] = mapped_column(LargeBinary)
    """dim little-endian float32, L2-normalised."""
