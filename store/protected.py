"""Which tables and columns are history, and which changes of the others are refused."""

from collections.abc import Mapping

APPEND_ONLY = (
    "acts",
    "attributions",
    "audits",
    "author_decision_works",
    "author_decisions",
    "checkpoints",
    "citations",
    "common_knowledge",
    "context_entries",
    "credit_report_statements",
    "credit_reports",
    "deleted_statements",
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
    "occurrences": ("id", "statement_id", "work_id", "registered_us"),
    "accounts": ("id", "code", "kind", "has_floor", "holder_id"),
    "answers": (  # all but what quotes a statement, see REFUSED
        *("id", "asker_id", "kind", "state", "language", "model", "model_fingerprint"),
        *("prompt_fingerprint", "tail_start", "refusal", "policy_version", "fee_micro"),
        *("timings_ms", "created_us"),
    ),
    "deletions": ("id", "kind", "subject", "requested_by", "reason", "created_us"),
    "periods": ("id", "opened_us"),
    "rights_holders": ("id", "author_id"),
    "grants": (  # all but when and by whom it was ended
        *("id", "work_id", "holder_id", "ppm", "may_retrieve", "may_generate", "may_display"),
        *("may_train", "display_chars", "valid_from_us", "terms", "granted_by", "created_us"),
    ),
}

_BLANKED = "answers: what was said is only ever blanked"


def _unless_blanked(column: str) -> tuple[str, str, str, str]:
    """A text may become one of the same length with blanks in it (`store.deletions.blanking`)."""
    new, old = f"new.{column}::text", f"old.{column}::text"
    same_length = f"length({new}) IS DISTINCT FROM length({old})"
    blank = f"strpos({new}, '█'::text) = 0"
    when = f"{new} IS DISTINCT FROM {old} AND ({same_length} OR {blank})"
    return f"answers_{column}", "answers", _BLANKED, when


def _unless_zeros(column: str) -> tuple[str, str, str, str]:
    """Token ids may all become 0."""
    new, old = f"new.{column}::text", f"old.{column}::text"
    when = f"{new} IS DISTINCT FROM {old} AND ltrim({new}, '[], 0'::text) <> ''::text"
    return f"answers_{column}", "answers", _BLANKED, when


#: Changes of a table's rows that are refused: name, table, message, and when.
REFUSED = (
    (
        "occurrences_span",
        "occurrences",
        "occurrences: a span only moves into a later version",
        (
            '(new.start IS DISTINCT FROM old.start OR new."end" IS DISTINCT FROM old."end")'
            " AND new.version <= old.version"
        ),
    ),
    *map(_unless_blanked, ("question", "claim", "preface", "text")),
    *map(_unless_zeros, ("prompt_ids", "answer_ids")),
    (
        "answers_options",  # JSON writes a blank as \\u2588
        "answers",
        _BLANKED,
        (
            "new.options::text IS DISTINCT FROM old.options::text"
            " AND strpos(new.options::text, '2588'::text) = 0"
        ),
    ),
    (
        "deletions_finished",
        "deletions",
        "deletions: a finished one never changes",
        "old.finished_us IS NOT NULL",
    ),
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
