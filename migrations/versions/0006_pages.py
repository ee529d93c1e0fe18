"""Where statements stand on pages, the source of web pages, what was said beside a file."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is not known of what is stored already."""
    op.add_column("occurrences", sa.Column("boxes", sa.JSON(), nullable=True))
    op.add_column("work_texts", sa.Column("raw", sa.String(), nullable=True))
    beside = sa.Column("beside_hash", sa.String(), nullable=False, server_default="")
    op.add_column("works", beside)


def downgrade() -> None:
    """Refused: the files may be gone from which it was read."""
    raise NotImplementedError("restore a backup instead")
