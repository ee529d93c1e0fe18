"""Accounting over the store: settle an answer, check the books."""

from dataclasses import replace
from functools import cache

from haozhi.accounting.holdings import holdings_of, with_holdings
from haozhi.accounting.policy import Policy
from haozhi.accounting.posting import transfers_for
from haozhi.payouts.checking import payout_amount_differences
from haozhi.policies import policy_of
from haozhi.proofs.checking import checkpoint_differences, signed_report_differences
from store import answers, checking, ledger, rights
from store.checking import Derived
from store.engine import Session
from store.records.answers import Answer, Attribution
from store.records.ledger import Difference, Entry
from store.repeats import repeated_statements


def post_final(
    s: Session, answer: Answer, attribution: Attribution, *, now_us: int
) -> Entry | None:
    """T2: make this attribution of a stored answer final and post its fee, in one transaction.

    The attribution's version and tier are set here. Returns the entry, None for a free answer.
    An answer that is final already stays as it is, and its entry is returned.
    ValueError: the attribution breaks a rule of `store.validation`, or cannot be posted.
    """
    if answers.find_attribution(s, answer.id, tier="final"):
        return ledger.find_entry(s, ledger.distribution_key(answer.id))
    latest = answers.find_attribution(s, answer.id)
    occurrences = {
        c.statement_id: c.occurrence_id for c in answer.context if c.occurrence_id is not None
    }
    policy = policy_of(s, answer.policy_version)
    holdings = replace(
        rights.holdings_of(
            s,
            occurrences,
            answer.created_us,
            asker_id=answer.asker_id,
            common_authors=policy.common_authors,
        ),
        repeated=repeated_statements(s, answer, policy.window_s),
    )
    version = latest.version + 1 if latest else 1
    final = with_holdings(replace(attribution, version=version, tier="final"), holdings)
    answers.add_attribution(s, final)
    transfers = transfers_for(answer, final, holdings, policy)
    if not transfers:
        return None
    key = ledger.distribution_key(answer.id)
    return ledger.post(s, key, transfers, policy_version=policy.version, now_us=now_us)


def check_ledger(s: Session) -> tuple[Difference, ...]:
    """Every difference between the ledger and what its own rows call for; empty when whole."""

    @cache
    def policy(version: int) -> Policy:
        return policy_of(s, version)

    def derive(answer: Answer, attribution: Attribution) -> Derived:
        holdings, rules = holdings_of(attribution), policy(answer.policy_version)
        return Derived(holdings, transfers_for(answer, attribution, holdings, rules))

    others = (payout_amount_differences, checkpoint_differences, signed_report_differences)
    return checking.check(s, derive, *others)
