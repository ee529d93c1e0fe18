"""From shares to transfers: who is paid what for an answer."""

from collections.abc import Iterator

from haozhi.accounting.acting import act
from haozhi.accounting.entitled import divide, entitled_lines, key_of
from haozhi.accounting.policy import PPM, Policy
from haozhi.accounting.split import split
from store.records.answers import Answer, Attribution
from store.records.ledger import Transfer
from store.records.making import changed
from store.records.rights import Holdings

PLATFORM = "platform:share"


def transfers_for(
    answer: Answer, attribution: Attribution, holdings: Holdings, policy: Policy
) -> tuple[Transfer, ...]:
    """The transfers that pay an answer's fee, in a fixed order; their amounts sum to the fee.

    The platform's part comes first, rounded down. The rest of the fee is divided in one flat
    largest-remainder step over (statement, author, account) lines and unattributed causes, weighted
    by their integer parts per billion, so that each amount is within one micro-credit of
    rest * share_ppb / 10^9. Then policy acts on each line for itself. Lines that come to nothing
    are no transfers. A refused answer, a `who` answer and a fee of 0 pay nothing.

    ValueError: grants of more than the whole, or an author without a holder.
    """
    if answer.state == "refused" or answer.kind == "who" or answer.fee_micro == 0:
        return ()
    blank = Transfer(f"asker:{answer.asker_id}", PLATFORM, 0, "platform", answer.id)
    platform_micro = answer.fee_micro * policy.platform_ppm // PPM
    lines = (
        *_pair_lines(blank, attribution, holdings),
        *_cause_lines(blank, attribution, policy),
    )
    weights = [(key_of(line), line.share_ppb or 0) for line in lines]
    amounts = split(answer.fee_micro - platform_micro, weights, answer.id)
    earned = [changed(line, amount_micro=amounts[key_of(line)]) for line in lines]
    posted = (changed(blank, amount_micro=platform_micro), *act(earned, holdings, policy))
    return tuple(line for line in posted if line.amount_micro)


def _pair_lines(
    blank: Transfer, attribution: Attribution, holdings: Holdings
) -> Iterator[Transfer]:
    """The lines of all pairs by statement and author; a pair's lines sum to its share."""
    for pair in sorted(attribution.pairs, key=lambda p: (p.statement_id, p.author_id or "")):
        statement_id, author_id, share_ppb = pair.statement_id, pair.author_id, pair.share_ppb
        line = changed(blank, statement_id=statement_id, author_id=author_id, share_ppb=share_ppb)
        yield from divide(line, entitled_lines(line, holdings))


def _cause_lines(blank: Transfer, attribution: Attribution, policy: Policy) -> Iterator[Transfer]:
    """One line per cause of what nobody is owed; the cause is the reason."""
    for cause, share_ppb in vars(attribution.unattributed).items():
        if share_ppb:
            yield changed(blank, credit=policy.unattributed, reason=cause, share_ppb=share_ppb)
