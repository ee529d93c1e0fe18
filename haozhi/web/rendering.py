"""Pages from templates, everything in them escaped, in the language that the reader chose."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from haozhi.credits import credits_text, short_credits
from haozhi.language import Language
from haozhi.times import utc_text

LANGUAGES: tuple[Language, ...] = ("zh", "en")
COOKIE = "lang"
_YEAR_S = 365 * 24 * 60 * 60


def page(
    request: Request,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """The template filled with the values; `?lang=` chooses a language and keeps the choice."""
    language = language_of(request)
    other: Language = "en" if language == "zh" else "zh"
    switched = request.url.include_query_params(lang=other)
    html = (
        _environment()
        .get_template(template)
        .render(
            values,
            lang=language,
            other_lang=other,
            say=words(language),
            switch=f"?{switched.query}",
        )
    )
    response = HTMLResponse(html.encode("utf-8", "replace"), status, headers)
    if request.query_params.get(COOKIE) == language:
        response.set_cookie(COOKIE, language, max_age=_YEAR_S, httponly=True, samesite="lax")
    return response


def language_of(request: Request) -> Language:
    """What the address says, else the cookie, else what the browser prefers, else English."""
    for chosen in (request.query_params.get(COOKIE), request.cookies.get(COOKIE)):
        for language in LANGUAGES:
            if chosen == language:
                return language
    return _preferred(request.headers.get("accept-language", ""))


def _preferred(header: str) -> Language:
    """The first of our languages in an Accept-Language header, by its weights (RFC 9110)."""
    weights: dict[Language, float] = {}
    for part in header.split(","):
        tag, _, weight = part.partition(";")
        for language in LANGUAGES:
            if tag.strip().lower().partition("-")[0] == language:
                weights.setdefault(language, _weight(weight))
    return max(weights, key=lambda each: weights[each], default="en")


def _weight(text: str) -> float:
    try:
        return float(text.strip().removeprefix("q=") or 1)
    except ValueError:
        return 0.0


@cache
def words(language: Language) -> dict[str, Any]:
    """The words of the pages in one language; tables are dicts."""
    chosen: dict[str, Any] = tomllib.loads(
        files(__package__).joinpath("words.toml").read_text("utf-8")
    )[language]
    return chosen


def percent(share_ppb: int) -> str:
    """A share in parts per billion as text, `33.33 %`."""
    return f"{share_ppb / 10**7:.2f} %"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("haozhi.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    environment.filters["credits"] = short_credits
    environment.filters["exact"] = credits_text
    environment.filters["utc"] = lambda ms: utc_text(ms * 1000)
    return environment
