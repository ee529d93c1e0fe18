"""Answers as they are stored, and whose statements they rest on."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ContextEntry:
    """A retrieved statement in rank order, and where its tokens stand in the prompt.

    `player` names the author-share vector that the statement belongs to (one player per distinct
    vector). `token_start`/`token_end` index `prompt_ids`, None when it did not fit.
    """

    position: int
    statement_id: int
    statement_hash: str
    occurrence_id: int | None
    player: str
    included: bool
    token_start: int | None
    token_end: int | None
    retrieval: float


@dataclass(frozen=True)
class Segment:
    """A sentence or one step of a worked sum: span in `Answer.text`, tokens in `answer_ids`.

    Both spans are half-open; weights of an answer sum to 10^9.
    """

    position: int
    start: int
    end: int
    token_start: int
    token_end: int
    weight_ppb: int


@dataclass(frozen=True)
class Answer:
    """What was asked and answered, as stored in T1; never changed afterwards."""

    id: str
    asker_id: str
    kind: str
    state: str
    question: str
    claim: str | None
    preface: str
    text: str
    language: str
    model: str
    model_fingerprint: str
    prompt_fingerprint: str
    prompt_ids: tuple[int, ...]
    tail_start: int
    answer_ids: tuple[int, ...]
    options: dict[str, Any]
    refusal: str | None
    policy_version: int
    fee_micro: int
    timings_ms: dict[str, int]
    created_us: int
    context: tuple[ContextEntry, ...]
    segments: tuple[Segment, ...]


@dataclass(frozen=True)
class SupportSet:
    """A smallest set of statements that yields (`supports`) or denies (`contradicts`) a segment.

    `also`: a statement outside the context that says the segment too; it is never paid.
    """

    segment: int
    relation: str
    statement_ids: tuple[int, ...]
    strength: float
    method: str


@dataclass(frozen=True)
class Signal:
    """What each signal says of the context entry at `position`; None is not measured."""

    position: int
    attention: float | None
    gradient: float | None
    influence_nats: float | None
    support: float
    share_ppb: int


@dataclass(frozen=True)
class Pair:
    """The share of one (statement, author) pair with its interval, in ppb of the answer.

    `author_id` None: the author is unknown; the money goes to reserve:unclaimed.
    """

    statement_id: int
    author_id: str | None
    share_ppb: int
    low_ppb: int
    high_ppb: int


@dataclass(frozen=True)
class Citation:
    """A segment rests on a statement with this share (ppb of the whole answer)."""

    segment: int
    statement_id: int
    share_ppb: int


@dataclass(frozen=True)
class Unattributed:
    """The part of an answer credited to nobody, by cause, in ppb; the causes sum to the total."""

    unsupported: int = 0
    already_known: int = 0
    below_noise: int = 0
    disagree: int = 0

    @property
    def total(self) -> int:
        """All causes together, 0..10^9."""
        return self.unsupported + self.already_known + self.below_noise + self.disagree


@dataclass(frozen=True)
class Attribution:
    """One version of whose statements an answer rests on.

    Invariant: sum of `pairs` shares + `unattributed.total` = 10^9, and the citations of a statement
    sum to the shares of its pairs.
    """

    answer_id: str
    version: int
    tier: str
    rule: str
    method: str
    v_none: float | None
    v_all: float | None
    grounding: float | None
    residual: float | None
    order_spread: float | None
    unattributed: Unattributed
    supports: tuple[SupportSet, ...]
    signals: tuple[Signal, ...]
    pairs: tuple[Pair, ...]
    citations: tuple[Citation, ...]
    created_us: int
    detail: dict[str, Any] = field(default_factory=dict)
