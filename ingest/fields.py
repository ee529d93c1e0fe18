"""The named fields of a record or of front matter: read strictly, and what is absent is unknown."""

import datetime as dt
import re
import unicodedata
from collections.abc import Mapping

from store.errors import BadInput
from store.identities import parse_identifier
from store.terms import check_licence
from store.text import check_text, name_key, normalise

MAX_NAME = 200
"""Longest author name in code points."""

_MAX_AUTHORS = 1000
_TEXT = ("text", "文本")
_AUTHORS = ("author", "authors", "作者")
_TITLE = ("title", "标题")
_SOURCE = ("source", "来源")
_DATE = ("date", "published_at", "published_on", "日期")
_LANGUAGE = ("language", "语言")
_LICENCE = ("licence", "license", "许可")
_IDENTIFIERS = {
    "": ("author_identifier", "author_identifiers"),
    "orcid:": ("author_orcid", "orcid"),
    "isni:": ("author_isni", "isni"),
}
_URL = ("author_url",)
_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:[T ].*)?)?)?")


def has_text(names: list[str]) -> bool:
    """Whether a header names a column for the text."""
    return any(name in names for name in _TEXT)


def names_author(names: list[str]) -> bool:
    """Whether a header names a column for the author."""
    return any(name in names for name in _AUTHORS)


def is_readable(text: str) -> bool:
    """Whether a reader sees a letter or a digit in it."""
    return any(character.isalnum() for character in normalise(text))


def text_in(fields: Mapping[str, object]) -> str:
    """The text as it is written. Raises BadInput when it is no string or has no letter or digit."""
    text = _string(fields, _TEXT)
    if text is None or not is_readable(text):
        raise BadInput("there is no text: give it in the field `text`")
    return text


def authors_in(fields: Mapping[str, object]) -> tuple[str, ...]:
    """The distinct names in the order given; empty when no author is named.

    Raises BadInput for a name that check_name refuses.
    """
    found = _one_of(fields, _AUTHORS)
    names = found if isinstance(found, list) else [] if found is None else [found]
    if len(names) > _MAX_AUTHORS:
        raise BadInput(f"{len(names)} authors are more than {_MAX_AUTHORS}")
    distinct: dict[str, str] = {}
    for name in map(check_name, names):
        distinct.setdefault(name_key(name), name)
    return tuple(distinct.values())


def identifiers_in(fields: Mapping[str, object]) -> tuple[str, ...]:
    """The identifiers of the authors in the order given, '' for one without; empty for none at all.

    Raises BadInput for one that `store.identities.parse_identifier` refuses.
    """
    names = tuple(name for group in _IDENTIFIERS.values() for name in group)
    found = _one_of(fields, (*names, *_URL))
    written = found if isinstance(found, list) else [] if found is None else [found]
    scheme = next((s for s, group in _IDENTIFIERS.items() if _one_of(fields, group)), "")
    return tuple(_identifier(each, scheme) for each in written)


def _identifier(written: object, scheme: str) -> str:
    text = str(written or "").strip()
    bare = re.fullmatch(r"[0-9xX\s-]+", text)
    return str(parse_identifier(f"{scheme}{text}" if bare else text)) if text else ""


def licence_in(fields: Mapping[str, object]) -> str | None:
    """The licence as an SPDX expression, None when there is none; raises BadInput for others."""
    text = _string(fields, _LICENCE)
    return check_licence(text) if text and text.strip() else None


def check_name(name: object) -> str:
    """The name as written, without outer space.

    Raises BadInput for what is no string, shows nothing, is too long or has control characters.
    """
    if not isinstance(name, str):
        raise BadInput(f"an author must be a string, not {type(name).__name__}")
    if any(unicodedata.category(character) == "Cc" for character in name):
        raise BadInput("an author name has control characters")
    key = name_key(name)
    if len(key) > MAX_NAME:
        raise BadInput(f"an author name of {len(key)} characters is longer than {MAX_NAME}")
    return name.strip()


def title_in(fields: Mapping[str, object]) -> str | None:
    """The title, None when there is none."""
    return (_string(fields, _TITLE) or "").strip() or None


def source_in(fields: Mapping[str, object]) -> str | None:
    """Where it was published, None when that is not said or only an address."""
    found = next((fields[name] for name in _SOURCE if isinstance(fields.get(name), str)), "")
    source = check_text(str(found)).strip()
    return source if source and "://" not in source else None


def date_in(fields: Mapping[str, object]) -> str | None:
    """The day, month or year claimed, as check_date gives it."""
    found = _one_of(fields, _DATE)
    return None if found is None else check_date(found)


def check_date(value: object) -> str:
    """The YYYY, YYYY-MM or YYYY-MM-DD of an ISO 8601 date or time; raises BadInput for others."""
    match = None if isinstance(value, bool) else _DAY.fullmatch(str(value).strip())
    if match is None:
        raise BadInput(f"{str(value)[:40]!r} is not a date: write YYYY, YYYY-MM or YYYY-MM-DD")
    parts = [int(part) for part in match.groups() if part]
    try:
        dt.date(*[*parts, 1, 1][:3])
    except ValueError:
        raise BadInput(f"{match[0]!r} is not in the calendar") from None
    return "-".join(part for part in match.groups() if part)


def find_date(value: object) -> str | None:
    """The date as check_date gives it, None for what is no date: metadata is often not."""
    try:
        return None if value is None else check_date(value)
    except BadInput:
        return None


def language_in(fields: Mapping[str, object]) -> str:
    """`zh` or `en` from a tag such as `zh-Hans`; '' when there is none, BadInput for others."""
    tag = _string(fields, _LANGUAGE)
    if not tag:
        return ""
    language = re.split("[-_]", tag.strip().lower())[0]
    if language not in ("zh", "en"):
        raise BadInput(f"language {tag[:40]!r} is neither zh nor en")
    return language


def _string(fields: Mapping[str, object], names: tuple[str, ...]) -> str | None:
    found = _one_of(fields, names)
    if found is not None and not isinstance(found, str):
        raise BadInput(f"`{names[0]}` must be a string, not {type(found).__name__}")
    return None if found is None else check_text(found)


def _one_of(fields: Mapping[str, object], names: tuple[str, ...]) -> object:
    given = [name for name in names if fields.get(name) is not None]
    if len(given) > 1:
        raise BadInput(f"`{given[0]}` and `{given[1]}` say the same thing: give one of them")
    return fields[given[0]] if given else None
