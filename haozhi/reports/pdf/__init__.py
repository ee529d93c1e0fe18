"""A credit report as PDF; the drawing and its libraries come with the extra `pdf`."""

from collections.abc import Iterable, Mapping, Sequence

from haozhi.accounting.report import CreditReport
from haozhi.language import Language
from haozhi.reports.document import report_document
from store.errors import BadInput
from store.records.ledger import Line


def report_pdf(
    report: CreditReport,
    *,
    name: str | None,
    language: Language,
    periods: Sequence[tuple[int, Mapping[str, int]]],
    lines: Iterable[Line],
) -> bytes:
    """The bytes of a PDF on A4 with its Chinese font inside; the same report, the same bytes.

    `name` is the holder's name, None when there is none. `periods` is what `earned_chart` takes:
    (period id, micro-credits by title of the work). `lines` are the report's and are read once.

    Raises BadInput when the extra `pdf` is not installed.
    """
    try:
        from haozhi.reports.pdf.drawing import draw
    except ModuleNotFoundError as error:
        raise BadInput(
            f"a PDF needs the package {error.name}: run pip install 'haozhi[pdf]'"
        ) from error
    blocks = report_document(report, name=name, language=language, periods=periods, lines=lines)
    return draw(blocks, language)
