"""Frozen values that cross the store's border; no SQLAlchemy object leaves the store."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class AuthorShare:
    """An author's part of an occurrence in parts per million (1..1,000,000)."""

    author_id: str
    ppm: int


@dataclass(frozen=True)
class Occurrence:
    """Where a statement stands; `start`..`end` are half-open code points of the work's text.

    `authors` is empty when the author is unknown, else its ppm sum to 1,000,000.
    """

    id: int
    work_id: str
    work_title: str
    start: int
    end: int
    page: int | None
    line: int | None
    published_on: str | None
    registered_us: int
    disputed: bool
    authors: tuple[AuthorShare, ...]


@dataclass(frozen=True)
class Statement:
    """A statement with its occurrences that are not withdrawn, the credited one first.

    `text` is None once deleted. `store.statements.priority` says who is credited; occurrences in
    works that may not be used now come last.
    """

    id: int
    scope: str
    hash: str
    text: str | None
    language: str
    cluster_id: int
    withdrawn: bool
    occurrences: tuple[Occurrence, ...]


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
    """A smallest set of statements that yields (`supports`) or denies (`contradicts`) a segment."""

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


@dataclass(frozen=True)
class Transfer:
    """One positive amount of micro-credits from the debit to the credit account (by code).

    `line` is the position of the transfer that this one undoes, in the entry that its entry
    reverses or corrects.
    """

    debit: str
    credit: str
    amount_micro: int
    reason: str
    answer_id: str | None = None
    statement_id: int | None = None
    author_id: str | None = None
    share_ppb: int | None = None
    line: int | None = None


@dataclass(frozen=True)
class Entry:
    """A posted entry with its place in the chain and its transfers in order.

    `reverses` or `corrects` is the key of the entry that this one takes back in whole or in part;
    `memo` is canonical JSON that the event needs remembered.
    """

    seq: int
    key: str
    prev_hash: str
    hash: str
    period_id: int
    policy_version: int
    created_us: int
    transfers: tuple[Transfer, ...]
    reverses: str | None = None
    corrects: str | None = None
    memo: str | None = None


@dataclass(frozen=True)
class Line:
    """A transfer as one account sees it: `amount_micro` is positive in, negative out."""

    entry_seq: int
    entry_key: str
    period_id: int
    created_us: int
    counterparty: str
    amount_micro: int
    reason: str
    answer_id: str | None
    statement_id: int | None
    author_id: str | None
    share_ppb: int | None
    line: int | None = None


@dataclass(frozen=True)
class Period:
    """A span of booking time; `state` is OPEN, CLOSING or CLOSED, `closed_by` who asked for it."""

    id: int
    state: str
    opened_us: int
    closed_us: int | None
    closed_by: str | None = None


@dataclass(frozen=True)
class Claim:
    """A verified claim to what a cluster says: the author shares of one occurrence (empty: the
    author is unknown) and the (holder, ppm) grants in force for its work.
    """

    authors: tuple[AuthorShare, ...]
    grants: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Holdings:
    """Who held the rights in an answer's statements when it was posted, and what else was true
    then that policy acts on.

    `holders` maps an author to the holder that is this author; `grants` maps a statement to its
    (holder, ppm) grants in force, whose ppm sum to at most 1,000,000 (the rest is the authors').
    A statement without grants is its authors'. `own` are the authors that the asker is linked to,
    `erased` those whose name was erased; both are in `holders` too, and so are the authors of
    `verified`, the verified claims of a statement's cluster. `repeated` are the statements that
    this asker paid for the same question already, `common` those that are common knowledge.
    """

    holders: dict[str, str]
    grants: dict[int, tuple[tuple[str, int], ...]]
    disputed: frozenset[int]
    own: frozenset[str] = frozenset()
    repeated: frozenset[int] = frozenset()
    common: frozenset[int] = frozenset()
    erased: frozenset[str] = frozenset()
    verified: dict[int, tuple[Claim, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Difference:
    """Something that a check found: a stable code, the row it is about, and what is wrong."""

    code: str
    subject: str
    message: str


@dataclass(frozen=True)
class StatementTotal:
    """What one statement brought a holder in a period, less what was taken back of it.

    `work_id` is where it was found for the first of its lines, None when that is unknown.
    """

    statement_id: int
    work_id: str | None
    amount_micro: int
    line_count: int
