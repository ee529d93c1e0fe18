"""Which of the two languages a text is in."""

from typing import Literal, cast

from ingest.segmentation import language_of

Language = Literal["zh", "en"]


def detect(text: str) -> Language | None:
    """`zh` when Han characters are at least as many as Latin words, else `en`.

    None when the text has no letter at all: `1 + 1 + 1 = ?` is the same question in every language,
    so the caller chooses.
    """
    if not any(character.isalpha() for character in text):
        return None
    return cast("Language", language_of(text))


def as_language(stored: str) -> Language:
    """A language as it is stored, of which all that is not Chinese counts as English."""
    return "zh" if stored == "zh" else "en"
