"""Corpora: jobs of ingestion, identities of authors, clusters and settings, deletion."""

import time

import sqlalchemy as sa
from alembic import op
from sqlalchemy.orm import Session

from store import clusters, triggers

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add what the parts below say."""
    _jobs()
    _identities()
    _clusters()
    _deletions()


def downgrade() -> None:
    """Refused: what was decided about authors and deleted would be lost."""
    raise NotImplementedError("restore a backup instead")


def _clusters() -> None:
    """By what statements find the clusters of texts like their own."""
    op.create_table(
        "cluster_keys",
        sa.Column("key", sa.BigInteger(), primary_key=True),
        sa.Column("cluster_id", _ID, sa.ForeignKey("clusters.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    with Session(op.get_bind()) as session:
        clusters.add_all_keys(session)


def _deletions() -> None:
    """What was deleted; answers may be blanked where they quote it."""
    op.create_table(
        "deletions",
        sa.Column("id", _ID, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("requested_by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("removed", sa.JSON(), nullable=False),
        sa.Column("finished_us", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('statement', 'work', 'author')", name=op.f("ck_deletions_kind")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deletions")),
    )
    op.create_table(
        "deleted_statements",
        sa.Column("statement_id", _ID, nullable=False),
        sa.Column("deletion_id", _ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["statement_id"],
            ["statements.id"],
            name=op.f("fk_deleted_statements_statement_id_statements"),
        ),
        sa.ForeignKeyConstraint(
            ["deletion_id"],
            ["deletions.id"],
            name=op.f("fk_deleted_statements_deletion_id_deletions"),
        ),
        sa.PrimaryKeyConstraint("statement_id", name=op.f("pk_deleted_statements")),
    )
    op.create_index(
        op.f("ix_deleted_statements_deletion_id"), "deleted_statements", ["deletion_id"]
    )
    _answers_can_be_blanked()


def _answers_can_be_blanked() -> None:
    """In place of the triggers that refused every change."""
    old = ("answers_no_update", "answers_no_change")
    for name in old:
        on = "" if op.get_bind().dialect.name == "sqlite" else " ON answers"
        op.execute(f"DROP TRIGGER IF EXISTS {name}{on}")
    triggers.install(op.get_bind(), ("answers", "deletions", "deleted_statements"))


def _jobs() -> None:
    """Versions of works and of where their statements stand; jobs of ingestion with their files."""
    _versions()
    before = sa.Table(
        "jobs",
        sa.MetaData(),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("id", "kind", "key", "state")),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_owner", sa.String(), nullable=True),
        sa.Column("lease_until_us", sa.BigInteger(), nullable=True),
        sa.Column("heartbeat_us", sa.BigInteger(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("updated_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
        sa.UniqueConstraint("key", name="uq_jobs_key"),
        sa.CheckConstraint("true", name="ck_jobs_state"),
    )
    with op.batch_alter_table("jobs", copy_from=before) as batch:
        batch.add_column(sa.Column("cancel_us", sa.BigInteger(), nullable=True))
        batch.drop_constraint(op.f("ck_jobs_state"), type_="check")
        batch.create_check_constraint(
            op.f("ck_jobs_state"),
            "state IN ('queued', 'running', 'done', 'done-with-warnings', 'failed', 'cancelled')",
        )
    op.create_table(
        "job_files",
        sa.Column("job_id", sa.String(), sa.ForeignKey("jobs.id"), primary_key=True),
        sa.Column("path", sa.String(), primary_key=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("work_id", sa.String(), sa.ForeignKey("works.id"), nullable=True, index=True),
        sa.Column("result", sa.JSON(), nullable=False),
        sa.Column("updated_us", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "state IN ('queued', 'parsing', 'embedding', 'indexing', 'done', 'done-with-warnings',"
            " 'skipped-duplicate', 'no-text', 'failed', 'cancelled')",
            name="state",
        ),
    )


def _versions() -> None:
    before = sa.Table(
        "works",
        sa.MetaData(),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("id", "scope", "byte_hash")),
        sa.Column("byte_count", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("path", "title")),
        *(sa.Column(n, sa.String(), nullable=False) for n in ("media_type", "encoding")),
        sa.Column("namespace", sa.String(), nullable=False),
        *(sa.Column(n, sa.String()) for n in ("published_on", "publication_evidence", "licence")),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("evidence_by", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_works"),
        sa.UniqueConstraint("scope", "byte_hash", name="uq_works_scope_byte_hash"),
        sa.CheckConstraint("true", name="ck_works_state"),
    )
    with op.batch_alter_table("works", copy_from=before) as batch:
        batch.add_column(sa.Column("evidence_us", sa.BigInteger(), nullable=True))
        batch.add_column(sa.Column("source", sa.String(), nullable=True))
        batch.add_column(sa.Column("version", sa.Integer(), nullable=False, server_default="1"))
        batch.drop_constraint(op.f("ck_works_state"), type_="check")
        batch.create_check_constraint(
            op.f("ck_works_state"), "state IN ('ingesting', 'ready', 'removed', 'withdrawn')"
        )
    op.create_index("ix_works_source", "works", ["source"])
    recorded = "UPDATE works SET evidence_us = :now WHERE publication_evidence IS NOT NULL"
    op.execute(sa.text(recorded).bindparams(now=time.time_ns() // 1000))
    before = sa.Table(
        "occurrences",
        sa.MetaData(),
        sa.Column("id", _ID, primary_key=True),
        sa.Column("statement_id", _ID, nullable=False),
        sa.Column("work_id", sa.String(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("start", "end")),
        *(sa.Column(name, sa.Integer(), nullable=True) for name in ("page", "line")),
        sa.Column("published_on", sa.String(), nullable=True),
        sa.Column("registered_us", sa.BigInteger(), nullable=False),
        sa.Column("disputed", sa.Boolean(), nullable=False),
        sa.Column("withdrawn_us", sa.BigInteger(), nullable=True),
        sa.Column("headings", sa.String(), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("id", name="pk_occurrences"),
        sa.UniqueConstraint("work_id", "start", "end", name="uq_occurrences_work_id_start_end"),
        sa.CheckConstraint('"start" >= 0 AND "end" > "start"', name="ck_occurrences_span"),
        sa.ForeignKeyConstraint(
            ["statement_id"], ["statements.id"], name="fk_occurrences_statement_id"
        ),
        sa.ForeignKeyConstraint(["work_id"], ["works.id"], name="fk_occurrences_work_id"),
        sa.Index("ix_occurrences_statement_id", "statement_id"),
    )
    with op.batch_alter_table("occurrences", copy_from=before) as batch:
        batch.add_column(sa.Column("version", sa.Integer(), nullable=False, server_default="1"))
        batch.add_column(sa.Column("gone_in", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("confidence_ppm", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("read_by", sa.String(), nullable=True))
        batch.add_column(sa.Column("read_us", sa.BigInteger(), nullable=True))
        batch.drop_constraint(op.f("uq_occurrences_work_id_start_end"), type_="unique")
        batch.create_unique_constraint(
            op.f("uq_occurrences_work_id_version_start_end"),
            ["work_id", "version", "start", "end"],
        )
    triggers.install(op.get_bind(), ("occurrences",))


def _identities() -> None:
    """Decisions about who an author is, and which of them aliases and identifiers come from."""
    op.create_table(
        "author_decisions",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("author_id", sa.String(), sa.ForeignKey("authors.id"), nullable=False),
        sa.Column("into_id", sa.String(), sa.ForeignKey("authors.id"), nullable=True),
        sa.Column("undoes", _ID, sa.ForeignKey("author_decisions.id"), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("undoes", name=op.f("uq_author_decisions_undoes")),
        sa.CheckConstraint(
            "kind IN ('confirm', 'alias', 'identify', 'merge', 'split', 'undo')",
            name=op.f("ck_author_decisions_kind"),
        ),
        sa.CheckConstraint(
            "(kind = 'undo') = (undoes IS NOT NULL)", name=op.f("ck_author_decisions_undo")
        ),
    )
    for column in ("author_id", "into_id"):
        op.create_index(op.f(f"ix_author_decisions_{column}"), "author_decisions", [column])
    op.create_table(
        "author_decision_works",
        sa.Column("decision_id", _ID, sa.ForeignKey("author_decisions.id"), primary_key=True),
        sa.Column("work_id", sa.String(), sa.ForeignKey("works.id"), primary_key=True),
    )
    for table in ("author_aliases", "author_identifiers"):
        with op.batch_alter_table(table) as batch:
            decision = sa.ForeignKey(
                "author_decisions.id", name=f"fk_{table}_decision_id_author_decisions"
            )
            batch.add_column(sa.Column("decision_id", _ID, decision, nullable=True))
    triggers.install(op.get_bind(), ("author_decisions", "author_decision_works"))
