"""What must be true of an answer and its attribution, stated once: checked when they are written
and again by `ledger check`.

Each function yields one sentence per broken rule; nothing yielded means whole.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from store.records.answers import Answer, Attribution

WHOLE_PPB = 1_000_000_000
#: JSON readers keep integers exact up to here; every amount and fee stays below.
MAX_AMOUNT_MICRO = 2**53 - 1


def answer_problems(answer: Answer) -> Iterator[str]:
    """Broken rules of an answer, its context and its segments."""
    if not 0 <= answer.fee_micro <= MAX_AMOUNT_MICRO:
        yield f"the fee is {answer.fee_micro}"
    if answer.fee_micro and (answer.state == "refused" or answer.kind == "who"):
        yield f"a {answer.state} {answer.kind} answer has a fee"
    if (answer.state == "refused") != (answer.refusal is not None):
        yield f"state {answer.state} and refusal {answer.refusal} disagree"
    if (answer.kind == "who") != (answer.claim is not None):
        yield f"kind {answer.kind} and claim {answer.claim!r} disagree"
    yield from _context_problems(answer)
    yield from _segment_problems(answer)


def attribution_problems(attribution: Attribution, answer: Answer) -> Iterator[str]:
    """Broken rules of an attribution of this answer: what must sum does, what is named exists."""
    if attribution.answer_id != answer.id:
        yield f"it attributes {attribution.answer_id}"
    yield from _sum_problems(attribution)
    by_statement = _sums((p.statement_id, p.share_ppb) for p in attribution.pairs)
    if by_statement != _sums((c.statement_id, c.share_ppb) for c in attribution.citations):
        yield "the citations of a statement do not sum to its pairs"
    shown = _sums((c.position, by_statement[c.statement_id]) for c in answer.context)
    if shown != _sums((s.position, s.share_ppb) for s in attribution.signals):
        yield "the signals do not show each context statement with the sum of its pairs"
    if not by_statement.keys() <= {c.statement_id for c in answer.context if c.included}:
        yield "a credited statement was not in the context"
    segments = {segment.position for segment in answer.segments}
    named = {c.segment for c in attribution.citations} | {s.segment for s in attribution.supports}
    if not named <= segments:
        yield f"there are no segments {sorted(named - segments)}"


def _sum_problems(attribution: Attribution) -> Iterator[str]:
    pairs, rest = attribution.pairs, attribution.unattributed
    total = sum(pair.share_ppb for pair in pairs) + rest.total
    if total != WHOLE_PPB:
        yield f"shares and unattributed sum to {total}, not to 10^9"
    if any(cause < 0 for cause in vars(rest).values()):
        yield "a cause of the unattributed part is negative"
    if any(not 0 <= p.low_ppb <= p.share_ppb <= p.high_ppb <= WHOLE_PPB for p in pairs):
        yield "a share lies outside its interval"
    if any(citation.share_ppb < 0 for citation in attribution.citations):
        yield "a citation is negative"
    if _repeated((p.statement_id, p.author_id) for p in pairs):
        yield "a pair of statement and author appears twice"
    if _repeated((c.segment, c.statement_id) for c in attribution.citations):
        yield "a citation appears twice"
    if _repeated(s.position for s in attribution.signals):
        yield "a context statement has two signals"
    if any(not s.statement_ids or _repeated(s.statement_ids) for s in attribution.supports):
        yield "a support set is empty or names a statement twice"


def _context_problems(answer: Answer) -> Iterator[str]:
    context, prompt_length = answer.context, len(answer.prompt_ids)
    if [c.position for c in context] != list(range(len(context))):
        yield "context positions do not count up from 0"
    if _repeated(c.statement_id for c in context):
        yield "a statement is in the context twice"
    if any(c.included != _spans(c.token_start, c.token_end, prompt_length) for c in context):
        yield "an included statement has no tokens in the prompt, or one left out has some"
    if not 0 <= answer.tail_start <= prompt_length:
        yield f"the tail starts at {answer.tail_start} in a prompt of {prompt_length} tokens"


def _segment_problems(answer: Answer) -> Iterator[str]:
    segments, end, token_count = answer.segments, 0, len(answer.answer_ids)
    if [s.position for s in segments] != list(range(len(segments))):
        yield "segment positions do not count up from 0"
    for s in segments:
        if not end <= s.start < s.end <= len(answer.text):
            yield f"segment {s.position} overlaps another or leaves the text"
        if not 0 <= s.token_start <= s.token_end <= token_count:
            yield f"the tokens of segment {s.position} leave the answer"
        end = s.end
    weights = [s.weight_ppb for s in segments]
    if min(weights, default=0) < 0:
        yield "a segment weight is negative"
    if answer.state == "answered" and sum(weights) != WHOLE_PPB:
        yield f"segment weights sum to {sum(weights)}, not to 10^9"


def _spans(start: int | None, end: int | None, length: int) -> bool:
    return start is not None and end is not None and 0 <= start < end <= length


def _sums(parts: Iterable[tuple[int, int]]) -> Counter[int]:
    """A sum of 0 is equal to none."""
    sums: dict[int, int] = {}
    for key, part in parts:
        sums[key] = sums.get(key, 0) + part
    return Counter(sums)


def _repeated(keys: Iterable[object]) -> bool:
    found = tuple(keys)
    return len(set(found)) < len(found)
