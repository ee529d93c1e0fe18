"""Accounting: corrections, holds, totals, policies by two admins, periods, disputes and payouts."""

import sqlalchemy as sa
from alembic import op

from store import chain, protected, triggers

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
KINDS = ("asker", "holder", "reserve", "platform", "hold", "owed", "tax", "bank")


def upgrade() -> None:
    """Add the tables and columns of accounting, and fill the totals from the transfers."""
    _widen_accounts()
    _change_policies()
    _change_entries()
    _number_transfers()
    _change_grants()
    _create_people()
    _create_reports()
    _create_disputes()
    _create_payouts()
    _create_totals()
    _create_acts()
    there = set(sa.inspect(op.get_bind()).get_table_names()) - {"occurrences"}
    triggers.install(op.get_bind(), set(protected.TABLES) & there)


def downgrade() -> None:
    """Refused: what was booked in the new tables would be lost."""
    raise NotImplementedError("the ledger never goes back: restore a backup instead")


def _widen_accounts() -> None:
    before = sa.Table(
        "accounts",
        sa.MetaData(),
        sa.Column("id", ID, primary_key=True),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("has_floor", sa.Boolean(), nullable=False),
        sa.Column("holder_id", sa.String(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("code", name="uq_accounts_code"),
        sa.ForeignKeyConstraint(["holder_id"], ["rights_holders.id"], name="fk_accounts_holder_id"),
        sa.CheckConstraint("kind IN ('asker')", name="ck_accounts_kind"),
    )
    kinds = ", ".join(f"'{kind}'" for kind in KINDS)
    with op.batch_alter_table("accounts", copy_from=before) as batch:
        batch.drop_column("created_us")
        batch.drop_constraint(op.f("ck_accounts_kind"), type_="check")
        batch.create_check_constraint(op.f("ck_accounts_kind"), f"kind IN ({kinds})")


def _change_policies() -> None:
    op.create_table(
        "policy_proposals",
        sa.Column("id", ID, primary_key=True),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("proposed_by", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
    )
    before = sa.Table(
        "policies",
        sa.MetaData(),
        sa.Column("version", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("version", name="pk_policies"),
    )
    with op.batch_alter_table("policies", copy_from=before) as batch:
        batch.add_column(sa.Column("proposal_id", ID, nullable=True))
        batch.add_column(sa.Column("proposed_by", sa.String(), nullable=True))
        batch.add_column(sa.Column("approved_by", sa.String(), nullable=True))
        batch.create_foreign_key(
            op.f("fk_policies_proposal_id"), "policy_proposals", ["proposal_id"], ["id"]
        )
        batch.create_unique_constraint(op.f("uq_policies_proposal_id"), ["proposal_id"])
        batch.create_check_constraint(
            op.f("ck_policies_two_admins"),
            "version = 1 OR (proposal_id IS NOT NULL AND proposed_by IS NOT NULL"
            " AND approved_by IS NOT NULL AND proposed_by <> approved_by)",
        )
    op.add_column("periods", sa.Column("closed_by", sa.String(), nullable=True))
    where = sa.text("state = 'CLOSING'")
    op.create_index(
        "uq_periods_one_closing",
        "periods",
        ["state"],
        unique=True,
        sqlite_where=where,
        postgresql_where=where,
    )


def _change_entries() -> None:
    before = sa.Table(
        "entries",
        sa.MetaData(),
        sa.Column("seq", ID, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("prev_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("seal", ID, nullable=False),
        sa.Column("period_id", ID, nullable=False),
        sa.Column("policy_version", sa.Integer(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_entries"),
        sa.UniqueConstraint("key", name="uq_entries_key"),
        sa.UniqueConstraint("prev_hash", name="uq_entries_prev_hash"),
        sa.UniqueConstraint("hash", name="uq_entries_hash"),
        sa.CheckConstraint("seal = seq", name="ck_entries_seal"),
        sa.ForeignKeyConstraint(
            ["seal"],
            ["entry_seals.entry_seq"],
            name="fk_entries_seal",
            deferrable=True,
            initially="DEFERRED",
        ),
        sa.ForeignKeyConstraint(["period_id"], ["periods.id"], name="fk_entries_period_id"),
        sa.ForeignKeyConstraint(
            ["policy_version"], ["policies.version"], name="fk_entries_policy_version"
        ),
    )
    with op.batch_alter_table("entries", copy_from=before) as batch:
        batch.add_column(sa.Column("reverses", sa.String(), nullable=True))
        batch.add_column(sa.Column("corrects", sa.String(), nullable=True))
        batch.add_column(sa.Column("memo", sa.String(), nullable=True))
        batch.create_foreign_key(op.f("fk_entries_reverses"), "entries", ["reverses"], ["key"])
        batch.create_foreign_key(op.f("fk_entries_corrects"), "entries", ["corrects"], ["key"])
        batch.create_check_constraint(
            op.f("ck_entries_one_purpose"), "reverses IS NULL OR corrects IS NULL"
        )
    op.create_index("uq_entries_reverses", "entries", ["reverses"], unique=True)
    op.create_index("ix_entries_corrects", "entries", ["corrects"])
    op.create_index("ix_entries_period_id", "entries", ["period_id"])


def _number_transfers() -> None:
    """Ids that follow from the place in the chain; they were given in the order of booking."""
    # All triggers are installed again at the end.
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER transfers_no_update")
        op.execute("DROP TRIGGER entry_seals_whole")
    else:
        op.execute("DROP TRIGGER transfers_no_change ON transfers")
    # By way of negative numbers: no new id meets an old one.
    op.execute("UPDATE transfers SET id = -(entry_seq * 65536 + position)")
    op.execute("UPDATE transfers SET id = -id")
    before = (
        sa.CheckConstraint("amount_micro > 0", name="ck_transfers_amount"),
        sa.CheckConstraint("debit_account_id <> credit_account_id", name="ck_transfers_accounts"),
    )
    with op.batch_alter_table("transfers", table_args=before) as batch:
        batch.add_column(sa.Column("line", sa.Integer(), nullable=True))
        batch.create_check_constraint(op.f("ck_transfers_id"), "id = entry_seq * 65536 + position")
        batch.create_check_constraint(
            op.f("ck_transfers_position"), "position >= 0 AND position < 65536"
        )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE transfers ALTER COLUMN id DROP DEFAULT")
        op.execute("DROP SEQUENCE transfers_id_seq")


def _change_grants() -> None:
    before = sa.Table(
        "grants",
        sa.MetaData(),
        sa.Column("id", ID, primary_key=True),
        sa.Column("work_id", sa.String(), nullable=False),
        sa.Column("holder_id", sa.String(), nullable=False),
        sa.Column("ppm", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.Boolean(), nullable=False)
            for name in ("may_retrieve", "may_generate", "may_display", "may_train")
        ),
        sa.Column("valid_from_us", sa.BigInteger(), nullable=True),
        sa.Column("valid_until_us", sa.BigInteger(), nullable=True),
        sa.Column("terms", sa.String(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_grants"),
        sa.UniqueConstraint("work_id", "holder_id", name="uq_grants_work_id_holder_id"),
        sa.ForeignKeyConstraint(["work_id"], ["works.id"], name="fk_grants_work_id"),
        sa.ForeignKeyConstraint(["holder_id"], ["rights_holders.id"], name="fk_grants_holder_id"),
        sa.CheckConstraint("ppm > 0", name="ck_grants_ppm"),
        sa.Index("ix_grants_holder_id", "holder_id"),
    )
    with op.batch_alter_table("grants", copy_from=before) as batch:
        batch.drop_constraint(op.f("uq_grants_work_id_holder_id"), type_="unique")
        batch.drop_constraint(op.f("ck_grants_ppm"), type_="check")
        batch.add_column(sa.Column("display_chars", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("granted_by", sa.String(), nullable=True))
        batch.add_column(sa.Column("ended_by", sa.String(), nullable=True))
        batch.create_check_constraint(op.f("ck_grants_ppm"), "ppm >= 0 AND ppm <= 1000000")
        batch.create_check_constraint(op.f("ck_grants_display_chars"), "display_chars >= 0")
    op.create_index("ix_grants_work_id", "grants", ["work_id"])


def _create_people() -> None:
    author = sa.ForeignKey("authors.id")
    op.create_table(
        "asker_authors",
        sa.Column("asker_id", sa.String(), primary_key=True),
        sa.Column("author_id", sa.String(), sa.ForeignKey("authors.id"), primary_key=True),
        sa.Column("linked_by", sa.String(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
    )
    op.add_column("works", sa.Column("evidence_by", sa.String(), nullable=True))
    op.create_index("ix_answers_asker_id_created_us", "answers", ["asker_id", "created_us"])
    op.create_table(
        "erasures",
        sa.Column("author_id", sa.String(), author, primary_key=True),
        sa.Column("requested_by", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "common_knowledge",
        sa.Column("statement_hash", sa.String(), primary_key=True),
        sa.Column("marked_by", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
    )


def _create_reports() -> None:
    moved = ("opening", "earned", "adjustments", "deductions", "recouped", "disputed", "released")
    amounts = (*moved, "paid", "closing", "payable", "carried", "held")
    op.create_table(
        "credit_reports",
        sa.Column("period_id", ID, sa.ForeignKey("periods.id"), primary_key=True),
        sa.Column("holder_id", sa.String(), sa.ForeignKey("rights_holders.id"), primary_key=True),
        *(sa.Column(f"{name}_micro", sa.BigInteger(), nullable=False) for name in amounts),
        sa.Column("line_count", sa.BigInteger(), nullable=False),
        sa.Column("lines_sha256", sa.String(), nullable=False),
        sa.Column("report_sha256", sa.String(), nullable=False),
        sa.Column("salt", sa.String(), nullable=False),
        sa.Column("leaf_hash", sa.String(), nullable=False),
        sa.CheckConstraint(
            "opening_micro + earned_micro - adjustments_micro - deductions_micro - recouped_micro"
            " - disputed_micro + released_micro - paid_micro = closing_micro",
            name="equation",
        ),
        sa.CheckConstraint(
            "payable_micro >= 0 AND carried_micro >= 0 AND held_micro >= 0"
            " AND payable_micro + carried_micro + held_micro = closing_micro",
            name="parts",
        ),
    )
    op.create_table(
        "credit_report_statements",
        sa.Column("period_id", ID, sa.ForeignKey("periods.id"), primary_key=True),
        sa.Column("holder_id", sa.String(), sa.ForeignKey("rights_holders.id"), primary_key=True),
        sa.Column("statement_id", sa.BigInteger(), primary_key=True),
        sa.Column("work_id", sa.String(), sa.ForeignKey("works.id"), nullable=True),
        sa.Column("amount_micro", sa.BigInteger(), nullable=False),
        sa.Column("line_count", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "signing_keys",
        sa.Column("key_id", sa.String(), primary_key=True),
        sa.Column("public_key", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "checkpoints",
        sa.Column("period_id", ID, sa.ForeignKey("periods.id"), primary_key=True),
        sa.Column("tree_size", sa.BigInteger(), nullable=False),
        sa.Column("root_hash", sa.String(), nullable=False),
        sa.Column("reports_size", sa.BigInteger(), nullable=False),
        sa.Column("reports_root", sa.String(), nullable=False),
        sa.Column("acts_size", sa.BigInteger(), nullable=False),
        sa.Column("acts_root", sa.String(), nullable=False),
        sa.Column("previous_hash", sa.String(), nullable=True),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("key_id", sa.String(), sa.ForeignKey("signing_keys.key_id"), nullable=False),
    )
    op.create_table(
        "audits",
        sa.Column("period_id", ID, sa.ForeignKey("periods.id"), primary_key=True),
        sa.Column("answer_id", sa.String(), sa.ForeignKey("answers.id"), primary_key=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("largest_ppb", sa.Integer(), nullable=True),
        sa.Column("model_fingerprint", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state IN ('same', 'differs', 'not_replayable')", name="state"),
    )


def _create_disputes() -> None:
    op.create_table(
        "disputes",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("entry_key", sa.String(), sa.ForeignKey("entries.key"), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("occurrence_id", ID, sa.ForeignKey("occurrences.id"), nullable=True),
        sa.Column("claimant_id", sa.String(), sa.ForeignKey("authors.id"), nullable=True),
        sa.Column("ground", sa.String(), nullable=False),
        sa.Column("opened_by", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_disputes_entry_key_line", "disputes", ["entry_key", "line"])
    op.create_table(
        "dispute_closings",
        sa.Column("dispute_id", sa.String(), sa.ForeignKey("disputes.id"), primary_key=True),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("holder_id", sa.String(), sa.ForeignKey("rights_holders.id"), nullable=True),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("closed_by", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("outcome IN ('back', 'on')", name="outcome"),
        sa.CheckConstraint("(outcome = 'on') = (holder_id IS NOT NULL)", name="holder"),
    )


def _create_payouts() -> None:
    currencies = "currency IN ('CNY', 'EUR', 'USD')"
    op.create_table(
        "payees",
        sa.Column("holder_id", sa.String(), sa.ForeignKey("rights_holders.id"), primary_key=True),
        sa.Column("currency", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("bic", sa.String(), nullable=True),
        sa.Column("bank_name", sa.String(), nullable=True),
        sa.Column("country", sa.String(), nullable=False),
        sa.Column("tax_class", sa.String(), nullable=False),
        sa.Column("updated_by", sa.String(), nullable=False),
        sa.Column("updated_us", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(currencies, name="currency"),
    )
    op.create_table(
        "payout_batches",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column(
            "policy_version", sa.Integer(), sa.ForeignKey("policies.version"), nullable=False
        ),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("payout_count", sa.Integer(), nullable=False),
        sa.Column("total_minor", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(currencies, name="currency"),
        sa.CheckConstraint("payout_count > 0 AND total_minor > 0", name="whole"),
    )
    batch, holder = sa.ForeignKey("payout_batches.id"), sa.ForeignKey("rights_holders.id")
    op.create_table(
        "payouts",
        sa.Column("batch_id", sa.String(), batch, primary_key=True),
        sa.Column("holder_id", sa.String(), holder, primary_key=True),
        sa.Column("gross_micro", sa.BigInteger(), nullable=False),
        sa.Column("withheld_micro", sa.BigInteger(), nullable=False),
        sa.Column("net_micro", sa.BigInteger(), nullable=False),
        sa.Column("net_minor", sa.BigInteger(), nullable=False),
        sa.Column("withholding_ppm", sa.Integer(), nullable=False),
        sa.Column("tax_class", sa.String(), nullable=False),
        sa.CheckConstraint(
            "withheld_micro >= 0 AND net_micro > 0 AND gross_micro = withheld_micro + net_micro",
            name="gross",
        ),
        sa.CheckConstraint("net_minor > 0", name="net_minor"),
    )
    op.create_table(
        "payout_files",
        sa.Column("batch_id", sa.String(), sa.ForeignKey("payout_batches.id"), primary_key=True),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "payout_events",
        sa.Column("batch_id", sa.String(), sa.ForeignKey("payout_batches.id"), primary_key=True),
        sa.Column("holder_id", sa.String(), sa.ForeignKey("rights_holders.id"), primary_key=True),
        sa.Column("state", sa.String(), primary_key=True),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state IN ('sent', 'confirmed', 'returned')", name="state"),
    )


def _create_totals() -> None:
    op.create_table(
        "account_totals",
        sa.Column("account_id", ID, sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("period_id", ID, sa.ForeignKey("periods.id"), primary_key=True),
        sa.Column("reason", sa.String(), primary_key=True),
        sa.Column("in_micro", sa.BigInteger(), nullable=False),
        sa.Column("out_micro", sa.BigInteger(), nullable=False),
        sa.Column("line_count", sa.BigInteger(), nullable=False),
    )
    op.execute(
        "INSERT INTO account_totals"
        " (account_id, period_id, reason, in_micro, out_micro, line_count)"
        " SELECT account_id, period_id, reason, sum(in_micro), sum(out_micro), count(*) FROM ("
        "SELECT credit_account_id AS account_id, entry_seq, reason, amount_micro AS in_micro,"
        " 0 AS out_micro FROM transfers UNION ALL"
        " SELECT debit_account_id, entry_seq, reason, 0, amount_micro FROM transfers) AS moved"
        " JOIN entries ON entries.seq = moved.entry_seq GROUP BY account_id, period_id, reason"
    )


def _create_acts() -> None:
    """The chain of acts; the policy that came with the ledger is the first."""
    op.create_table(
        "acts",
        sa.Column("seq", ID, primary_key=True, autoincrement=False),
        sa.Column("table_name", sa.String(), nullable=False),
        sa.Column("row_key", sa.String(), nullable=False),
        sa.Column("prev_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.UniqueConstraint("hash"),
        sa.UniqueConstraint("prev_hash"),
        sa.UniqueConstraint("table_name", "row_key"),
    )
    policies = sa.table(
        "policies", sa.column("version"), sa.column("body", sa.JSON()), sa.column("created_us")
    )
    policy = dict(op.get_bind().execute(sa.select(policies)).mappings().one())
    digest = chain.act_hash(chain.GENESIS, chain.act_body(1, "policies", policy))
    acts = sa.table("acts", *map(sa.column, ("seq", "table_name", "row_key", "prev_hash", "hash")))
    first = {"seq": 1, "table_name": "policies", "row_key": "[1]"}
    op.bulk_insert(acts, [first | {"prev_hash": chain.GENESIS, "hash": digest}])
