"""The first schema: people, corpus, answers, attributions, ledger, jobs, and what a new ledger has.

Constraint names come from the naming convention of store.schema.base.
"""

import time

import sqlalchemy as sa
from alembic import op

from store import protected, triggers

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables, their triggers and the rows that a new ledger starts with."""
    _create_people()
    _create_corpus()
    _create_occurrences()
    _create_accounts()
    _create_answers()
    _create_attributions()
    _create_ledger()
    _create_jobs()
    # Later revisions add to TABLES, and columns that the triggers of these two name.
    there = set(sa.inspect(op.get_bind()).get_table_names()) - {"grants", "occurrences"}
    triggers.install(op.get_bind(), set(protected.TABLES) & there)
    _seed()


def downgrade() -> None:
    """Refused: there is nothing before the first revision."""
    raise NotImplementedError("the first revision holds the ledger: remove the database instead")


def _create_people() -> None:
    op.create_table(
        "authors",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("namespace", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "author_names",
        sa.Column("author_id", sa.String(), sa.ForeignKey("authors.id"), primary_key=True),
        sa.Column("namespace", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
    )
    op.create_index("ix_author_names_namespace_name_key", "author_names", ["namespace", "name_key"])
    op.create_table(
        "author_aliases",
        sa.Column("id", ID, primary_key=True),
        sa.Column("author_id", sa.String(), sa.ForeignKey("authors.id"), nullable=False),
        sa.Column("namespace", sa.String(), nullable=False),
        sa.Column("alias", sa.String(), nullable=False),
        sa.Column("alias_key", sa.String(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_author_aliases_author_id", "author_aliases", ["author_id"])
    op.create_index(
        "ix_author_aliases_namespace_alias_key", "author_aliases", ["namespace", "alias_key"]
    )
    op.create_table(
        "author_identifiers",
        sa.Column("scheme", sa.String(), primary_key=True),
        sa.Column("value", sa.String(), primary_key=True),
        sa.Column("author_id", sa.String(), sa.ForeignKey("authors.id"), nullable=False),
    )
    op.create_index("ix_author_identifiers_author_id", "author_identifiers", ["author_id"])
    op.create_table(
        "rights_holders",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("author_id", sa.String(), sa.ForeignKey("authors.id"), nullable=True),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("author_id"),
    )


def _create_corpus() -> None:
    op.create_table(
        "works",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("byte_hash", sa.String(), nullable=False),
        sa.Column("byte_count", sa.BigInteger(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("encoding", sa.String(), nullable=False),
        sa.Column("namespace", sa.String(), nullable=False),
        sa.Column("published_on", sa.String(), nullable=True),
        sa.Column("publication_evidence", sa.String(), nullable=True),
        sa.Column("licence", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("scope", "byte_hash"),
        sa.CheckConstraint("state IN ('ingesting', 'ready', 'withdrawn')", name="state"),
    )
    op.create_table(
        "work_texts",
        sa.Column("work_id", sa.String(), sa.ForeignKey("works.id"), primary_key=True),
        sa.Column("text", sa.String(), nullable=False),
    )
    op.create_table(
        "grants",
        sa.Column("id", ID, primary_key=True),
        sa.Column("work_id", sa.String(), sa.ForeignKey("works.id"), nullable=False),
        sa.Column("holder_id", sa.String(), sa.ForeignKey("rights_holders.id"), nullable=False),
        sa.Column("ppm", sa.Integer(), nullable=False),
        sa.Column("may_retrieve", sa.Boolean(), nullable=False),
        sa.Column("may_generate", sa.Boolean(), nullable=False),
        sa.Column("may_display", sa.Boolean(), nullable=False),
        sa.Column("may_train", sa.Boolean(), nullable=False),
        sa.Column("valid_from_us", sa.BigInteger(), nullable=True),
        sa.Column("valid_until_us", sa.BigInteger(), nullable=True),
        sa.Column("terms", sa.String(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("work_id", "holder_id"),
        sa.CheckConstraint("ppm > 0 AND ppm <= 1000000", name="ppm"),
    )
    op.create_index("ix_grants_holder_id", "grants", ["holder_id"])
    op.create_table(
        "clusters",
        sa.Column("id", ID, primary_key=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "statements",
        sa.Column("id", ID, primary_key=True),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=True),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("cluster_id", ID, sa.ForeignKey("clusters.id"), nullable=False),
        sa.Column("withdrawn_us", sa.BigInteger(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("scope", "hash"),
    )
    op.create_index("ix_statements_cluster_id", "statements", ["cluster_id"])


def _create_occurrences() -> None:
    op.create_table(
        "occurrences",
        sa.Column("id", ID, primary_key=True),
        sa.Column("statement_id", ID, sa.ForeignKey("statements.id"), nullable=False),
        sa.Column("work_id", sa.String(), sa.ForeignKey("works.id"), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("line", sa.Integer(), nullable=True),
        sa.Column("published_on", sa.String(), nullable=True),
        sa.Column("registered_us", sa.BigInteger(), nullable=False),
        sa.Column("disputed", sa.Boolean(), nullable=False),
        sa.Column("withdrawn_us", sa.BigInteger(), nullable=True),
        sa.UniqueConstraint("work_id", "start", "end"),
        sa.CheckConstraint('"start" >= 0 AND "end" > "start"', name="span"),
    )
    op.create_index("ix_occurrences_statement_id", "occurrences", ["statement_id"])
    op.create_table(
        "occurrence_shares",
        sa.Column("occurrence_id", ID, sa.ForeignKey("occurrences.id"), primary_key=True),
        sa.Column("author_id", sa.String(), sa.ForeignKey("authors.id"), primary_key=True),
        sa.Column("ppm", sa.Integer(), nullable=False),
        sa.CheckConstraint("ppm > 0 AND ppm <= 1000000", name="ppm"),
    )
    op.create_index("ix_occurrence_shares_author_id", "occurrence_shares", ["author_id"])
    op.create_table(
        "embeddings",
        sa.Column("statement_id", ID, sa.ForeignKey("statements.id"), primary_key=True),
        sa.Column("fingerprint", sa.String(), primary_key=True),
        sa.Column("dim", sa.Integer(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
    )


def _create_accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", ID, primary_key=True),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("has_floor", sa.Boolean(), nullable=False),
        sa.Column("holder_id", sa.String(), sa.ForeignKey("rights_holders.id"), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("code"),
        sa.CheckConstraint("kind IN ('asker', 'holder', 'reserve', 'platform')", name="kind"),
    )
    op.create_table(
        "periods",
        sa.Column("id", ID, primary_key=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("opened_us", sa.BigInteger(), nullable=False),
        sa.Column("closed_us", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state IN ('OPEN', 'CLOSING', 'CLOSED')", name="state"),
    )
    where = sa.text("state = 'OPEN'")
    op.create_index(
        "uq_periods_one_open",
        "periods",
        ["state"],
        unique=True,
        sqlite_where=where,
        postgresql_where=where,
    )
    op.create_table(
        "policies",
        sa.Column("version", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
    )


def _create_answers() -> None:
    op.create_table(
        "answers",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("asker_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("claim", sa.String(), nullable=True),
        sa.Column("preface", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("model_fingerprint", sa.String(), nullable=False),
        sa.Column("prompt_fingerprint", sa.String(), nullable=False),
        sa.Column("prompt_ids", sa.JSON(), nullable=False),
        sa.Column("tail_start", sa.Integer(), nullable=False),
        sa.Column("answer_ids", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("refusal", sa.String(), nullable=True),
        sa.Column(
            "policy_version", sa.Integer(), sa.ForeignKey("policies.version"), nullable=False
        ),
        sa.Column("fee_micro", sa.BigInteger(), nullable=False),
        sa.Column("timings_ms", sa.JSON(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("fee_micro >= 0", name="fee"),
        sa.CheckConstraint("kind IN ('ask', 'who')", name="kind"),
        sa.CheckConstraint("state IN ('answered', 'refused')", name="state"),
    )
    op.create_table(
        "context_entries",
        sa.Column("answer_id", sa.String(), sa.ForeignKey("answers.id"), primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True),
        sa.Column("statement_id", sa.BigInteger(), nullable=False),
        sa.Column("statement_hash", sa.String(), nullable=False),
        sa.Column("occurrence_id", sa.BigInteger(), nullable=True),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("included", sa.Boolean(), nullable=False),
        sa.Column("token_start", sa.Integer(), nullable=True),
        sa.Column("token_end", sa.Integer(), nullable=True),
        sa.Column("retrieval", sa.Double(), nullable=False),
    )
    op.create_index("ix_context_entries_statement_id", "context_entries", ["statement_id"])
    op.create_table(
        "segments",
        sa.Column("answer_id", sa.String(), sa.ForeignKey("answers.id"), primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("token_start", sa.Integer(), nullable=False),
        sa.Column("token_end", sa.Integer(), nullable=False),
        sa.Column("weight_ppb", sa.Integer(), nullable=False),
    )


def _create_attributions() -> None:
    op.create_table(
        "attributions",
        sa.Column("id", ID, primary_key=True),
        sa.Column("answer_id", sa.String(), sa.ForeignKey("answers.id"), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("tier", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("v_none", sa.Double(), nullable=True),
        sa.Column("v_all", sa.Double(), nullable=True),
        sa.Column("grounding", sa.Double(), nullable=True),
        sa.Column("residual", sa.Double(), nullable=True),
        sa.Column("order_spread", sa.Double(), nullable=True),
        sa.Column("unattributed_ppb", sa.Integer(), nullable=False),
        sa.Column("unsupported_ppb", sa.Integer(), nullable=False),
        sa.Column("already_known_ppb", sa.Integer(), nullable=False),
        sa.Column("below_noise_ppb", sa.Integer(), nullable=False),
        sa.Column("disagree_ppb", sa.Integer(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("answer_id", "version"),
        sa.CheckConstraint(
            "unattributed_ppb = "
            "unsupported_ppb + already_known_ppb + below_noise_ppb + disagree_ppb",
            name="causes",
        ),
        sa.CheckConstraint("tier IN ('provisional', 'final')", name="tier"),
    )
    op.create_table(
        "support_sets",
        sa.Column("id", ID, primary_key=True),
        sa.Column("attribution_id", ID, sa.ForeignKey("attributions.id"), nullable=False),
        sa.Column("segment", sa.Integer(), nullable=False),
        sa.Column("relation", sa.String(), nullable=False),
        sa.Column("strength", sa.Double(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.CheckConstraint("strength >= 0 AND strength <= 1", name="strength"),
        sa.CheckConstraint("relation IN ('supports', 'contradicts')", name="relation"),
    )
    op.create_index("ix_support_sets_attribution_id", "support_sets", ["attribution_id"])
    op.create_table(
        "support_members",
        sa.Column("support_set_id", ID, sa.ForeignKey("support_sets.id"), primary_key=True),
        sa.Column("statement_id", sa.BigInteger(), primary_key=True),
    )
    op.create_table(
        "signals",
        sa.Column("attribution_id", ID, sa.ForeignKey("attributions.id"), primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True),
        sa.Column("attention", sa.Double(), nullable=True),
        sa.Column("gradient", sa.Double(), nullable=True),
        sa.Column("influence_nats", sa.Double(), nullable=True),
        sa.Column("support", sa.Double(), nullable=False),
        sa.Column("share_ppb", sa.Integer(), nullable=False),
    )
    op.create_table(
        "pair_rows",
        sa.Column("id", ID, primary_key=True),
        sa.Column("attribution_id", ID, sa.ForeignKey("attributions.id"), nullable=False),
        sa.Column("statement_id", sa.BigInteger(), nullable=False),
        sa.Column("author_id", sa.String(), sa.ForeignKey("authors.id"), nullable=True),
        sa.Column("share_ppb", sa.Integer(), nullable=False),
        sa.Column("low_ppb", sa.Integer(), nullable=False),
        sa.Column("high_ppb", sa.Integer(), nullable=False),
        sa.UniqueConstraint("attribution_id", "statement_id", "author_id"),
    )
    op.create_index("ix_pair_rows_author_id", "pair_rows", ["author_id"])
    where = sa.text("author_id IS NULL")
    op.create_index(
        "uq_pair_rows_unknown_author",
        "pair_rows",
        ["attribution_id", "statement_id"],
        unique=True,
        sqlite_where=where,
        postgresql_where=where,
    )
    op.create_table(
        "citations",
        sa.Column("attribution_id", ID, sa.ForeignKey("attributions.id"), primary_key=True),
        sa.Column("segment", sa.Integer(), primary_key=True),
        sa.Column("statement_id", sa.BigInteger(), primary_key=True),
        sa.Column("share_ppb", sa.Integer(), nullable=False),
    )


def _create_ledger() -> None:
    op.create_table(
        "entry_seals",
        sa.Column("entry_seq", ID, primary_key=True, autoincrement=False),
        sa.Column("transfer_count", sa.Integer(), nullable=False),
        sa.CheckConstraint("transfer_count > 0", name="transfer_count"),
    )
    op.create_table(
        "entries",
        sa.Column("seq", ID, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("prev_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column(
            "seal",
            ID,
            sa.ForeignKey("entry_seals.entry_seq", deferrable=True, initially="DEFERRED"),
            nullable=False,
        ),
        sa.Column("period_id", ID, sa.ForeignKey("periods.id"), nullable=False),
        sa.Column(
            "policy_version", sa.Integer(), sa.ForeignKey("policies.version"), nullable=False
        ),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("hash"),
        sa.UniqueConstraint("key"),
        sa.UniqueConstraint("prev_hash"),
        sa.CheckConstraint("seal = seq", name="seal"),
    )
    op.create_table(
        "transfers",
        sa.Column("id", ID, primary_key=True),
        sa.Column("entry_seq", ID, sa.ForeignKey("entries.seq"), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("debit_account_id", ID, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("credit_account_id", ID, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("amount_micro", sa.BigInteger(), nullable=False),
        sa.Column("answer_id", sa.String(), sa.ForeignKey("answers.id"), nullable=True),
        sa.Column("statement_id", sa.BigInteger(), nullable=True),
        sa.Column("author_id", sa.String(), sa.ForeignKey("authors.id"), nullable=True),
        sa.Column("share_ppb", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.UniqueConstraint("entry_seq", "position"),
        sa.CheckConstraint("amount_micro > 0", name="amount"),
        sa.CheckConstraint("debit_account_id <> credit_account_id", name="accounts"),
    )
    op.create_index("ix_transfers_answer_id", "transfers", ["answer_id"])
    op.create_index("ix_transfers_author_id", "transfers", ["author_id"])
    op.create_index("ix_transfers_credit_account_id", "transfers", ["credit_account_id"])
    op.create_index("ix_transfers_debit_account_id", "transfers", ["debit_account_id"])


def _create_jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_owner", sa.String(), nullable=True),
        sa.Column("lease_until_us", sa.BigInteger(), nullable=True),
        sa.Column("heartbeat_us", sa.BigInteger(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("updated_us", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("key"),
        sa.CheckConstraint("state IN ('queued', 'running', 'done', 'failed')", name="state"),
    )


def _seed() -> None:
    now_us = time.time_ns() // 1000
    period = sa.table("periods", sa.column("state"), sa.column("opened_us"))
    op.bulk_insert(period, [{"state": "OPEN", "opened_us": now_us}])
    policy = sa.table(
        "policies", sa.column("version"), sa.column("body", sa.JSON()), sa.column("created_us")
    )
    body = {
        "rule": "used-and-supported/2",  # /1 in stores that are older than it
        "support_ppm": 500_000,
        "noise_floor_ppb": 0,
        "unattributed": "reserve:unattributed",
        "cluster_rule": "first",
    }
    op.bulk_insert(policy, [{"version": 1, "body": body, "created_us": now_us}])
    account = sa.table(
        "accounts",
        sa.column("code"),
        sa.column("kind"),
        sa.column("has_floor"),
        sa.column("created_us"),
    )
    # An asker may go below zero: that is what the asker owes.
    accounts = [
        ("reserve:unattributed", "reserve", True),
        ("reserve:unclaimed", "reserve", True),
        ("reserve:disputed", "reserve", True),
        ("asker:local", "asker", False),
    ]
    op.bulk_insert(
        account,
        [
            {"code": code, "kind": kind, "has_floor": floor, "created_us": now_us}
            for code, kind, floor in accounts
        ],
    )
