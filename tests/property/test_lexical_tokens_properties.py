"""Tokens of any text: nothing in them can break an index, and scripts and widths do not matter."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, text

from store.lexical.han import simplified
from store.lexical.naming import nameable
from store.lexical.sqlite import CREATE
from store.lexical.tokens import LONGEST, tokens

HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=30)
# Older Pythons do not know yet that the newest of these are letters.
RARE_HAN = range(0x20000, 0x323B0)
ANY = st.text(max_size=80) | HAN


@given(ANY)
def test_no_token_has_anything_but_letters_digits_and_underscores(any_text: str) -> None:
    """Quotation marks, spaces and control characters separate; no token is endless."""
    for token in (*tokens(any_text), *nameable(any_text)):
        assert all(each.isalnum() or each == "_" or ord(each) in RARE_HAN for each in token), token
    assert all(0 < len(token) <= LONGEST for token in tokens(any_text))


@given(ANY)
def test_script_and_width_do_not_matter(any_text: str) -> None:
    """The simplified, the compatible and the upper-case form of a text are found by it."""
    found = tokens(any_text)
    assert tokens(simplified(any_text)) == found
    assert tokens(unicodedata.normalize("NFKC", any_text)) == found


@given(HAN)
def test_simplified_characters_stay_in_their_places(han: str) -> None:
    """One code point for each, and what is simplified stays so."""
    assert len(simplified(han)) == len(han)
    assert simplified(simplified(han)) == simplified(han)


@given(st.lists(ANY, max_size=4))
def test_fts5_has_exactly_our_tokens(texts: list[str]) -> None:
    """SQLite cuts the written tokens as we did: none is lost, joined or changed."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        for statement in CREATE:
            connection.execute(text(statement))
        for each in texts:
            words = {"words": " ".join(tokens(each))}
            connection.execute(text("INSERT INTO lexical (words) VALUES (:words)"), words)
        terms = set(connection.scalars(text("SELECT term FROM lexical_terms")))
    assert terms == {token for each in texts for token in tokens(each)}
