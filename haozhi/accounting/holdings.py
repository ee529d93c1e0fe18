"""The holdings that a posting used, kept with the attribution so that it can be re-derived.

Disputes open and grants end later; what was true when the money moved must stay readable.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from store.records.answers import Attribution
from store.records.corpus import AuthorShare
from store.records.rights import Entitlement, Holdings

_KEY = "holdings"


def with_holdings(attribution: Attribution, holdings: Holdings) -> Attribution:
    """The attribution with the holdings in its detail."""
    body: dict[str, Any] = {
        "holders": dict(sorted(holdings.holders.items())),
        "grants": {str(i): _grants_body(g) for i, g in sorted(holdings.grants.items())},
        "disputed": sorted(holdings.disputed),
        "own": sorted(holdings.own),
        "repeated": sorted(holdings.repeated),
        "copied": sorted(holdings.copied),
        "unsure": sorted(holdings.unsure),
        "common": sorted(holdings.common),
        "erased": sorted(holdings.erased),
        "unresolved": sorted(holdings.unresolved),
        "verified": {
            str(i): [_entitlement_body(each) for each in verified]
            for i, verified in sorted(holdings.verified.items())
        },
    }
    return replace(attribution, detail=attribution.detail | {_KEY: body})


def holdings_of(attribution: Attribution) -> Holdings:
    """The holdings that were kept; what older ones lack was true of nothing then.

    ValueError: there are none, or they cannot be read.
    """
    try:
        body = attribution.detail[_KEY]
        return Holdings(
            holders={str(author): str(holder) for author, holder in body["holders"].items()},
            grants={int(i): _grants(grants) for i, grants in body["grants"].items()},
            disputed=_statements(body["disputed"]),
            own=_authors(body.get("own", ())),
            repeated=_statements(body.get("repeated", ())),
            copied=_statements(body.get("copied", ())),
            unsure=_statements(body.get("unsure", ())),
            common=_statements(body.get("common", ())),
            erased=_authors(body.get("erased", ())),
            unresolved=_authors(body.get("unresolved", ())),
            verified={
                int(i): tuple(map(_entitlement, verified))
                for i, verified in body.get("verified", {}).items()
            },
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"the holdings of {attribution.answer_id} cannot be read") from error


def _entitlement_body(entitlement: Entitlement) -> dict[str, Any]:
    authors = [[share.author_id, share.ppm] for share in entitlement.authors]
    return {"authors": authors, "grants": _grants_body(entitlement.grants)}


def _entitlement(body: Mapping[str, Any]) -> Entitlement:
    authors = tuple(AuthorShare(str(author), int(ppm)) for author, ppm in body["authors"])
    return Entitlement(authors, _grants(body["grants"]))


def _grants_body(grants: Iterable[tuple[str, int]]) -> list[list[Any]]:
    return [list(grant) for grant in grants]


def _grants(body: Iterable[tuple[Any, Any]]) -> tuple[tuple[str, int], ...]:
    return tuple((str(holder), int(ppm)) for holder, ppm in body)


def _statements(body: Iterable[Any]) -> frozenset[int]:
    return frozenset(int(statement) for statement in body)


def _authors(body: Iterable[Any]) -> frozenset[str]:
    return frozenset(str(author) for author in body)
