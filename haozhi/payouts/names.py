"""Texts in payment files: nothing is dropped, and what a file cannot carry is said."""

import unicodedata
from string import ascii_letters, digits

from store.errors import BadInput

#: What SEPA and SWIFT carry for sure (EPC217-08, character set of the rulebooks).
_LATIN = frozenset(ascii_letters + digits + "/-?:().,'+ ")
#: Letters that no accent explains, and marks that the set lacks.
_SPELLINGS = (
    "ä=ae ö=oe ü=ue Ä=Ae Ö=Oe Ü=Ue ß=ss æ=ae Æ=Ae œ=oe Œ=Oe ø=o Ø=O ł=l Ł=L"
    " đ=d Đ=D ð=d Ð=D þ=th Þ=Th ı=i ħ=h Ħ=H &=+ ’=' ‘=' –=- _=-"
)
_SPELLED = str.maketrans(dict(pair.split("=") for pair in _SPELLINGS.split()))
_NAME_LENGTH = 70


def latin_name(name: str) -> str:
    """A name as SEPA and SWIFT carry it: `Müller` is `Mueller`, `José` is `Jose`.

    Letters of other scripts are not transliterated, because only the payee knows how the bank
    spells the name. BadInput: the name has one, or more than 70 characters.
    """
    composed = unicodedata.normalize("NFC", name).translate(_SPELLED)
    found = "".join(_letter(name, character) for character in composed)
    if len(found) > _NAME_LENGTH:
        raise BadInput(f"the name {name!r} has more than the {_NAME_LENGTH} characters of a file")
    return found


def _letter(name: str, character: str) -> str:
    if character in _LATIN:
        return character
    parts = unicodedata.normalize("NFD", character)
    base, accents = parts[0], parts[1:]
    if accents and base in ascii_letters and all(map(unicodedata.combining, accents)):
        return base
    raise BadInput(
        f"the name {name!r} has {character!r}, which payment files in EUR and USD cannot carry:"
        " give the name in Latin letters, as the payee's bank spells it"
    )


def plain_text(what: str, text: str, length: int) -> str:
    """A text of one line without spaces around it. BadInput: empty, too long, not printable."""
    found = unicodedata.normalize("NFC", text).strip()
    if not 0 < len(found) <= length:
        raise BadInput(f"the {what} must have 1 to {length} characters, {text!r} has not")
    if not found.isprintable():
        raise BadInput(f"the {what} {text!r} has a character that cannot be printed")
    return found
