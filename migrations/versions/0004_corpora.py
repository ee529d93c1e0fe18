"""Corpora: jobs of ingestion, identities of authors, clusters and settings, deletion."""

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what the parts below say."""


def downgrade() -> None:
    """Refused: what was decided about authors and deleted would be lost."""
    raise NotImplementedError("restore a backup instead")
