"""What the web does with the application; tests put a fake in its place."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from haozhi.answered import answered
from haozhi.app import App
from haozhi.ask import AskOptions, ask
from haozhi.language import Language
from haozhi.reports.report_view import report_view
from haozhi.settling import settle_all
from haozhi.web.telling import Tell, Telling
from haozhi.who import who
from store.database import is_current
from store.engine import read
from store.errors import BadInput, HaozhiError, NotFound
from store.text import check_text

Cancelled = Callable[[], bool]

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Service(Protocol):
    """`prepare`, `ask`, `stream` and `who` use the models and run in the worker; the rest only reads."""

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

    def answer(self, answer_id: str) -> dict[str, Any]:
        """A stored answer as JSON. NotFound: there is none."""

    def report(self, author: str, period_id: int | None) -> dict[str, Any]:
        """An author's credit report as JSON. NotFound, Ambiguous."""


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

    def answer(self, answer_id: str) -> dict[str, Any]:
        """As in Service; an id that no answer can have is not looked up."""
        if not _ID.fullmatch(answer_id):
            raise NotFound(f"no answer has the id {answer_id!r}")
        return answered(self.app, answer_id)

    def report(self, author: str, period_id: int | None) -> dict[str, Any]:
        """As in Service; a name that no author can have is not found."""
        try:
            check_text(author)
            with read(self.app.engine) as session:
                return report_view(session, author, period_id)
        except BadInput as error:
            raise NotFound(f"no author has the name {author!r}") from error

    @property
    def _asker(self) -> str:
        return self.app.settings.asker
