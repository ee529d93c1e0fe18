"""What policy does to a line once the fee is divided: it moves that line's money, nobody else's."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from haozhi.accounting.entitled import DISPUTED, EARNED, UNCLAIMED, divide, verified_lines
from haozhi.accounting.policy import PPM, Policy
from store.records.ledger import Transfer
from store.records.rights import Holdings


def act(lines: Iterable[Transfer], holdings: Holdings, policy: Policy) -> Iterator[Transfer]:
    """The lines as they are posted, in the order given; the parts of a line sum to the line.

    Lines of one statement stand together. With `split-verified` they are first divided over the
    verified entitlements to the statement's cluster.
    """
    if policy.cluster_rule == "split-verified":
        lines = _over_verified(lines, holdings)
    own = _accounts(holdings.own, holdings)
    held = dict.fromkeys(_accounts(holdings.unresolved, holdings), "unresolved")
    held |= dict.fromkeys(_accounts(holdings.erased, holdings), "erased")
    for line in lines:
        if line.statement_id is None:
            yield line
        elif policy.own_statements == "unattributed" and _is_own(line, holdings.own, own):
            yield replace(line, credit=policy.unattributed, reason="own")
        elif line.statement_id in holdings.repeated:
            yield replace(line, credit=policy.unattributed, reason="repeated")
        elif line.statement_id in holdings.copied:
            yield replace(line, credit=policy.unattributed, reason="copied")
        else:
            is_unsure = line.statement_id in holdings.unsure and line.reason in EARNED
            reason = held.get(line.credit) or ("unsure" if is_unsure else None)
            paid = replace(line, credit=UNCLAIMED, reason=reason) if reason else line
            yield from _at_common_rate(paid, holdings, policy)


def _over_verified(lines: Iterable[Transfer], holdings: Holdings) -> Iterator[Transfer]:
    """What a statement earned, in equal parts over the verified; as it was where there are none."""
    for statement_id, group in groupby(lines, key=lambda line: line.statement_id):
        earned = tuple(group)
        verified = holdings.verified.get(statement_id or 0, ())
        if not verified or earned[0].credit == DISPUTED:
            yield from earned
            continue
        total = replace(
            earned[0],
            amount_micro=sum(line.amount_micro for line in earned),
            share_ppb=sum(line.share_ppb or 0 for line in earned),
        )
        blank = replace(total, amount_micro=0, share_ppb=None)
        yield from divide(total, verified_lines(blank, verified, holdings))


def _at_common_rate(line: Transfer, holdings: Holdings, policy: Policy) -> Iterator[Transfer]:
    """Common knowledge is paid at its rate, the rest is nobody's."""
    if line.statement_id not in holdings.common or policy.common_ppm == PPM:
        yield line
        return
    rest = replace(line, credit=policy.unattributed, reason="common_knowledge")
    yield from divide(line, {line: policy.common_ppm, rest: PPM - policy.common_ppm})


def _is_own(line: Transfer, own: Collection[str], accounts: Collection[str]) -> bool:
    """Whether the asker is linked to who said it or to who would be paid for it."""
    return line.reason in EARNED and (line.author_id in own or line.credit in accounts)


def _accounts(authors: Collection[str], holdings: Holdings) -> frozenset[str]:
    """The accounts of these authors themselves."""
    return frozenset(f"holder:{holdings.holders[a]}" for a in authors if a in holdings.holders)
