"""A credit report as a folder: to read, to calculate with, to check without believing haozhi."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from haozhi.accounting.report import CreditReport
from haozhi.language import Language
from haozhi.new_folder import new_folder
from haozhi.proofs.export import SignedReport, export_proofs, read_all_acts, read_entries
from haozhi.proofs.keys import LedgerKey
from haozhi.reports.credit_report import credit_report, report_bytes
from haozhi.reports.figures import earned_by_period, report_figures
from haozhi.reports.lines import lines_csv, lines_jsonl
from haozhi.reports.report_view import names_of
from haozhi.reports.signed import signed_bytes
from haozhi.reports.uncredited import Uncredited, uncredited, uncredited_csv
from store import checkpoints, credit_reports, ledger, rights
from store.engine import Engine, Session, read
from store.errors import BadInput
from store.records.ledger import Line

_ALL = 2**63


@dataclass(frozen=True)
class Exported:
    """What was written. `failed` are the checks of the proof that do not hold, `left_out` files
    with the reason why they were not written; `uncredited` counts by reason.
    """

    folder: Path
    files: tuple[str, ...]
    failed: tuple[str, ...]
    left_out: tuple[str, ...]
    uncredited: Mapping[str, int]


def export_report(
    engine: Engine,
    key: LedgerKey,
    who: str,
    period_id: int | None,
    folder: Path,
    *,
    language: Language = "en",
    pdf: bool = False,
) -> Exported:
    """Write a holder's credit report of a period into a new folder, whole or not at all.

    The files of a closed period are those that were signed, and come with their proof. All are
    written from one snapshot, and but for the texts of charts and PDF hold no names.
    BadInput: the folder has something in it, or a package is missing for the PDF. NotFound,
    Ambiguous as in `credit_report`. StoreReadOnly: the folder cannot be written.
    """
    with new_folder(folder) as draft:
        with read(engine) as s:
            report = credit_report(s, who, period_id, most_summed=_ALL)
            writing = _Writing(s, report, draft, language)
            failed = writing.proof(key)
            writing.tables()
            writing.pictures(pdf=pdf)
        files = tuple(sorted(path.name for path in draft.iterdir()))
    return Exported(folder, files, failed, tuple(writing.left_out), writing.counts)


class _Writing:
    """One export on its way into a draft folder."""

    def __init__(self, s: Session, report: CreditReport, draft: Path, language: Language) -> None:
        self.s, self.report, self.draft, self.language = s, report, draft, language
        self.code, self.period_id = f"holder:{report.holder_id}", report.period.id
        self.left_out: list[str] = []
        self.counts = Counter[str]()

    def proof(self, key: LedgerKey) -> tuple[str, ...]:
        """Report and lines with what ties them to the signed checkpoint, if there is one."""
        holders = dict(credit_reports.report_leaves(self.s, self.period_id))
        history = checkpoints.list_checkpoints(self.s, self.period_id)
        lines = lines_jsonl(ledger.report_lines(self.s, self.code, self.period_id))
        signed = bool(history) and history[-1].period_id == self.period_id
        if not signed or self.report.holder_id not in holders:
            closed = self.report.period.state == "CLOSED"
            self.left_out.append(
                "proof: no report of this holder was signed when the period closed: it is empty"
                if closed
                else "proof: it comes with the checkpoint that closes the period"
            )
            self._write("report.json", [report_bytes(self.report)])
            self._write("lines.jsonl", lines)
            return ()
        holder = rights.get_holder(self.s, self.report.holder_id)
        stored, made = signed_bytes(self.s, self.period_id, holder)
        return export_proofs(
            self.draft,
            public=key.public,
            history=history,
            entries=read_entries(self.s, history[-1].tree_size),
            acts=read_all_acts(self.s, history[-1].acts_size),
            report=SignedReport(
                report=made,
                lines=lines,
                salt=stored.salt,
                leaves=tuple(holders.values()),
                index=list(holders).index(holder.id),
            ),
        )

    def tables(self) -> None:
        """Lines and what was not credited for spreadsheets, and where the lines come from."""
        lines = ledger.report_lines(self.s, self.code, self.period_id)
        self._write("lines.csv", lines_csv(lines))
        author_id = self.report.author_id
        if author_id is not None:
            found = self._counted(uncredited(self.s, author_id, self.period_id))
            self._write("uncredited.csv", uncredited_csv(found))
        # Imported here, as it is slow: it reads two schemas of XML.
        from haozhi.reports.prov import report_prov

        try:
            self._write("prov.json", [report_prov(self.report, self._lines()).encode()])
        except BadInput as error:
            self.left_out.append(f"prov.json: {error}")

    def pictures(self, *, pdf: bool) -> None:
        """The three charts, and on request the PDF."""
        for figure in report_figures(self.s, self.report, self.language):
            self._write(f"{figure.name}.svg", [figure.svg().encode()])
        if pdf:
            from haozhi.reports.pdf import report_pdf

            names = names_of(self.s, self.report)
            made = report_pdf(
                self.report,
                name=names["author"]["name"] or names["holder"]["label"],
                language=self.language,
                periods=earned_by_period(self.s, self.report),
                lines=self._lines(),
            )
            self._write("report.pdf", [made])

    def _lines(self) -> Iterator[Line]:
        return ledger.lines(self.s, self.code, self.period_id)

    def _counted(self, found: Iterable[Uncredited]) -> Iterator[Uncredited]:
        for each in found:
            self.counts[each.reason] += 1
            yield each

    def _write(self, name: str, pieces: Iterable[bytes]) -> None:
        with (self.draft / name).open("wb") as file:
            file.writelines(pieces)
