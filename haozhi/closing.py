"""Closing a period: OPEN -> CLOSING -> CLOSED, safe to be killed and begun again at every step.

Each step is one transaction, or finds what it would do already done:

1. Expired holds are voided, debts recouped, the period is CLOSING and the next one open. From here
   on no entry can be booked into it, so all that follows can be computed again.
2. Every entry is checked against its hash. Nothing is stored, so this is done each time.
3. Each holder's credit report, some holders at a time; a report that is there stays.
4. Some answers, drawn by the previous checkpoint, are computed again.
5. The checkpoint over the entries that were checked, the reports, and every act so far is signed,
   and the period is CLOSED.

What takes long happens outside of transactions that write: posting goes on meanwhile.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from haozhi.accounting.policy import Policy
from haozhi.auditing import Audit
from haozhi.policies import policy_of
from haozhi.proofs.draw import draw
from haozhi.proofs.keys import LedgerKey
from haozhi.proofs.notes import build_checkpoint, note_hash
from haozhi.reports.credit_report import young_transfers
from haozhi.reports.signed import made_report
from store import audits, checkpoints, credit_reports, ledger, periods, rights
from store.audits import StoredAudit
from store.chain import GENESIS
from store.clock import now_us
from store.engine import Engine, read, write
from store.errors import BadInput
from store.records.ledger import Period
from store.text import admin_name

#: Computes these answers again, as `haozhi.auditing.audit_answers` does with a model.
Auditor = Callable[[Sequence[str]], Sequence[Audit]]
#: Holders whose reports are made from one snapshot and stored in one transaction.
_BATCH = 50


@dataclass(frozen=True)
class Closed:
    """What the close of a period signed; `largest_ppb` None: no answer could be recomputed."""

    period: Period
    reports: int
    entries: int
    audited: int
    largest_ppb: int | None
    note: str


def close_period(
    engine: Engine, *, by: str, key: LedgerKey, audit: Auditor, period_id: int | None = None
) -> Closed:
    """Close a period, or finish the close that was begun; a closed one is returned as it is.

    By default the one that is closing, else the open one if it has entries: an empty period is
    closed only by its id. `by` is who asks for it.
    BadInput: there is nothing to close, another period must be finished first, or `by` is empty.
    NotFound: no such period. BooksDiffer: the books contradict themselves, nothing was signed.
    """
    period = _begin(engine, admin_name(by), period_id)
    if period.state != "CLOSED":
        entry_leaves = _entry_leaves(engine, period)
        policy = _policy(engine, period)
        _write_reports(engine, period, policy)
        _audit(engine, period, policy, audit)
        _sign(engine, period, key, entry_leaves)
    return _closed(engine, period.id)


def _begin(engine: Engine, by: str, period_id: int | None) -> Period:
    """The period to close, with its end."""
    with write(engine) as s:
        period = periods.closing_period(s) or ledger.open_period(s)
        if period_id is not None and period_id != period.id:
            wanted = ledger.get_period(s, period_id)
            if wanted.state != "CLOSED":
                raise BadInput(f"period {period.id} is being closed: finish that one first")
            return wanted
        if period.state == "OPEN":
            if period_id is None and not periods.has_entries(s, period.id):
                raise BadInput(
                    f"period {period.id} has no entries: `--period {period.id}` closes it anyway"
                )
            ledger.expire_holds(s, now_us())
            ledger.recoup(s, now_us=now_us())
            period = periods.begin_closing(s, by=by, now_us=now_us())
        return replace(period, closed_us=periods.end_us(s, period))


def _entry_leaves(engine: Engine, period: Period) -> tuple[bytes, ...]:
    with read(engine) as s:
        return tuple(checkpoints.entry_leaves(s, checkpoints.last_seq(s, period.id)))


def _policy(engine: Engine, period: Period) -> Policy:
    """The policy in force when the period ended, whenever its close is finished."""
    with read(engine) as s:
        return policy_of(s, before_us=period.closed_us)


def _write_reports(engine: Engine, period: Period, policy: Policy) -> None:
    with read(engine) as s:
        due = credit_reports.due_holders(s, period.id)
        young = young_transfers(s, period, policy)
    for start in range(0, len(due), _BATCH):
        with read(engine) as s:
            holders = rights.get_holders(s, due[start : start + _BATCH])
            made = [
                made_report(s, holder, period, policy, young)
                for _, holder in sorted(holders.items())
            ]
        with write(engine) as s:
            for report, statements in made:
                credit_reports.add_report(s, report, statements)


def _audit(engine: Engine, period: Period, policy: Policy, audit: Auditor) -> None:
    with read(engine) as s:
        done = audits.list_audits(s, period.id)
        history = checkpoints.list_checkpoints(s, period.id - 1)
        answers = audits.paid_answers(s, period.id)
    if done:
        return
    seed = note_hash(history[-1].note) if history else GENESIS
    drawn = draw(seed, answers, policy.audit_answers)
    found = [
        StoredAudit(each.answer_id, each.state, each.largest_ppb, each.model_fingerprint)
        for each in audit(drawn)
    ]
    told = [each.answer_id for each in found]
    assert told == [*drawn], f"the auditor answers for {told}, and {drawn} were drawn"
    with write(engine) as s:
        audits.add_audits(s, period.id, found, now_us=now_us())


def _sign(engine: Engine, period: Period, key: LedgerKey, entry_leaves: Sequence[bytes]) -> None:
    """Sign what is there, then close; both or neither is stored."""
    with read(engine) as s:
        history = checkpoints.list_checkpoints(s, period.id - 1)
        audited, largest_ppb = audits.summary(s, period.id)
        checkpoint = build_checkpoint(
            key,
            period_id=period.id,
            entry_leaves=entry_leaves,
            report_leaves=[leaf for _, leaf in credit_reports.report_leaves(s, period.id)],
            act_leaves=tuple(checkpoints.act_leaves(s)),
            previous_note=history[-1].note if history else None,
            audited=audited,
            largest_ppb=largest_ppb,
        )
    with write(engine) as s:
        if ledger.get_period(s, period.id).state == "CLOSING":  # another process may be done
            checkpoints.add_checkpoint(s, checkpoint)
            periods.finish_closing(s, period)


def _closed(engine: Engine, period_id: int) -> Closed:
    with read(engine) as s:
        checkpoint = checkpoints.find_checkpoint(s, period_id)
        audited, largest_ppb = audits.summary(s, period_id)
        return Closed(
            period=ledger.get_period(s, period_id),
            reports=checkpoint.reports_size if checkpoint else 0,
            entries=checkpoint.tree_size if checkpoint else 0,
            audited=audited,
            largest_ppb=largest_ppb,
            note=checkpoint.note if checkpoint else "",
        )
