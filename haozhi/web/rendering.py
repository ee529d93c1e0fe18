"""Pages from templates, everything in them escaped."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined


def page(
    template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """The template filled with the values."""
    html = _environment().get_template(template).render(values)
    return HTMLResponse(html.encode("utf-8", "replace"), status, headers)


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
    return environment
