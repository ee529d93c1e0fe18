"""The lexical index, filled from the statements, and the headings that they stand under."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.orm import Session

from store.lexical import rebuild, schema

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column of headings and the index of words."""
    op.add_column(
        "occurrences", sa.Column("headings", sa.String(), nullable=False, server_default="")
    )
    schema.create(op.get_bind())
    with Session(op.get_bind()) as session:
        rebuild(session)


def downgrade() -> None:
    """Drop both; the index can be made anew."""
    schema.drop(op.get_bind())
    op.drop_column("occurrences", "headings")
