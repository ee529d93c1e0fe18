"""Headings that a text names: `The Verge`, 幽夢影. A heading is found whole, as one token."""

from collections.abc import Iterator

from store.lexical.tokens import units

_LONGEST = 10
"""Units of the longest heading that is found as one token; a longer one is rarely named whole."""


def heading_token(heading: str) -> str | None:
    """The token that stands for a heading as a whole; None when it is too long or too short."""
    found = units(heading)
    return _joined(found) if _is_name(found) else None


def nameable(text: str) -> tuple[str, ...]:
    """The tokens of all headings that the text could name, the longest first, each once."""
    return tuple(dict.fromkeys(_joined(part) for part in _parts(units(text)) if _is_name(part)))


def longest_names(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the heading tokens that are not a part of another one: `new_york_times` only."""
    return tuple(
        token
        for token in tokens
        if not any(token != other and f"{token}_" in f"{other}_" for other in tokens)
    )


def _parts(found: list[str]) -> Iterator[list[str]]:
    for length in range(min(_LONGEST, len(found)), 0, -1):
        for start in range(len(found) - length + 1):
            yield found[start : start + length]


def _is_name(found: list[str]) -> bool:
    """One letter or Han character, or numbers alone, name nothing."""
    return len(found) <= _LONGEST and len("".join(found)) > 1 and not "".join(found).isdecimal()


def _joined(found: list[str]) -> str:
    return f"_{'_'.join(found)}"
