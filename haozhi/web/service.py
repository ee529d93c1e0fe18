"""What the web does with the application; tests put a fake in its place."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from haozhi.answered import answered
from haozhi.app import App
from haozhi.ask import AskOptions, ask
from haozhi.citing import Format, citations_text
from haozhi.language import Language
from haozhi.proofs.keys import ledger_key
from haozhi.reports.charts import Figure
from haozhi.reports.credit_report import credit_report
from haozhi.reports.export import Exported, export_report
from haozhi.reports.figures import report_figures
from haozhi.reports.report_view import report_view
from haozhi.settling import settle_all
from haozhi.source_view import source_view
from haozhi.web.telling import Tell, Telling
from haozhi.who import who
from haozhi.why_view import why_view
from store.database import is_current
from store.engine import read
from store.errors import BadInput, HaozhiError, NotFound
from store.periods import list_periods
from store.records.ledger import Period
from store.text import check_text

Json = dict[str, Any]
Cancelled = Callable[[], bool]

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Service(Protocol):
    """`prepare`, `ask`, `stream` and `who` use models, in the worker; the rest only reads."""

    @property
    def model(self) -> str:
        """The name of the model that answers."""

    def prepare(self) -> None:
        """Load what is slow to load and finish what a crash left unfinished."""

    def is_current(self) -> bool:
        """Whether the database is at the newest revision."""

    def ask(self, question: str, options: AskOptions, cancelled: Cancelled) -> str:
        """Answer a question; returns the answer's id."""

    def stream(
        self, answer_id: str, question: str, options: AskOptions, cancelled: Cancelled, tell: Tell
    ) -> str:
        """Answer a question under this id and tell how it comes about; returns the id.

        An answer that is stored under it is told again.
        """

    def who(self, claim: str, language: Language | None, cancelled: Cancelled) -> str:
        """Attribute a claim; returns the answer's id."""

    def answer(self, answer_id: str) -> Json:
        """A stored answer as JSON. NotFound: there is none."""

    def sources(self, answer_id: str) -> dict[int, Json]:
        """Where the statements of a stored answer stand, by id. NotFound: there is none."""

    def why(self, answer_id: str) -> Json:
        """How a stored answer came about, as JSON. NotFound: there is none."""

    def citations(self, answer_id: str, how: Format, site: str) -> str:
        """A stored answer and its cited works as references. NotFound: there is none."""

    def periods(self) -> tuple[Period, ...]:
        """The periods that there are reports for, oldest first."""

    def report(self, author: str, period_id: int | None) -> Json:
        """An author's credit report as JSON. NotFound, Ambiguous."""

    def figures(self, author: str, period_id: int | None, language: Language) -> tuple[Figure, ...]:
        """The charts of an author's credit report. NotFound, Ambiguous."""

    def export(
        self, author: str, period_id: int | None, folder: Path, language: Language, *, pdf: bool
    ) -> Exported:
        """Write an author's credit report into a new folder. NotFound, Ambiguous, BadInput."""


@dataclass(frozen=True)
class AppService:
    """The service over the real parts; who asks over the web is who asks on the command line."""

    app: App

    @property
    def model(self) -> str:
        """As in Service."""
        return self.app.settings.generator

    def prepare(self) -> None:
        """As in Service. ModelMissing, IndexMissing, StoreBusy."""
        for part in ("generator", "embedder", "index"):
            getattr(self.app, part)  # loads it, once
        settle_all(self.app)

    def is_current(self) -> bool:
        """As in Service; a database that cannot be read is not current."""
        try:
            return is_current(self.app.engine)
        except HaozhiError:
            return False

    def ask(self, question: str, options: AskOptions, cancelled: Cancelled) -> str:
        """As in Service."""
        return ask(self.app, question, options, asker_id=self._asker, cancelled=cancelled)

    def stream(
        self, answer_id: str, question: str, options: AskOptions, cancelled: Cancelled, tell: Tell
    ) -> str:
        """As in Service. BadInput: the stored answer is to another question."""
        telling = Telling(self.app, answer_id, tell)
        if telling.again(question):
            return answer_id
        asker_id = self._asker
        return ask(
            self.app, question, options, asker_id=asker_id, cancelled=cancelled, listener=telling
        )

    def who(self, claim: str, language: Language | None, cancelled: Cancelled) -> str:
        """As in Service."""
        return who(self.app, claim, language=language, asker_id=self._asker, cancelled=cancelled)

    def answer(self, answer_id: str) -> Json:
        """As in Service; an id that no answer can have is not looked up."""
        return answered(self.app, _checked(answer_id))

    def sources(self, answer_id: str) -> dict[int, Json]:
        """As in Service."""
        with read(self.app.engine) as session:
            return source_view(session, _checked(answer_id))

    def why(self, answer_id: str) -> Json:
        """As in Service."""
        with read(self.app.engine) as session:
            return why_view(session, _checked(answer_id))

    def citations(self, answer_id: str, how: Format, site: str) -> str:
        """As in Service."""
        with read(self.app.engine) as session:
            return citations_text(session, _checked(answer_id), how, site)

    def periods(self) -> tuple[Period, ...]:
        """As in Service."""
        with read(self.app.engine) as session:
            return list_periods(session)

    def report(self, author: str, period_id: int | None) -> Json:
        """As in Service; a name that no author can have is not found."""
        with read(self.app.engine) as session:
            return report_view(session, _known(author), period_id)

    def figures(self, author: str, period_id: int | None, language: Language) -> tuple[Figure, ...]:
        """As in Service."""
        with read(self.app.engine) as session:
            report = credit_report(session, _known(author), period_id)
            return report_figures(session, report, language)

    def export(
        self, author: str, period_id: int | None, folder: Path, language: Language, *, pdf: bool
    ) -> Exported:
        """As in Service."""
        engine = self.app.engine
        key = ledger_key(engine, self.app.settings.data_dir)
        return export_report(
            engine, key, _known(author), period_id, folder, language=language, pdf=pdf
        )

    @property
    def _asker(self) -> str:
        return self.app.settings.asker


def _checked(answer_id: str) -> str:
    if not _ID.fullmatch(answer_id):
        raise NotFound(f"no answer has the id {answer_id!r}")
    return answer_id


def _known(author: str) -> str:
    """The name, unless it cannot be stored: then nobody has it."""
    try:
        check_text(author)
    except BadInput as error:
        raise NotFound(f"no author has the name {author!r}") from error
    return author
