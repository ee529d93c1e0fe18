"""The tables, as SQLAlchemy 2 models. Migrations create them; nothing calls create_all."""

from store.schema.answers import (
    AnswerRow,
    AttributionRow,
    CitationRow,
    ContextRow,
    PairRow,
    SegmentRow,
    SignalRow,
    SupportMemberRow,
    SupportSetRow,
)
from store.schema.base import Base
from store.schema.corpus import (
    ClusterRow,
    EmbeddingRow,
    OccurrenceRow,
    OccurrenceShareRow,
    StatementRow,
    WorkRow,
    WorkTextRow,
)
from store.schema.jobs import JobRow
from store.schema.ledger import (
    AccountRow,
    EntryRow,
    EntrySealRow,
    PeriodRow,
    PolicyRow,
    TransferRow,
)
from store.schema.people import (
    AuthorAliasRow,
    AuthorIdentifierRow,
    AuthorNameRow,
    AuthorRow,
    GrantRow,
    RightsHolderRow,
)

__all__ = [
    "AccountRow",
    "AnswerRow",
    "AttributionRow",
    "AuthorAliasRow",
    "AuthorIdentifierRow",
    "AuthorNameRow",
    "AuthorRow",
    "Base",
    "CitationRow",
    "ClusterRow",
    "ContextRow",
    "EmbeddingRow",
    "EntryRow",
    "EntrySealRow",
    "GrantRow",
    "JobRow",
    "OccurrenceRow",
    "OccurrenceShareRow",
    "PairRow",
    "PeriodRow",
    "PolicyRow",
    "RightsHolderRow",
    "SegmentRow",
    "SignalRow",
    "StatementRow",
    "SupportMemberRow",
    "SupportSetRow",
    "TransferRow",
    "WorkRow",
    "WorkTextRow",
]
