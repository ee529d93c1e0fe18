"""Identifiers of authors in public schemes, checked by their own checksums: ORCID, ISNI, URL."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from store.errors import BadInput
from store.schema import AuthorIdentifierRow
from store.text import check_text

_MOST_CHARACTERS = 2_000
_WRITTEN = re.compile(
    r"(?:(?P<scheme>orcid|isni)\s*:\s*|https?://(?:www\.)?(?P<host>orcid\.org|isni\.org)/(?:isni/)?)"
    r"(?P<digits>[0-9xX\s-]*)/?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Identifier:
    """`orcid` with hyphens, `isni` as 16 characters, or the `url` of a page about the author."""

    scheme: str
    value: str

    def __str__(self) -> str:
        return self.value if self.scheme == "url" else f"{self.scheme}:{self.value}"


def parse_identifier(written: str) -> Identifier:
    """`orcid:…`, `isni:…`, an address at orcid.org or isni.org, or another https address.

    BadInput: it is none of these, or its check digit is wrong.
    """
    text = check_text(written).strip()
    if match := _WRITTEN.fullmatch(text):
        scheme = (match["scheme"] or match["host"].split(".")[0]).lower()
        return _checked(scheme, re.sub(r"[\s-]", "", match["digits"]).upper())
    if text.startswith("https://"):
        return Identifier("url", _address(text))
    raise BadInput(f"{text[:60]!r} is no identifier: write orcid:…, isni:… or https://…")


def find_author_id(s: Session, identifier: Identifier) -> str | None:
    """The id of the author whom this identifies, as it was recorded, or None."""
    return s.scalar(
        select(AuthorIdentifierRow.author_id).where(
            AuthorIdentifierRow.scheme == identifier.scheme,
            AuthorIdentifierRow.value == identifier.value,
        )
    )


def identifiers_of(s: Session, author_ids: Collection[str]) -> tuple[Identifier, ...]:
    """The identifiers that were recorded for these authors, in order."""
    columns = (AuthorIdentifierRow.scheme, AuthorIdentifierRow.value)
    query = select(*columns).where(AuthorIdentifierRow.author_id.in_(author_ids))
    return tuple(Identifier(*row) for row in s.execute(query.order_by(*columns)))


def contradict(one: Collection[Identifier], other: Collection[Identifier]) -> bool:
    """Whether these cannot be of one person: nobody has two ORCIDs or two ISNIs."""
    found = {each.scheme: each.value for each in one if each.scheme != "url"}
    return any(found.get(each.scheme, each.value) != each.value for each in other)


def add_identifier(
    s: Session, author_id: str, identifier: Identifier, decision_id: int | None = None
) -> None:
    """Record an identifier that nobody has yet; `decision_id` None: it came with a file."""
    row = {"scheme": identifier.scheme, "value": identifier.value, "author_id": author_id}
    s.execute(insert(AuthorIdentifierRow).values(**row, decision_id=decision_id))


def _checked(scheme: str, digits: str) -> Identifier:
    if not re.fullmatch("[0-9]{15}[0-9X]", digits):
        raise BadInput(f"an {scheme.upper()} has 16 digits, the last may be X: {digits[:20]!r}")
    if digits[-1] != _check_digit(digits[:15]):
        raise BadInput(f"the check digit of {scheme.upper()} {digits} is wrong: look for a slip")
    if scheme == "isni":
        return Identifier(scheme, digits)
    return Identifier(scheme, "-".join(digits[i : i + 4] for i in range(0, 16, 4)))


def _check_digit(digits: str) -> str:
    """ISO 7064 MOD 11-2, which ORCID and ISNI share."""
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11]


def _address(text: str) -> str:
    """The address with its host in lower case, without a fragment or a closing slash."""
    try:
        parts = urlsplit(text)
        whole = parts.hostname and not parts.username and parts.port in (None, 443)
    except ValueError:
        whole = False
    if not whole or len(text) > _MOST_CHARACTERS or not text.isprintable() or " " in text:
        raise BadInput(f"{text[:60]!r} is no https address that can identify somebody")
    return urlunsplit(("https", str(parts.hostname), parts.path.rstrip("/"), parts.query, ""))
