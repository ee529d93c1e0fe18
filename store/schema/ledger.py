"""The ledger: accounts, periods, policies, hash-chained entries and their transfers."""

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

from store.schema.base import Base, Id, IntId, Micros


class AccountRow(Base):
    """An account; its balance is the sum of its transfers. A floor means never below zero."""

    __tablename__ = "accounts"

    id: Mapped[IntId]
    code: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    has_floor: Mapped[bool]
    holder_id: Mapped[str | None] = mapped_column(ForeignKey("rights_holders.id"))

    __table_args__ = (
        CheckConstraint(
            "kind IN ('asker', 'holder', 'reserve', 'platform', 'hold', 'owed', 'tax', 'bank')",
            name="kind",
        ),
    )


class PeriodRow(Base):
    """A span of booking time; exactly one is open."""

    __tablename__ = "periods"

    id: Mapped[IntId]
    state: Mapped[str]
    opened_us: Mapped[Micros]
    closed_us: Mapped[int | None] = mapped_column(BigInteger)
    closed_by: Mapped[str | None]
    """Who asked for the close."""

    __table_args__ = (
        CheckConstraint("state IN ('OPEN', 'CLOSING', 'CLOSED')", name="state"),
        Index(
            "uq_periods_one_open",
            "state",
            unique=True,
            sqlite_where=text("state = 'OPEN'"),
            postgresql_where=text("state = 'OPEN'"),
        ),
        Index(
            "uq_periods_one_closing",
            "state",
            unique=True,
            sqlite_where=text("state = 'CLOSING'"),
            postgresql_where=text("state = 'CLOSING'"),
        ),
    )


class PolicyRow(Base):
    """One immutable version of the rules that act at posting.

    Version 1 comes with the ledger; every other one was proposed by one admin and approved by
    another.
    """

    __tablename__ = "policies"

    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_us: Mapped[Micros]
    proposal_id: Mapped[int | None] = mapped_column(ForeignKey("policy_proposals.id"), unique=True)
    proposed_by: Mapped[str | None]
    approved_by: Mapped[str | None]

    __table_args__ = (
        CheckConstraint(
            "version = 1 OR (proposal_id IS NOT NULL AND proposed_by IS NOT NULL"
            " AND approved_by IS NOT NULL AND proposed_by <> approved_by)",
            name="two_admins",
        ),
    )


class PolicyProposalRow(Base):
    """A policy that an admin proposes; another admin's approval makes it the next version."""

    __tablename__ = "policy_proposals"

    id: Mapped[IntId]
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    proposed_by: Mapped[str]
    created_us: Mapped[Micros]


class EntryRow(Base):
    """The transfers of one event, chained to the entry before it.

    hash = SHA-256(version tag || prev_hash || RFC 8785 body with integers as strings).
    `seal` points to a row that can only be inserted once all transfers are there; the foreign key
    is deferred, so an entry without its seal cannot be committed. PostgreSQL counts the transfers
    at commit once more, by a deferred constraint trigger.
    """

    __tablename__ = "entries"

    seq: Mapped[int] = mapped_column(Id, primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(unique=True)
    prev_hash: Mapped[str] = mapped_column(unique=True)
    hash: Mapped[str] = mapped_column(unique=True)
    seal: Mapped[int] = mapped_column(
        ForeignKey("entry_seals.entry_seq", deferrable=True, initially="DEFERRED")
    )
    period_id: Mapped[int] = mapped_column(ForeignKey("periods.id"), index=True)
    policy_version: Mapped[int] = mapped_column(ForeignKey("policies.version"))
    created_us: Mapped[Micros]
    reverses: Mapped[str | None] = mapped_column(ForeignKey("entries.key"))
    """The key of the entry that this one takes back whole; each entry is reversed once at most."""
    corrects: Mapped[str | None] = mapped_column(ForeignKey("entries.key"), index=True)
    """The key of the entry that this one changes in part."""
    memo: Mapped[str | None]
    """What the event needs remembered, as canonical JSON; part of the hashed body."""

    __table_args__ = (
        CheckConstraint("seal = seq", name="seal"),
        CheckConstraint("reverses IS NULL OR corrects IS NULL", name="one_purpose"),
        Index("uq_entries_reverses", "reverses", unique=True),
    )


class EntrySealRow(Base):
    """Closes an entry: says how many transfers it has. A trigger checks the count."""

    __tablename__ = "entry_seals"

    entry_seq: Mapped[int] = mapped_column(Id, primary_key=True, autoincrement=False)
    transfer_count: Mapped[int]

    __table_args__ = (CheckConstraint("transfer_count > 0", name="transfer_count"),)


class TransferRow(Base):
    """A positive amount from one account to another, with what it was for.

    The id says where in the chain it stands, so that a span of entries is a span of ids.
    """

    __tablename__ = "transfers"

    id: Mapped[int] = mapped_column(Id, primary_key=True, autoincrement=False)
    entry_seq: Mapped[int] = mapped_column(ForeignKey("entries.seq"))
    position: Mapped[int]
    debit_account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    credit_account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    amount_micro: Mapped[int] = mapped_column(BigInteger)
    answer_id: Mapped[str | None] = mapped_column(ForeignKey("answers.id"), index=True)
    statement_id: Mapped[int | None] = mapped_column(BigInteger)
    author_id: Mapped[str | None] = mapped_column(ForeignKey("authors.id"), index=True)
    share_ppb: Mapped[int | None] = mapped_column(BigInteger)
    reason: Mapped[str]
    line: Mapped[int | None]
    """The position of the transfer that this one undoes, in the entry reversed or corrected."""

    __table_args__ = (
        UniqueConstraint("entry_seq", "position"),
        CheckConstraint("id = entry_seq * 65536 + position", name="id"),
        CheckConstraint("position >= 0 AND position < 65536", name="position"),
        CheckConstraint("amount_micro > 0", name="amount"),
        CheckConstraint("debit_account_id <> credit_account_id", name="accounts"),
    )


class AccountTotalRow(Base):
    """What moved in an account in a period for one reason: a cache kept by posting, checked."""

    __tablename__ = "account_totals"

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    period_id: Mapped[int] = mapped_column(ForeignKey("periods.id"), primary_key=True)
    reason: Mapped[str] = mapped_column(primary_key=True)
    in_micro: Mapped[int] = mapped_column(BigInteger)
    out_micro: Mapped[int] = mapped_column(BigInteger)
    line_count: Mapped[int] = mapped_column(BigInteger)
