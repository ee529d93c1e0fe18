"""What counts as the same text: the identity of statements and the keys of names."""

import hashlib
import re
import unicodedata

from store.errors import BadInput

# Unicode's default-ignorable code points: zero-width, bidirectional, variation and tag characters.
# They are invisible, so two texts that differ only in them are the same text to a reader.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
MOST_NAME_CHARACTERS = 200
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def normalise(text: str) -> str:
    """The form that decides identity: NFKC, casefolded, spaces folded, nothing invisible.

    Idempotent. '' when nothing readable is left.
    """
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    # Casefolding can leave sequences that NFKC composes again (ᾳ with a further mark).
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def statement_hash(text: str) -> str:
    """SHA-256 (64 hex digits) of the normalised text."""
    return hashlib.sha256(normalise(text).encode()).hexdigest()


def name_key(name: str) -> str:
    """What exact matching of author names compares: NFKC, spaces folded, case kept.

    Raises BadInput for a name without a visible character.
    """
    key = _folded(name)
    if not key:
        raise BadInput("an author name needs a visible character; leave it out if it is unknown")
    return key


def admin_name(by: str) -> str:
    """The name of who acts, as names are compared. BadInput: none that a line can show, or > 200.

    It is taken on trust.
    """
    key = _folded(by)
    if not 0 < len(key) <= MOST_NAME_CHARACTERS or not key.isprintable():
        raise BadInput(
            f"who acts (--by) must be a name of 1 to {MOST_NAME_CHARACTERS} printable characters"
        )
    return key


def said(text: str, what: str) -> str:
    """The text without outer spaces. BadInput: it has nothing to read, or cannot be stored."""
    if not normalise(check_text(text)):
        raise BadInput(f"{what} is empty: say it in words")
    return text.strip()


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", _INVISIBLE.sub("", check_text(name))).split())


def check_text(text: str) -> str:
    """The text itself; raises BadInput when a database cannot hold it (NUL, lone surrogates)."""
    found = _UNSTORABLE.search(text)
    if found:
        raise BadInput(
            f"the text has U+{ord(found[0]):04X} at code point {found.start()}: remove it"
        )
    return text
