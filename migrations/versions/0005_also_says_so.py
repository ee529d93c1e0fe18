"""Statements outside an answer's context may be recorded as saying the same."""

import sqlalchemy as sa
from alembic import op

from store import triggers

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Allow the relation `also`; the table is made anew in SQLite, and its triggers with it."""
    before = sa.Table(
        "support_sets",
        sa.MetaData(),
        sa.Column("id", _ID, nullable=False),
        sa.Column("attribution_id", _ID, nullable=False),
        sa.Column("segment", sa.Integer(), nullable=False),
        sa.Column("relation", sa.String(), nullable=False),
        sa.Column("strength", sa.Double(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_support_sets"),
        sa.CheckConstraint("strength >= 0 AND strength <= 1", name="ck_support_sets_strength"),
        sa.CheckConstraint("true", name="ck_support_sets_relation"),
        sa.ForeignKeyConstraint(
            ["attribution_id"],
            ["attributions.id"],
            name="fk_support_sets_attribution_id_attributions",
        ),
        sa.Index("ix_support_sets_attribution_id", "attribution_id"),
    )
    with op.batch_alter_table("support_sets", copy_from=before) as batch:
        batch.drop_constraint(op.f("ck_support_sets_relation"), type_="check")
        batch.create_check_constraint(
            op.f("ck_support_sets_relation"), "relation IN ('supports', 'contradicts', 'also')"
        )
    triggers.install(op.get_bind(), ("support_sets",))


def downgrade() -> None:
    """Refused: what was recorded would be lost."""
    raise NotImplementedError("restore a backup instead")
