"""The page of authors: what they earned in a period, and the files that prove it."""

import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, HTMLResponse
from starlette.background import BackgroundTask

from haozhi.reports.words import words as report_words
from haozhi.web.problems import Problem
from haozhi.web.rendering import language_of, page
from haozhi.web.service import Service
from haozhi.web.worker import Worker

PeriodQuery = Annotated[int | None, Query(ge=1, lt=2**53)]
Download = Literal["lines.csv", "uncredited.csv", "report.pdf", "report.zip"]


def author_routes(service: Service, _: Worker) -> APIRouter:
    """An author's credit report as a page, and its files."""
    routes = APIRouter(prefix="/authors", include_in_schema=False)

    # A name may have a slash in it.
    @routes.get("/{author:path}/report")
    def report(request: Request, author: str, period: PeriodQuery = None) -> HTMLResponse:
        """The report of a period, by default the open one."""
        view = service.report(author, period)
        language = language_of(request)
        return page(
            request,
            "report.html",
            report=view,
            who=view["author"]["id"] or view["holder"]["id"],
            periods=service.periods(),
            figures=service.figures(view["holder"]["id"], view["period"]["id"], language),
            words=report_words(language),
        )

    @routes.get("/{author:path}/report/{name}")
    def download(
        request: Request, author: str, name: Download, period: PeriodQuery = None
    ) -> FileResponse:
        """A file of the report's export, made now; the archive is all of them but the PDF."""
        folder = Path(tempfile.mkdtemp(prefix="haozhi-report-"))
        try:
            made = _made(service, author, period, folder, name, request)
        except BaseException:
            shutil.rmtree(folder)
            raise
        cleanup = BackgroundTask(shutil.rmtree, folder)
        return FileResponse(made, filename=name, background=cleanup)

    return routes


def _made(
    service: Service,
    author: str,
    period: int | None,
    folder: Path,
    name: Download,
    request: Request,
) -> Path:
    export = folder / "report"
    pdf = name == "report.pdf"
    done = service.export(author, period, export, language_of(request), pdf=pdf)
    if done.failed:
        raise Problem(500, "the report's proof does not hold: run haozhi ledger check")
    if name == "report.zip":
        return Path(shutil.make_archive(str(folder / "report"), "zip", folder, "report"))
    if name not in done.files:
        raise Problem(404, f"this report has no {name}")
    return export / name
