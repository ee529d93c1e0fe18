"""Books over the small corpus whose periods are closed as they are in life, for tests."""

from collections.abc import Sequence
from pathlib import Path

from haozhi.auditing import Audit
from haozhi.closing import Auditor, Closed, close_period
from haozhi.proofs.keys import ledger_key
from haozhi.reports.lines import lines_csv, lines_jsonl
from store import ledger
from store.engine import Engine, Session


def same(answer_ids: Sequence[str]) -> tuple[Audit, ...]:
    """An auditor without a model: every answer is as it was."""
    return tuple(Audit(answer_id, "same", 0, "m", "m") for answer_id in answer_ids)


def close(
    engine: Engine, data_dir: Path, period_id: int | None = None, audit: Auditor = same
) -> Closed:
    """Close a period; the ledger's key is kept in the folder."""
    key = ledger_key(engine, data_dir)
    return close_period(engine, by="Ada", key=key, audit=audit, period_id=period_id)


def files_of(s: Session, holder_id: str, period_id: int) -> tuple[bytes, bytes]:
    """The CSV and the JSON lines of a holder's period."""
    code = f"holder:{holder_id}"
    return (
        b"".join(lines_csv(ledger.report_lines(s, code, period_id))),
        b"".join(lines_jsonl(ledger.report_lines(s, code, period_id))),
    )
