"""Which tables and columns are history, and which changes of the others are refused."""

from collections.abc import Mapping

APPEND_ONLY = (
    "acts",
    "answers",
    "attributions",
    "audits",
    "checkpoints",
    "citations",
    "common_knowledge",
    "context_entries",
    "credit_report_statements",
    "credit_reports",
    "dispute_closings",
    "disputes",
    "entries",
    "entry_seals",
    "erasures",
    "pair_rows",
    "payout_batches",
    "payout_events",
    "payout_files",
    "payouts",
    "policies",
    "policy_proposals",
    "segments",
    "signals",
    "signing_keys",
    "support_members",
    "support_sets",
    "transfers",
)

#: Columns that say what a row is. The id is among them: it is also the id of the vector.
IDENTITY: Mapping[str, tuple[str, ...]] = {
    "statements": ("id", "scope", "hash"),
    "occurrences": ("id", "statement_id", "work_id", "start", "end", "registered_us"),
    "accounts": ("id", "code", "kind", "has_floor", "holder_id"),
    "periods": ("id", "opened_us"),
    "rights_holders": ("id", "author_id"),
    "grants": (  # all but when and by whom it was ended
        *("id", "work_id", "holder_id", "ppm", "may_retrieve", "may_generate", "may_display"),
        *("may_train", "display_chars", "valid_from_us", "terms", "granted_by", "created_us"),
    ),
}

#: Changes of a table's rows that are refused: name, table, message, and when.
REFUSED = (
    (
        "statements_text",
        "statements",
        "statements: text never changes",
        "new.text IS NOT NULL AND new.text::text IS DISTINCT FROM old.text::text",
    ),
    (
        "periods_state",
        "periods",
        "periods: a state is never gone back to or left out, and a closed period never changes",
        (
            "old.state::text = 'CLOSED'::text"
            " OR old.state::text = 'CLOSING'::text AND new.state::text = 'OPEN'::text"
            " OR old.state::text = 'OPEN'::text AND new.state::text = 'CLOSED'::text"
        ),
    ),
)

TABLES = (*APPEND_ONLY, *IDENTITY)
