"""What copies by others move: nothing under the cluster rule `first`, nothing together else."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from haozhi.accounting.acting import act
from haozhi.accounting.policy import Policy
from haozhi.accounting.split import WHOLE_PPB
from haozhi.evaluation.made import MadeCase, Saying
from store.records.corpus import AuthorShare
from store.records.ledger import Transfer
from store.records.rights import Entitlement, Holdings

Shares = Mapping[str, float]
"""Parts of the fee, 0..1, by author."""

Payer = Callable[[MadeCase, int], Shares]
"""What is paid for a case; the number is the seed of a random order, 0: as it is retrieved."""

STRANGER = "stranger"
_FEE_MICRO = 1_000_000
_SPLIT = Policy(1, "used-and-supported/1", 500_000, 0, "reserve:unattributed", "split-verified")


def copy_paid(pays: Payer, made: MadeCase) -> Iterator[float]:
    """What the author of one copy is paid."""
    yield _to_strangers(pays(with_more(made, *_copies(made)[:1]), 0))


def copy_moves(pays: Payer, made: MadeCase) -> Iterator[float]:
    """What one copy takes from those who are owed."""
    yield moved_most(pays(made, 0), pays(with_more(made, *_copies(made)[:1]), 0), made)


def clones_paid(pays: Payer, made: MadeCase) -> Iterator[float]:
    """What the authors of three copies are paid together."""
    yield _to_strangers(pays(with_more(made, *_copies(made)), 0))


def clones_move(pays: Payer, made: MadeCase) -> Iterator[float]:
    """What three copies take from those who are owed."""
    yield moved_most(pays(made, 0), pays(with_more(made, *_copies(made)), 0), made)


def clones_share(pays: Payer, made: MadeCase) -> Iterator[float]:
    """How far the original and its copies together move when all have verified dates."""
    copies = _copies(made)
    original = made.sayings[_copied(made)].author
    authors = [original, *(copy.author for copy in copies)]
    before, after = pays(made, 0), pays(with_more(made, *copies), 0)
    line = Transfer(
        debit="asker:fairness",
        credit=f"holder:{original}",
        amount_micro=round(after.get(original, 0.0) * _FEE_MICRO),
        reason="share",
        answer_id=made.id,
        statement_id=1,
        author_id=original,
        share_ppb=round(after.get(original, 0.0) * WHOLE_PPB),
    )
    verified = tuple(Entitlement((AuthorShare(author, 1_000_000),)) for author in authors)
    holders = {author: author for author in authors}
    holdings = Holdings(holders, {}, frozenset(), verified={1: verified})
    paid = sum(each.amount_micro for each in act([line], holdings, _SPLIT)) / _FEE_MICRO
    yield abs(paid - before.get(original, 0.0))


def moved_most(before: Shares, after: Shares, made: MadeCase) -> float:
    """The most that the part of one who is owed has changed by."""
    return max(abs(after.get(each, 0.0) - before.get(each, 0.0)) for each in made.owed)


def with_more(made: MadeCase, *more: Saying) -> MadeCase:
    """The case with statements that came later."""
    return replace(made, sayings=(*made.sayings, *more))


def _to_strangers(paid: Shares) -> float:
    return sum(part for author, part in paid.items() if author.startswith(STRANGER))


def _copied(made: MadeCase) -> int:
    return min(made.proofs[0])


def _copies(made: MadeCase) -> list[Saying]:
    """Copies of a supporting statement, each by another author and written a little differently."""
    text = made.sayings[_copied(made)].text
    bare = text.rstrip(".。")
    forms = (f"“{bare}”", f"{bare}…", f" {text}")
    return [Saying(form, f"{STRANGER} {number}") for number, form in enumerate(forms)]
