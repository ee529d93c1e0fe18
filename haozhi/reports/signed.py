"""Credit reports as they are signed when a period closes: bytes, hashes and leaf."""

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from haozhi.accounting.policy import Policy
from haozhi.proofs.export import report_leaf
from haozhi.reports.credit_report import closing_report, report_as_signed, report_bytes
from haozhi.reports.lines import lines_jsonl
from store import credit_reports, ledger
from store.credit_reports import StoredReport
from store.engine import Session
from store.errors import BooksDiffer, NotFound
from store.ledger import ReportLine
from store.ledger.reasons import unknown_reasons
from store.records.ledger import Period, StatementTotal
from store.rights import Holder

#: What is stored of a report.
Made = tuple[StoredReport, tuple[StatementTotal, ...]]
#: Micro-credits by reason, and whether they came in.
_Sums = Counter[tuple[str, bool]]
#: In, out and lines by reason, as they are kept with an account.
_Kept = Mapping[str, tuple[int, int, int]]


def made_report(s: Session, holder: Holder, period: Period, policy: Policy, young: range) -> Made:
    """A holder's report of a period that closes: its lines are read once, and must tie to it.

    BooksDiffer: the lines do not sum to the totals, or no column is for one of them.
    """
    kept = ledger.totals_by_reason(s, f"holder:{holder.id}", period.id)
    _require_columns(holder, period, kept)
    report = closing_report(s, holder, period, policy, young)
    digest, totals = sha256(), _Sums()
    lines = ledger.report_lines(s, f"holder:{holder.id}", period.id)
    for piece in lines_jsonl(_counted(lines, totals)):
        digest.update(piece)
    _require_tie(holder, period, kept, totals)
    made, salt = report_bytes(report), secrets.token_hex(32)
    stored = StoredReport(
        period_id=period.id,
        holder_id=holder.id,
        line_count=report.line_count,
        lines_sha256=digest.hexdigest(),
        report_sha256=sha256(made).hexdigest(),
        salt=salt,
        leaf_hash=report_leaf(salt, made, digest.hexdigest()).hex(),
        **report.amounts(),
    )
    return stored, report.statements


def _counted(lines: Iterable[ReportLine], totals: _Sums) -> Iterator[ReportLine]:
    """The lines, their amounts added up by reason and direction on the way."""
    for line in lines:
        totals[line.reason, line.amount_micro > 0] += abs(line.amount_micro)
        yield line


def _require_columns(holder: Holder, period: Period, kept: _Kept) -> None:
    if unknown := unknown_reasons(kept):
        raise BooksDiffer(
            f"holder {holder.id} has lines in period {period.id} that no column of a report is for"
            f" ({', '.join(unknown)}): run `haozhi ledger check`; nothing was signed"
        )


def _require_tie(holder: Holder, period: Period, kept: _Kept, lines: _Sums) -> None:
    totals = _Sums()
    for reason, (in_micro, out_micro, _) in kept.items():
        totals[reason, True], totals[reason, False] = in_micro, out_micro
    if lines != totals:  # counters: what is missing is zero
        raise BooksDiffer(
            f"the lines of holder {holder.id} in period {period.id} are not its totals:"
            " run `haozhi ledger check`; nothing was signed"
        )


def signed_bytes(s: Session, period_id: int, holder: Holder) -> tuple[StoredReport, bytes]:
    """The stored report of a closed period and its bytes, made again from the rows.

    NotFound: there is none. HaozhiError: the rows are not what was signed.
    """
    stored = credit_reports.find_report(s, period_id, holder.id)
    if stored is None:
        raise NotFound(
            f"holder {holder.id} has no signed report of period {period_id}:"
            " close the period with `haozhi period close`"
        )
    made = report_bytes(report_as_signed(s, holder, ledger.get_period(s, period_id), stored))
    if sha256(made).hexdigest() != stored.report_sha256:
        raise BooksDiffer(
            f"the report of holder {holder.id} for period {period_id} is not what was signed:"
            " run `haozhi ledger check`"
        )
    return stored, made
