"""What a field of a policy may be: each rule says in words what is allowed, and whether it holds.

A rule is the metadata of a dataclass field, so that checking a policy and explaining it to an admin
read the same words.
"""

import re
from collections.abc import Mapping
from typing import Any

PPM = 1_000_000

Allowed = dict[str, Any]


def whole(least: int, most: int, says: str) -> Allowed:
    """An integer of least..most; True is not the number 1."""
    return _rule(f"{least}..{most}", lambda value: _whole(value, least, most), says)


def whole_or_none(least: int, most: int, says: str) -> Allowed:
    """An integer of least..most, or None for off."""
    return _rule(
        f"{least}..{most} or none",
        lambda value: value is None or _whole(value, least, most),
        says,
    )


def one_of(choices: tuple[str, ...], says: str) -> Allowed:
    """One of these words."""
    allowed = " or ".join(repr(choice) for choice in choices)
    return _rule(allowed, lambda value: isinstance(value, str) and value in choices, says)


def table(
    names: str, least: int, most: int, says: str, must: Mapping[str, int] | None = None
) -> Allowed:
    """Names that match a pattern, each with an integer of least..most; some entries are fixed."""
    fixed = dict(must or {})
    always = "".join(f", always with {name} = {value}" for name, value in fixed.items())

    def holds(value: Any) -> bool:
        return (
            isinstance(value, Mapping)
            and 0 < len(value) <= _MOST_ENTRIES
            and all(isinstance(name, str) and re.fullmatch(names, name) for name in value)
            and all(_whole(each, least, most) for each in value.values())
            and all(value.get(name) == each for name, each in fixed.items())
        )

    return _rule(f"a table of {names} = {least}..{most}{always}", holds, says)


_MOST_ENTRIES = 100


def _whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _rule(allowed: str, holds: Any, says: str) -> Allowed:
    return {"allowed": allowed, "holds": holds, "says": says}
