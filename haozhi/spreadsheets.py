"""Texts in files that somebody opens in a spreadsheet."""

#: What a spreadsheet takes for the start of a formula, also as full-width characters.
_FORMULA_STARTS = tuple("=+-@＝＋－＠\t\r")


def no_formula(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would calculate it."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
