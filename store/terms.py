"""The terms of a grant: an SPDX expression, or the https address of RSL terms."""

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
    if len(text) > MOST_CHARACTERS:
        raise BadInput(f"terms have at most {MOST_CHARACTERS} characters")
    return _address(text) if "://" in text else _expression(text)


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        whole = parts.scheme == "https" and parts.hostname and not parts.username
    except ValueError:
        whole = False
    if not whole or not text.isprintable() or " " in text:
        raise BadInput(f"terms {text!r} are no https address without a name in it")
    return text


def _expression(text: str) -> str:
    # Imported here: the list of licences is read at import.
    from license_expression import get_spdx_licensing

    licences = get_spdx_licensing()
    try:
        parsed = licences.parse(text, strict=True)
        unknown = [] if parsed is None else licences.unknown_license_keys(parsed)
    except Exception as error:  # noqa: BLE001 - of many kinds there: `()` is an IndexError
        raise BadInput(f"terms {text!r} are no SPDX expression: {error}") from None
    if parsed is None:
        raise BadInput("terms are empty: leave them out if there are none")
    for key in unknown:
        if not _CUSTOM.fullmatch(key):
            raise BadInput(
                f"terms {text!r}: {key!r} is no SPDX licence; use one, LicenseRef-NAME for your"
                " own, or the https address of RSL terms"
            )
    return str(parsed.render())
