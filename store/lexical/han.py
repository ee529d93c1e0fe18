"""Traditional and simplified Chinese as one form, for matching only; the only user of OpenCC."""

from functools import cache

#: Regional forms are asked after the general ones.
_CONVERSIONS = ("t2s", "hk2s", "tw2s")
_HAN_BLOCKS = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0x20000, 0x2F800), (0x30000, 0x323B0))


def simplified(text: str) -> str:
    """The text with every Han character in its simplified form, code point by code point.

    Looks at no neighbour (乾 is 干 in 乾隆 too), so that both ways of writing a text always become
    the same, and offsets stay. What is shown and stored is never this form.
    """
    return text.translate(_table())


@cache
def _table() -> dict[int, str]:
    import opencc

    characters = [chr(code) for block in _HAN_BLOCKS for code in range(*block)]
    table: dict[str, str] = {}
    for name in _CONVERSIONS:
        # A line each: as one run of text, neighbours would be read as words.
        converted = opencc.OpenCC(name).convert("\n".join(characters)).split("\n")
        # 么 is how 什麼 is simplified, and in Taiwan also how 幺 is written: the former counts.
        settled = table.keys() | set(table.values())
        pairs = zip(characters, converted, strict=True)
        table |= {old: new for old, new in pairs if old != new and old not in settled}
    return {ord(old): table.get(new, new) for old, new in table.items()}
