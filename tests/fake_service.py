"""A service for the web without models: it answers at once, or when it is let go."""

import threading
from collections.abc import Callable
from typing import Any

from haozhi.ask import AskOptions
from haozhi.language import Language
from store.errors import NotFound

ANSWER: dict[str, Any] = {
    "id": "an1",
    "kind": "ask",
    "state": "answered",
    "refusal": None,
    "question": "<b>几?</b>",
    "claim": None,
    "text": "甲<i>。乙.",
    "language": "zh",
    "model": "fake",
    "segments": [
        {
            "start": 0,
            "end": 5,
            "weight": 0.6,
            "citations": [{"statement_id": 7, "share_ppb": 600_000_000}],
            "supports": [{"set": [7], "strength": 1.0, "method": "verbatim"}],
            "contradicts": [],
        },
        {"start": 5, "end": 7, "weight": 0.4, "citations": [], "supports": [], "contradicts": []},
    ],
    "context": [
        {
            "statement_id": 3,
            "text": "other",
            "display": "whole",
            "authors": [],
            "work": None,
            "share_ppb": 0,
        },
        {
            "statement_id": 7,
            "text": "<script>alert(1)</script>",
            "display": "whole",
            "authors": [{"id": "a1", "name": "A&B", "share_ppm": 1_000_000}],
            "work": {"id": "w1", "title": "<w>"},
            "share_ppb": 600_000_000,
        },
    ],
    "over_budget": [],
    "shares": [{"author_id": "a1", "name": "A&B", "share_ppb": 600_000_000, "relation": None}],
    "unattributed_ppb": 400_000_000,
    "unattributed": {
        "unsupported": 0,
        "already_known": 400_000_000,
        "below_noise": 0,
        "disagree": 0,
    },
    "grounding": 0.9,
    "tier": "final",
    "fee_micro": 1_000_000,
    "entry_id": "answer:an1:dist:1",
    "postings": [],
}


class FakeService:
    """Keeps what it was asked. `hold` makes each job wait for `go` or for its cancellation."""

    def __init__(self, *, hold: bool = False, fails: Exception | None = None) -> None:
        self.hold = hold
        self.fails = fails
        self.prepare_fails: Exception | None = None
        self.current = True
        self.asked: list[str] = []
        self.options: list[AskOptions] = []
        self.cancelled: list[str] = []
        self.started = threading.Event()
        self.go = threading.Event()

    def prepare(self) -> None:
        """Fail if told to."""
        if self.prepare_fails:
            raise self.prepare_fails

    def is_current(self) -> bool:
        """Whatever the test set."""
        return self.current

    def ask(self, question: str, options: AskOptions, cancelled: Callable[[], bool]) -> str:
        """Answer with `an1`, or fail if told to."""
        self.asked.append(question)
        self.options.append(options)
        self.started.set()
        while self.hold and not self.go.wait(0.01):
            if cancelled():
                self.cancelled.append(question)
                break
        if self.fails:
            raise self.fails
        return "an1"

    model = "fake"

    def stream(
        self,
        answer_id: str,
        question: str,
        options: AskOptions,
        cancelled: Callable[[], bool],
        tell: Callable[[str, dict[str, Any]], None],
    ) -> str:
        """Tell evidence and words, then as `ask`; the answer has the id `an1` whatever was asked."""
        tell("evidence", {"context": ANSWER["context"]})
        tell("delta", {"draft": 1, "text": ANSWER["text"]})
        return self.ask(question, options, cancelled)

    def who(self, claim: str, language: Language | None, cancelled: Callable[[], bool]) -> str:
        """As `ask`."""
        return self.ask(claim, AskOptions(language=language), cancelled)

    def answer(self, answer_id: str) -> dict[str, Any]:
        """The one answer that there is."""
        if answer_id != "an1":
            raise NotFound(f"there is no answer {answer_id}")
        return ANSWER

    def report(self, author: str, period_id: int | None) -> dict[str, Any]:
        """What was asked for, or a failure if told to."""
        if self.fails:
            raise self.fails
        return {"author": author, "period": period_id}
