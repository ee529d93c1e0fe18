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
from haozhi.who import who
from store.database import is_current
from store.engine import read
from store.errors import BadInput, HaozhiError, NotFound
from store.text import check_text

Cancelled = Callable[[], bool]

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Service(Protocol):
    """`prepare`, `ask` and `who` use the models and run in the worker; the rest only reads."""

    def prepare(self) -> None:
        """Load what is slow to load and finish what a crash left unfinished."""

    def is_current(self) -> bool:
        """Whether the database is at the newest revision."""

    def ask(self, question: str, options: AskOptions, cancelled: Cancelled) -> str:
        """Answer a question; returns the answer's id."""

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
