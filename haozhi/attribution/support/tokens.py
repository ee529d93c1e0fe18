"""A text as tokens with roles; the only place that looks at characters.

A *piece* is what matching compares: an English stem, `#330` for a number, a run of Han characters
between function words, `§n` for a word of family n (born, birth, 出生), `§me` for the speaker.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from haozhi.attribution.support.lexicon import abbreviated, chinese, english, stem
from haozhi.attribution.support.numerals import with_digits
from haozhi.sums import canonical_number

ME = "§me"
_HAN = "[〇㐀-䶿一-鿿豈-\ufaff\U00020000-\U0003ffff]"
_LETTER = rf"(?:(?!{_HAN})[^\W\d_])"
_SCAN = re.compile(
    rf"(?P<number>\d{{1,3}}(?:,\d{{3}})+(?!\d)(?:\.\d+)?|\d{{1,2}}:\d\d(?!\d)|\d+(?:\.\d+)?)"
    rf"|(?P<han>{_HAN}+)"
    rf"|(?P<word>(?:[A-Z]\.){{2,}}|{_LETTER}+(?:'{_LETTER}+)?)"
    r"|(?P<end>[.。!?…\n;；]+)|(?P<mark>[,:()\[\]“”\"—–]+)"
)
_MARKER = re.compile(r"[\[【]\s*\d+(?:\s*[,，、]\s*\d+)*\s*[\]】]")
# 高330米 and 330米高 name the dimension as 高度 does.
_DIMENSION = re.compile(r"([高长宽深重])(?=\d)|(?<=[米里克斤吨])([高长宽深重])")
_DIMENSIONS = {"高": "高度", "长": "长度", "宽": "宽度", "深": "深度", "重": "重量"}


@dataclass(frozen=True)
class Token:
    """`role` is piece, stop, negation, mark (between clauses) or end (between sentences)."""

    raw: str
    role: str
    piece: str = ""

    @property
    def capital(self) -> bool:
        """Whether it is written like a name."""
        return self.raw[:1].isupper()


def is_han(piece: str) -> bool:
    """Whether the piece is a Han run, which may match in parts; others match whole or not."""
    return piece[:1] > "\u2e7f"  # Latin letters, digits, # and § lie below; called very often


def tokens_of(text: str) -> tuple[Token, ...]:
    """The text's tokens in order; citation markers such as `[3]` are no part of what it says."""
    text = _fold(text)
    text = english().not_negation.sub(" ", text)
    found: list[Token] = []
    for match in _SCAN.finditer(text):
        kind, raw = match.lastgroup, match[0]
        if kind == "number":
            # 9:00 is 9 o'clock.
            found.append(Token(raw, "piece", "#" + canonical_number(raw.removesuffix(":00"))))
        elif kind == "han":
            after_number = bool(found) and found[-1].piece.startswith("#")
            found.extend(_han_tokens(raw, after_number))
        elif kind == "word":
            found.append(_word_token(raw))
        elif not _abbreviated(found, raw):
            found.append(Token(raw, kind or "mark"))
    return tuple(found)


def _fold(text: str) -> str:
    """NFKC without citation markers and Latin accents; the case stays, for it marks names."""
    text = _MARKER.sub(" ", unicodedata.normalize("NFKC", text).replace("’", "'"))
    plain = (c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    text = with_digits(unicodedata.normalize("NFC", "".join(plain)).replace("%", " percent "))
    short, names = abbreviated()
    text = short.sub(lambda match: f" {names[match[1]]}", text)
    return _DIMENSION.sub(lambda match: _DIMENSIONS[match[0]], text)


def _word_token(raw: str) -> Token:
    words, lower = english(), raw.lower()
    if lower in words.negation or lower.endswith("n't"):
        return Token(raw, "negation")
    lower = lower.partition("'")[0] if "'" in lower else lower.replace(".", "")
    if lower in words.self:
        return Token(raw, "piece", ME)
    if lower in words.conjunctions:
        return Token(raw, "mark")
    number = canonical_number(lower)
    if number.isdigit() and lower != "one":
        return Token(raw, "piece", "#" + number)
    if lower in words.stop or lower in words.auxiliary:
        return Token(raw, "stop")
    root = stem(lower)
    return Token(raw, "piece", words.families.get(root, root))


def _han_tokens(run: str, after_number: bool) -> Iterator[Token]:
    """Function words, families and negations apart; what stays between them are the runs."""
    words = chinese()
    start = 0
    if after_number and (measure := words.measures.match(run)):
        start = measure.end()
        yield Token(measure[0], "stop")
    for match in words.scan.finditer(run, start):
        role = words.roles.get(match[0], "stop")
        if role == "not_negation":
            continue  # 不锈钢 stays inside its run
        if match.start() > start:
            yield Token(run[start : match.start()], "piece", run[start : match.start()])
        start = match.end()
        if role == "family":
            yield Token(match[0], "piece", words.families[match[0]])
        elif role == "self":
            yield Token(match[0], "piece", ME)
        else:
            is_mark = words.conjunctions.fullmatch(match[0])
            yield Token(match[0], "mark" if is_mark else role)
    if start < len(run):
        yield Token(run[start:], "piece", run[start:])


def _abbreviated(found: list[Token], raw: str) -> bool:
    """Whether a full stop belongs to the word before it: Dr. Smith."""
    return raw == "." and bool(found) and found[-1].raw.lower() in english().abbreviations
