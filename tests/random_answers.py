"""Random answers with all that policy can act on, the same for the same seed."""

from dataclasses import dataclass, replace
from random import Random

from haozhi.accounting.policy import Policy
from haozhi.accounting.split import to_ppb
from store.records.answers import Answer, Attribution, Unattributed
from store.records.corpus import AuthorShare
from store.records.rights import Entitlement, Holdings
from tests.books import POLICY, an_answer, an_attribution

AUTHORS = ("a", "b", "c", "d")
#: The holders of the authors, and two that are no authors.
HOLDERS = {author: f"h{author}" for author in AUTHORS}
OTHERS = ("press", "estate")
STATEMENTS = (1, 2, 3)
PPM = 1_000_000


@dataclass(frozen=True)
class Drawn:
    """An answer, whose statements it rests on, who holds them, and the policy that acts."""

    answer: Answer
    attribution: Attribution
    holdings: Holdings
    policy: Policy


def draw(random: Random, number: int) -> Drawn:
    """Random shares of up to four authors and of nobody in three statements, random rules."""
    answer = an_answer(
        id=f"answer-{number}", fee_micro=random.randrange(1, 10 ** random.randint(1, 7))
    )
    authors = (*AUTHORS, None)
    pairs = [(i, a) for i in STATEMENTS for a in authors if random.random() < 0.35]
    weights = {str(n): random.random() for n in range(len(pairs))}
    ppb = to_ppb(weights | {"rest": random.random()}, salt=answer.id)
    attribution = an_attribution(
        {pair: ppb[str(n)] for n, pair in enumerate(pairs)},
        answer,
        unattributed=Unattributed(disagree=ppb["rest"]),
    )
    return Drawn(answer, attribution, _holdings(random), _policy(random))


def _policy(random: Random) -> Policy:
    return replace(
        POLICY,
        platform_ppm=random.choice((0, 70_001, random.randint(0, PPM))),
        common_ppm=random.choice((PPM, 0, random.randint(0, PPM))),
        cluster_rule=random.choice(("first", "split-verified")),
    )


def _holdings(random: Random) -> Holdings:
    def some_statements() -> frozenset[int]:
        return frozenset(i for i in STATEMENTS if random.random() < 0.15)

    def some_authors() -> frozenset[str]:
        return frozenset(a for a in AUTHORS if random.random() < 0.15)

    return Holdings(
        holders=HOLDERS,
        grants={i: _grants(random) for i in STATEMENTS if random.random() < 0.3},
        disputed=some_statements(),
        own=some_authors(),
        repeated=some_statements(),
        common=some_statements(),
        erased=some_authors(),
        verified={i: _entitlements(random) for i in STATEMENTS if random.random() < 0.5},
    )


def _grants(random: Random) -> tuple[tuple[str, int], ...]:
    holders = random.sample((*OTHERS, "ha"), random.randint(1, 3))
    return tuple((holder, random.randint(1, 333_333)) for holder in sorted(holders))


def _entitlements(random: Random) -> tuple[Entitlement, ...]:
    return tuple(_entitlement(random) for _ in range(random.randint(0, 3)))


def _entitlement(random: Random) -> Entitlement:
    first, second = random.sample(AUTHORS, 2)
    ppm = random.randint(1, PPM - 1)
    authors = random.choice(
        ((), (AuthorShare(first, PPM),), (AuthorShare(first, ppm), AuthorShare(second, PPM - ppm)))
    )
    return Entitlement(authors, _grants(random) if random.random() < 0.3 else ())
