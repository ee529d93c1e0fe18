"""Licences as SPDX expressions, and the terms of a grant: a licence or the address of RSL terms."""

import re
from urllib.parse import urlsplit

from store.errors import BadInput
from store.text import check_text

MOST_CHARACTERS = 2_000
_CUSTOM = re.compile(r"(DocumentRef-[A-Za-z0-9.-]+:)?LicenseRef-[A-Za-z0-9.-]+")


def check_terms(terms: str) -> str:
    """The terms as they are stored: an address as given, an expression in its usual spelling.

    BadInput: neither an https address nor an SPDX expression of known or `LicenseRef-` licences.
    """
    text = check_text(terms).strip()
    return _address(text) if "://" in text else check_licence(text, "terms")


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        whole = parts.scheme == "https" and parts.hostname and not parts.username
    except ValueError:
        whole = False
    if not whole or not text.isprintable() or " " in text or len(text) > MOST_CHARACTERS:
        raise BadInput(f"terms {text[:200]!r} are no https address without a name in it")
    return text


def check_licence(text: str, what: str = "licence") -> str:
    """An SPDX expression in its usual spelling.

    BadInput: it is none, or has licences that are neither known nor called `LicenseRef-…`. The
    message says what it was to be, `what`.
    """
    # Imported here: the list of licences is read at import.
    from license_expression import get_spdx_licensing

    text = check_text(text).strip()
    if len(text) > MOST_CHARACTERS:
        raise BadInput(f"{what} {text[:40]!r}… has more than {MOST_CHARACTERS} characters")
    licences = get_spdx_licensing()
    try:
        parsed = licences.parse(text, strict=True)
        unknown = [] if parsed is None else licences.unknown_license_keys(parsed)
    except Exception as error:  # noqa: BLE001 - of many kinds there: `()` is an IndexError
        raise BadInput(f"{what} {text!r}: no SPDX expression: {error}") from None
    if parsed is None:
        raise BadInput(f"{what}: nothing is there: leave it out if there is none")
    for key in unknown:
        if not _CUSTOM.fullmatch(key):
            instead = ", or the https address of RSL terms" if what == "terms" else ""
            raise BadInput(
                f"{what} {text!r}: {key!r} is no SPDX licence; use one, or LicenseRef-NAME for"
                f" your own{instead}"
            )
    return str(parsed.render())
