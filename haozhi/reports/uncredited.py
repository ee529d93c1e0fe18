"""What of an author's was retrieved without being credited, and why.

- `did_not_fit`: the window was full before it.
- `not_supporting`: it backs nothing that the answer says.
- `already_known`: it backs the answer, which the model would have given without it.
- `below_noise`: its share is under the policy's noise floor, or not worth one micro-credit.
- `own`, `repeated`, `copied`, `common_knowledge`: the policy gave its part to nobody.
- `duplicate_of`: another author's statement, which says the same, stood for it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from haozhi.reports.lines import text_cell
from store.engine import Session
from store.ledger import open_period
from store.people import get_author
from store.uncredited import Retrieved, copied_uncredited, retrieved_uncredited

REASONS = (
    *("did_not_fit", "not_supporting", "already_known", "below_noise"),
    *("own", "repeated", "copied", "common_knowledge", "duplicate_of"),
)


@dataclass(frozen=True)
class Uncredited:
    """A statement of the author that an answer had and did not credit to the author.

    `duplicate_of` is the statement that stood for it, None for every other reason.
    """

    answer_id: str
    statement_id: int
    reason: str
    duplicate_of: int | None = None


def uncredited(s: Session, author: str, period_id: int) -> Iterator[Uncredited]:
    """What of an author's (id or name) a period's answers had without crediting it.

    First the author's own statements, then those that others stood for, each by time of the answer.
    NotFound: no such author or period. Ambiguous: several authors have the name.
    """
    author_id = get_author(s, author).id
    for found in retrieved_uncredited(s, author_id, period_id):
        yield Uncredited(found.answer_id, found.statement_id, reason_of(found))
    for copied in copied_uncredited(s, author_id, period_id):
        yield Uncredited(copied.answer_id, copied.statement_id, "duplicate_of", copied.instead_of)


def count_uncredited(s: Session, author: str, period_id: int | None = None) -> dict[str, int]:
    """How often each reason occurred in a period, by default the open one; as `uncredited`."""
    period_id = open_period(s).id if period_id is None else period_id
    counts = Counter(found.reason for found in uncredited(s, author, period_id))
    return {reason: counts[reason] for reason in REASONS}


def reason_of(found: Retrieved) -> str:
    """Why a retrieved statement was not credited."""
    if not found.included:
        return "did_not_fit"
    if found.refused:
        return found.refused
    if found.has_share:
        return "below_noise"
    if not found.support:
        return "not_supporting"
    if found.below_noise_ppb:
        return "below_noise"
    return "already_known" if found.already_known_ppb else "not_supporting"


def uncredited_csv(found: Iterable[Uncredited]) -> Iterator[bytes]:
    """A CSV file in pieces: UTF-8 with a byte order mark and a header."""
    yield "\ufeffanswer_id,statement_id,reason,duplicate_of\r\n".encode()
    for each in found:
        instead = "" if each.duplicate_of is None else each.duplicate_of
        answer = text_cell(each.answer_id)
        yield f"{answer},{each.statement_id},{each.reason},{instead}\r\n".encode()
