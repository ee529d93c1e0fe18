"""The holdings that a posting used, kept with the attribution so that it can be re-derived.

Disputes open and grants end later; what was true when the money moved must stay readable.
"""

from dataclasses import replace
from typing import Any

from store.records import Attribution, Holdings

_KEY = "holdings"


def with_holdings(attribution: Attribution, holdings: Holdings) -> Attribution:
    """The attribution with the holdings in its detail."""
    body: dict[str, Any] = {
        "holders": dict(sorted(holdings.holders.items())),
        "grants": {
            str(i): [list(grant) for grant in g] for i, g in sorted(holdings.grants.items())
        },
        "disputed": sorted(holdings.disputed),
    }
    return replace(attribution, detail=attribution.detail | {_KEY: body})


def holdings_of(attribution: Attribution) -> Holdings:
    """The holdings that were kept. ValueError: there are none, or they cannot be read."""
    try:
        body = attribution.detail[_KEY]
        return Holdings(
            holders={str(author): str(holder) for author, holder in body["holders"].items()},
            grants={
                int(statement): tuple((str(holder), int(ppm)) for holder, ppm in grants)
                for statement, grants in body["grants"].items()
            },
            disputed=frozenset(int(statement) for statement in body["disputed"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"the holdings of {attribution.answer_id} cannot be read") from error
