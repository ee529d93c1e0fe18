"""Opening and closing disputes over the books, each in one transaction."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from haozhi.accounting.acting import act
from haozhi.accounting.entitled import divide, entitled_lines
from haozhi.accounting.holdings import holdings_of
from haozhi.accounting.policy import Policy
from haozhi.policies import policy_of
from store import disputes, ledger, rights
from store.answers import get_answer, get_attribution
from store.clock import now_us
from store.disputes import Dispute
from store.engine import Engine, Session, write
from store.erasures import erased_among
from store.errors import BadInput
from store.people import author_names, get_author
from store.records.ledger import Transfer
from store.records.rights import Holdings
from store.unresolved import unresolved_among


@dataclass(frozen=True)
class Payee:
    """Who got the money of a dispute: `author_id` None: no author; `name` None: erased."""

    holder_id: str
    author_id: str | None
    name: str | None


def open_dispute(
    engine: Engine,
    entry_key: str,
    line: int,
    *,
    by: str,
    claimant: str | None,
    ground: str,
    keep_back: bool,
) -> Dispute:
    """Open a dispute about a line; `claimant` is an author (id or name) who says it is theirs.

    NotFound, Ambiguous: no such entry, line or author. BadInput: as `store.disputes`, or the line
    pays the claimant already.
    """
    with write(engine) as s:
        author = None if claimant is None else get_author(s, claimant)
        opened = disputes.open_dispute(
            s,
            entry_key,
            line,
            by=by,
            claimant_id=author.id if author else None,
            ground=ground,
            now_us=now_us(),
            keep_back=keep_back,
        )
        paid = ledger.get_entry(s, entry_key).transfers[line].credit
        if author and paid == f"holder:{author.holder_id}":
            raise BadInput(
                f"line {line} of {entry_key} pays {author.name or author.id} already:"
                " the claimant is somebody else, or leave --claimant out"
            )
        return opened


def close_dispute(
    engine: Engine, dispute_id: str, *, winner: str | None, by: str, note: str
) -> Dispute:
    """Close a dispute: the money goes on to a holder or author (id or name), or back for None.

    NotFound, Ambiguous: no such dispute or holder. BadInput: as `store.disputes`.
    """
    with write(engine) as s:
        return disputes.close_dispute(
            s,
            dispute_id,
            holder_id=None if winner is None else rights.get_holder(s, winner).id,
            by=by,
            note=note,
            now_us=now_us(),
            undisputed=lambda kept: _undisputed(s, kept),
        )


def payees(s: Session, found: Iterable[Dispute]) -> dict[str, Payee]:
    """Who was paid when these disputes were closed, by holder id."""
    ids = {each.closing.holder_id for each in found if each.closing and each.closing.holder_id}
    holders = rights.get_holders(s, ids)
    names = author_names(s, {each.author_id for each in holders.values() if each.author_id})
    return {
        i: Payee(i, each.author_id, each.label or names.get(each.author_id or ""))
        for i, each in holders.items()
    }


def undisputed_lines(kept: Transfer, holdings: Holdings, policy: Policy) -> Iterator[Transfer]:
    """The lines of those who would have been paid for a kept-back line, divided to the last unit.

    Pure. What policy did to the line when it was posted is not done again: it never is what was
    paid before, and it is what was left at the rate of common knowledge.
    """
    clear = replace(
        holdings,
        disputed=holdings.disputed - {kept.statement_id or 0},
        repeated=frozenset(),
        common=frozenset(),
    )
    blank = replace(kept, amount_micro=0, share_ppb=None)
    return act(divide(kept, entitled_lines(blank, clear)), clear, policy)


def _undisputed(s: Session, kept: Transfer) -> Iterator[Transfer]:
    """By the holdings and the policy of the answer, and who is erased or unresolved today."""
    answer = get_answer(s, kept.answer_id or "")
    holdings = holdings_of(get_attribution(s, answer.id))
    erased = holdings.erased | erased_among(s, holdings.holders)
    unresolved = unresolved_among(s, holdings.holders)
    policy = policy_of(s, answer.policy_version)
    today = replace(holdings, erased=erased, unresolved=unresolved)
    return undisputed_lines(kept, today, policy)
