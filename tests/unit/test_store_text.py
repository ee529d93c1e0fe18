"""What counts as the same text, and what a database can hold."""

import pytest

from store.errors import BadInput
from store.text import admin_name, check_text, name_key, normalise, statement_hash


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  1 +  1\n= 2 ", "1 + 1 = 2"),
        ("１ ＋ １ ＝ ２", "1 + 1 = 2"),
        ("Ｗarsaw　is", "warsaw is"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("团\u200b子", "团子"),
        ("\ufeff我家猫叫团子。", "我家猫叫团子。"),
        ("a\u202eb\u2066c", "abc"),
        ("①", "1"),
        ("\u200b \u3000", ""),
    ],
)
def test_texts_that_read_alike_are_one(text: str, expected: str) -> None:
    """Width, case, spaces and invisible characters do not make another statement."""
    assert normalise(text) == expected


def test_texts_that_read_differently_are_two() -> None:
    """Punctuation, word order and traditional characters stay part of a text's identity."""
    texts = ["1 + 1 = 2", "1+1=2", "1 + 1 = 2.", "2 = 1 + 1", "团子", "團子"]
    assert len({statement_hash(text) for text in texts}) == len(texts)


def test_hash_never_changes() -> None:
    """The hash of a text is fixed for ever: stored answers name statements by it."""
    assert statement_hash("1 + 1 = 2") == (
        "405e2f00a5b04d5c62156079c324e5e1374ad9b7eaa34a43ebc11ec2cec99697"
    )


def test_names_keep_their_case() -> None:
    """Two names are the same in NFKC and spaces only; case tells people apart."""
    assert name_key(" Ａda   Lovelace\u200b") == "Ada Lovelace"
    assert name_key("ada lovelace") != name_key("Ada Lovelace")


def test_name_without_a_visible_character_is_refused() -> None:
    """An author cannot be called by spaces or zero-width characters alone."""
    with pytest.raises(BadInput, match="visible"):
        name_key(" \u200b\u3000")


def test_who_acts_is_written_as_names_are_compared() -> None:
    """An admin's name has one spelling, whatever its width, spaces and invisible characters."""
    assert admin_name(" Ａda\n Lovelace\u200b") == "Ada Lovelace"
    assert admin_name("安") == "安"
    assert len(admin_name("x" * 200)) == 200


@pytest.mark.parametrize("by", ["", " \u200b", "x" * 201, "a\x1b[2Jb", "a\x00b"])
def test_who_acts_must_have_a_name_that_can_be_shown(by: str) -> None:
    """Nobody, a text, and a name that would move a terminal's cursor are no admin."""
    with pytest.raises(BadInput):
        admin_name(by)


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_text_that_no_database_holds_is_refused(text: str) -> None:
    """NUL and lone surrogates are refused by name and place, on every database alike."""
    with pytest.raises(BadInput, match=r"U\+(0000|D800) at code point 1"):
        check_text(text)
