"""Answers, their context, and the versioned attribution of each."""

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from store.schema.base import Base, IntId, Micros


class AnswerRow(Base):
    """A question and what was answered, with the token ids that a replay needs."""

    __tablename__ = "answers"

    id: Mapped[str] = mapped_column(primary_key=True)
    asker_id: Mapped[str]
    kind: Mapped[str]
    state: Mapped[str]
    question: Mapped[str]
    claim: Mapped[str | None]
    preface: Mapped[str]
    """Words of the system in front of the model's text, part of `text`; '' in all newer answers."""
    text: Mapped[str]
    language: Mapped[str]
    model: Mapped[str]
    model_fingerprint: Mapped[str]
    prompt_fingerprint: Mapped[str]
    prompt_ids: Mapped[list[int]] = mapped_column(JSON)
    tail_start: Mapped[int]
    """Index of the first prompt token after the last statement: the tail of masked values."""
    answer_ids: Mapped[list[int]] = mapped_column(JSON)
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    refusal: Mapped[str | None]
    policy_version: Mapped[int] = mapped_column(ForeignKey("policies.version"))
    fee_micro: Mapped[int] = mapped_column(BigInteger)
    timings_ms: Mapped[dict[str, int]] = mapped_column(JSON)
    created_us: Mapped[Micros]

    __table_args__ = (
        CheckConstraint("kind IN ('ask', 'who')", name="kind"),
        CheckConstraint("state IN ('answered', 'refused')", name="state"),
        CheckConstraint("fee_micro >= 0", name="fee"),
        Index(None, "asker_id", "created_us"),
    )


class ContextRow(Base):
    """A retrieved statement in rank order; `included` false: it did not fit the window."""

    __tablename__ = "context_entries"

    answer_id: Mapped[str] = mapped_column(ForeignKey("answers.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    statement_id: Mapped[int] = mapped_column(BigInteger, index=True)
    statement_hash: Mapped[str]
    occurrence_id: Mapped[int | None] = mapped_column(BigInteger)
    """The credited occurrence at the time of the answer; its shares are what was paid."""
    player: Mapped[str]
    included: Mapped[bool]
    token_start: Mapped[int | None]
    token_end: Mapped[int | None]
    retrieval: Mapped[float]


class SegmentRow(Base):
    """A sentence (or one step of a worked sum) of an answer's text, half-open code-point span."""

    __tablename__ = "segments"

    answer_id: Mapped[str] = mapped_column(ForeignKey("answers.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    start: Mapped[int]
    end: Mapped[int]
    token_start: Mapped[int]
    token_end: Mapped[int]
    weight_ppb: Mapped[int]


class AttributionRow(Base):
    """One version of whose statements an answer rests on; never updated, only superseded."""

    __tablename__ = "attributions"

    id: Mapped[IntId]
    answer_id: Mapped[str] = mapped_column(ForeignKey("answers.id"))
    version: Mapped[int]
    tier: Mapped[str]
    rule: Mapped[str]
    method: Mapped[str]
    v_none: Mapped[float | None]
    v_all: Mapped[float | None]
    grounding: Mapped[float | None]
    residual: Mapped[float | None]
    order_spread: Mapped[float | None]
    unattributed_ppb: Mapped[int]
    unsupported_ppb: Mapped[int]
    already_known_ppb: Mapped[int]
    below_noise_ppb: Mapped[int]
    disagree_ppb: Mapped[int]
    detail: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_us: Mapped[Micros]

    __table_args__ = (
        UniqueConstraint("answer_id", "version"),
        CheckConstraint("tier IN ('provisional', 'final')", name="tier"),
        CheckConstraint(
            "unattributed_ppb = "
            "unsupported_ppb + already_known_ppb + below_noise_ppb + disagree_ppb",
            name="causes",
        ),
    )


class SupportSetRow(Base):
    """A smallest set of statements that together yield (or contradict) a segment.

    `also`: one statement outside the context that says the segment too; nobody is paid for it.
    """

    __tablename__ = "support_sets"

    id: Mapped[IntId]
    attribution_id: Mapped[int] = mapped_column(ForeignKey("attributions.id"), index=True)
    segment: Mapped[int]
    relation: Mapped[str]
    strength: Mapped[float]
    method: Mapped[str]

    __table_args__ = (
        CheckConstraint("relation IN ('supports', 'contradicts', 'also')", name="relation"),
        CheckConstraint("strength >= 0 AND strength <= 1", name="strength"),
    )


class SupportMemberRow(Base):
    """A statement of a support set."""

    __tablename__ = "support_members"

    support_set_id: Mapped[int] = mapped_column(ForeignKey("support_sets.id"), primary_key=True)
    statement_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)


class SignalRow(Base):
    """What each signal says of one context statement; None is not measured, 0 is measured."""

    __tablename__ = "signals"

    attribution_id: Mapped[int] = mapped_column(ForeignKey("attributions.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    attention: Mapped[float | None]
    gradient: Mapped[float | None]
    influence_nats: Mapped[float | None]
    support: Mapped[float]
    share_ppb: Mapped[int]


class PairRow(Base):
    """The share of one (statement, author) pair; author None is unknown.

    An author's share is the sum over these rows.
    """

    __tablename__ = "pair_rows"

    id: Mapped[IntId]
    attribution_id: Mapped[int] = mapped_column(ForeignKey("attributions.id"))
    statement_id: Mapped[int] = mapped_column(BigInteger)
    author_id: Mapped[str | None] = mapped_column(ForeignKey("authors.id"), index=True)
    share_ppb: Mapped[int]
    low_ppb: Mapped[int]
    high_ppb: Mapped[int]

    __table_args__ = (
        UniqueConstraint("attribution_id", "statement_id", "author_id"),
        # A unique constraint lets two nulls pass; an unknown author must not be paid twice either.
        Index(
            "uq_pair_rows_unknown_author",
            "attribution_id",
            "statement_id",
            unique=True,
            sqlite_where=text("author_id IS NULL"),
            postgresql_where=text("author_id IS NULL"),
        ),
    )


class CitationRow(Base):
    """A segment rests on a statement with this share of the whole answer."""

    __tablename__ = "citations"

    attribution_id: Mapped[int] = mapped_column(ForeignKey("attributions.id"), primary_key=True)
    segment: Mapped[int] = mapped_column(primary_key=True)
    statement_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    share_ppb: Mapped[int]
