"""Corpora: jobs of ingestion, identities of authors, clusters and settings, deletion."""

import sqlalchemy as sa
from alembic import op

from store import triggers

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add what the parts below say."""
    _deletions()


def downgrade() -> None:
    """Refused: what was decided about authors and deleted would be lost."""
    raise NotImplementedError("restore a backup instead")


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
