"""From shares to transfers: who is paid what for an answer."""

from collections.abc import Iterator
from dataclasses import replace

from haozhi.accounting.policy import PPM, Policy
from haozhi.accounting.split import split
from store.records import Answer, Attribution, Holdings, Pair, Transfer

UNCLAIMED = "reserve:unclaimed"
DISPUTED = "reserve:disputed"


def transfers_for(
    answer: Answer, attribution: Attribution, holdings: Holdings, policy: Policy
) -> tuple[Transfer, ...]:
    """The transfers that pay an answer's fee, in a fixed order; their amounts sum to the fee.

    One flat largest-remainder step over (statement, author, account) lines and unattributed
    causes, weighted by their integer parts per billion, so that each amount is within one
    micro-credit of fee * share_ppb / 10^9. Lines that come to nothing are no transfers. A
    refused answer, a `who` answer and a fee of 0 pay nothing.

    ValueError: grants of more than the whole, or a pair whose author has no holder.
    """
    if answer.state == "refused" or answer.kind == "who" or answer.fee_micro == 0:
        return ()
    lines = (
        *_pair_lines(answer, attribution, holdings),
        *_cause_lines(answer, attribution, policy),
    )
    weights = [(_key(line), line.share_ppb or 0) for line in lines]
    amounts = split(answer.fee_micro, weights, answer.id)
    paid = (replace(line, amount_micro=amounts[_key(line)]) for line in lines)
    return tuple(line for line in paid if line.amount_micro)


def _pair_lines(answer: Answer, attribution: Attribution, holdings: Holdings) -> Iterator[Transfer]:
    """The lines of all pairs by statement and author; a pair's lines sum to its share."""
    for pair in sorted(attribution.pairs, key=lambda p: (p.statement_id, p.author_id or "")):
        lines = {
            Transfer(
                debit=f"asker:{answer.asker_id}",
                credit=account,
                amount_micro=0,
                reason=reason,
                answer_id=answer.id,
                statement_id=pair.statement_id,
                author_id=pair.author_id,
            ): ppm
            for account, reason, ppm in _claims(pair, holdings)
        }
        weights = [(_key(line), ppm) for line, ppm in lines.items()]
        shares = split(pair.share_ppb, weights, answer.id)
        yield from (replace(line, share_ppb=shares[_key(line)]) for line in lines)


def _claims(pair: Pair, holdings: Holdings) -> tuple[tuple[str, str, int], ...]:
    """Who is paid for a pair, as (account, reason, ppm) with ppm that sum to 1,000,000."""
    if pair.statement_id in holdings.disputed:
        return ((DISPUTED, "disputed", PPM),)
    grants = sorted(holdings.grants.get(pair.statement_id, ()))
    rest = PPM - sum(ppm for _, ppm in grants)
    if rest < 0:
        raise ValueError(f"the grants for statement {pair.statement_id} exceed the whole")
    claims = tuple((f"holder:{holder}", "grant", ppm) for holder, ppm in grants)
    return (*claims, (*_own_account(pair, holdings), rest)) if rest else claims


def _own_account(pair: Pair, holdings: Holdings) -> tuple[str, str]:
    """The account and reason of what no grant takes: the author's own, or nobody's yet."""
    if pair.author_id is None:
        return UNCLAIMED, "unclaimed"
    if pair.author_id not in holdings.holders:
        raise ValueError(f"author {pair.author_id} has no rights holder")
    return f"holder:{holdings.holders[pair.author_id]}", "share"


def _cause_lines(answer: Answer, attribution: Attribution, policy: Policy) -> Iterator[Transfer]:
    """One line per cause of what nobody is owed; the cause is the reason."""
    for cause, share_ppb in vars(attribution.unattributed).items():
        yield Transfer(
            debit=f"asker:{answer.asker_id}",
            credit=policy.unattributed,
            amount_micro=0,
            reason=cause,
            answer_id=answer.id,
            share_ppb=share_ppb,
        )


def _key(line: Transfer) -> str:
    """What a line is called in the split; the same line has the same key for ever."""
    return f"{line.statement_id or ''}|{line.author_id or ''}|{line.credit}|{line.reason}"
