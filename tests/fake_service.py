"""A service for the web without models: it answers at once, or when it is let go."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from haozhi.ask import AskOptions
from haozhi.citing import Format, cite, references
from haozhi.language import Language
from haozhi.reports.charts import Figure
from haozhi.reports.export import Exported
from store.errors import NotFound
from store.records.ledger import Period

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
            "state": "context",
            "citations": [{"statement_id": 7, "share_ppb": 600_000_000}],
            "supports": [{"set": [7], "strength": 1.0, "method": "verbatim"}],
            "contradicts": [],
            "also": [8],
        },
        {
            "start": 5,
            "end": 7,
            "weight": 0.4,
            "state": "memory",
            "citations": [],
            "supports": [],
            "contradicts": [],
            "also": [],
        },
    ],
    "context": [
        {
            "statement_id": 3,
            "text": "other",
            "display": "whole",
            "authors": [],
            "work": None,
            "start": None,
            "end": None,
            "included": False,
            "retrieval": 0.5,
            "attention": None,
            "gradient": None,
            "influence_nats": None,
            "support": None,
            "share_ppb": 0,
        },
        {
            "statement_id": 7,
            "text": "<script>alert(1)</script>",
            "display": "whole",
            "authors": [{"id": "a1", "name": "A&B", "share_ppm": 1_000_000}],
            "work": {"id": "w1", "title": "<w>"},
            "start": 0,
            "end": 25,
            "included": True,
            "retrieval": 0.75,
            "attention": 0.1,
            "gradient": 0.2,
            "influence_nats": -0.3,
            "support": 1.0,
            "share_ppb": 600_000_000,
        },
    ],
    "also": [
        {
            "statement_id": 8,
            "text": None,
            "display": "not_counted",
            "authors": [{"id": "a2", "name": "<i>D</i>", "share_ppm": 1_000_000}],
            "work": None,
        }
    ],
    "over_budget": [],
    "shares": [
        {
            "author_id": "a1",
            "name": "A&B",
            "share_ppb": 600_000_000,
            "low_ppb": 500_000_000,
            "high_ppb": 700_000_000,
            "relation": None,
        }
    ],
    "unattributed_ppb": 400_000_000,
    "unattributed": {
        "unsupported": 0,
        "already_known": 400_000_000,
        "below_noise": 0,
        "disagree": 0,
    },
    "grounding": 0.9,
    "tier": "final",
    "moved_ppb": 250_000_000,
    "fee_micro": 1_000_000,
    "entry_id": "answer:an1:dist:1",
    "postings": [],
    "receipt": None,
}

PLACE: dict[str, Any] = {
    "published_on": "2020-01",
    "licence": "<CC-BY-4.0>",
    "page": 3,
    "line": None,
    "before": "<u>before</u>",
    "after": None,
}
WHY: dict[str, Any] = {
    "id": "an1",
    "created_ms": 0,
    "tokens": {"prompt": 9, "statements": 3, "rest": 4, "tail": 2, "answer": 5},
    "tokens_in_order": [{"statement_id": 7, "tokens": 3}],
    "attributions": [
        {
            "version": 1,
            "tier": "final",
            "rule": "r/1",
            "method": "m",
            "v_none": -2.5,
            "v_all": None,
            "grounding": 0.9,
            "residual": 0.0,
            "order_spread": None,
            "passes": 7,
            "budget": 128,
            "orders": 1,
            "looked_at": None,
            "timings_ms": {},
            "influence_method": "paired",
            "influence": [{"statement_id": 7, "nats": -0.3}],
            "supports": [],
            "coalitions": [
                {"statement_ids": [], "nats": -2.5},
                {"statement_ids": [7], "nats": -0.25},
            ],
            "calibration": None,
            "no_calibration": "<none>",
            "created_ms": 0,
        }
    ],
    "moved_ppb": 250_000_000,
    "moved_much": True,
    "model_fingerprint": "<m>",
    "prompt_fingerprint": "p",
    "policy_version": 1,
    "options": {
        "version": "0.1.0",
        "way": "free",
        "seed": 0,
        "temperature": 0.0,
        "top_p": 1.0,
        "embedder": "e",
    },
    "entries": [],
}
PERIOD = Period(1, "OPEN", 0, None)


class FakeService:
    """Keeps what it was asked. `hold` makes each job wait for `go` or for its cancellation."""

    def __init__(self, *, hold: bool = False, fails: Exception | None = None) -> None:
        self.hold = hold
        self.fails = fails
        self.prepare_fails: Exception | None = None
        self.current = True
        self.failed_checks: tuple[str, ...] = ()
        self.asked: list[str] = []
        self.options: list[AskOptions] = []
        self.streamed: list[str] = []
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
        """Tell evidence and words, then as `ask`; the answer is `an1` whatever its id was to be."""
        self.streamed.append(answer_id)
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

    def sources(self, answer_id: str) -> dict[int, dict[str, Any]]:
        """The place of each statement of the one answer."""
        return dict.fromkeys((e["statement_id"] for e in self.answer(answer_id)["context"]), PLACE)

    def citations(self, answer_id: str, how: Format, site: str) -> str:
        """References of the one answer."""
        return cite(references(self.answer(answer_id), self.sources(answer_id), 0, site), how)

    def why(self, answer_id: str) -> dict[str, Any]:
        """How the one answer came about."""
        self.answer(answer_id)
        return WHY

    def periods(self) -> tuple[Period, ...]:
        """The one period."""
        return (PERIOD,)

    def figures(self, author: str, period_id: int | None, language: Language) -> tuple[Figure, ...]:
        """One chart, which says what was asked for."""
        return (Figure("f", language, author, f"{period_id}", 1, 1, ()),)

    def export(
        self, author: str, period_id: int | None, folder: Path, language: Language, *, pdf: bool
    ) -> Exported:
        """A folder with one file, which names what was asked for."""
        folder.mkdir()
        (folder / "lines.csv").write_text(f"{author} {period_id} {language} {pdf}")
        return Exported(folder, ("lines.csv",), self.failed_checks, (), {})

    def report(self, author: str, period_id: int | None) -> dict[str, Any]:
        """What was asked for, or a failure if told to."""
        if self.fails:
            raise self.fails
        return {"author": author, "period": period_id}
