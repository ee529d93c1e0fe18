"""A text as it is matched, which is never what is shown or stored."""

import re
import unicodedata

from store.lexical.han import simplified
from store.lexical.tokens import units

_QUIET = re.compile(r"(?<!\d)[,.;:、。·…]|[,.;:、。·…](?!\d)|[\"“”„«»‘’「」『』《》〈〉*_`]")
_AROUND_SIGNS = re.compile(r"\s+(?=[^\w\s])|(?<=[^\w\s])\s+")
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af"
# Not a[3], and not a text that is nothing else.
_MARKER = re.compile(
    rf"(?<=[\s{_HAN},.;:!?。、”’\"'])[\[【]\s*\d{{1,3}}(?:\s*[,、;–-]\s*\d{{1,3}})*\s*[\]】]"
)
_AROUND_HAN = re.compile(rf"(?<=[{_HAN}])\s+|\s+(?=[{_HAN}])")


def plain(text: str) -> str:
    """NFKC without citation markers such as ` [3]`, which are no part of what is said."""
    return _MARKER.sub(" ", unicodedata.normalize("NFKC", text).strip()).strip()


def exact_form(text: str) -> str:
    """What is equal in exact copies: NFKC, simplified, small letters, no quiet punctuation.

    Signs that change the sense stay (`+ - ? !`), and so do points and commas inside numbers.
    """
    folded = simplified(plain(text).casefold())
    bare = _AROUND_SIGNS.sub("", _QUIET.sub(" ", folded).replace("'", ""))
    return " ".join(_AROUND_HAN.sub("", bare).split()) or folded


def words_of(text: str) -> list[str]:
    """The words, numbers and single Han characters of a text in their order."""
    return units(plain(text).replace("'", ""))
