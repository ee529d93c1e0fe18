"""Quotations are found word for word, and blanked so that every span stays where it is."""

import random

from store.deletions import BLANK, Quotes
from store.deletions.blanking import blank

SENTENCE = "Dumpling lives in 5 Harbour Road."


def blanked(text: object, *quotes: str) -> object:
    """The text or JSON value with these quotations blanked."""
    return Quotes(quotes).blanked(text)


def test_a_quotation_is_blanked_in_place() -> None:
    """Each code point becomes one blank, in both languages, also of a text within another."""
    assert blanked(f"A: {SENTENCE} B.", SENTENCE) == f"A: {BLANK * len(SENTENCE)} B."
    assert blanked("谁说团子住在港湾路？", "团子住在港湾路") == f"谁说{BLANK * 7}？"
    assert blanked("abcd efgh", "abcd", "abcd efgh") == BLANK * 9


def test_spans_are_blanked_in_any_order_and_over_each_other() -> None:
    """Spans that overlap, lie within each other, touch, or reach beyond the text's end."""
    for _ in range(300):
        text = "".join(random.choices("ab团子", k=12))
        spans = [(start, start + random.randrange(9)) for start in random.choices(range(13), k=4)]
        gone = {i for start, end in spans for i in range(start, end)}
        assert blank(text, spans) == "".join(
            BLANK if i in gone else letter for i, letter in enumerate(text)
        )


def test_a_text_inside_a_word_or_number_is_no_quotation() -> None:
    """`1 + 1 = 2` does not stand in `11 + 1 = 21`; a text of three characters is no quotation."""
    assert blanked("11 + 1 = 21 and 1 + 1 = 2.", "1 + 1 = 2") == f"11 + 1 = 21 and {BLANK * 9}."
    assert blanked("the cat", "cat") == "the cat"


def test_values_of_json_are_searched_to_the_end() -> None:
    """In lists and objects, keys too; numbers stay."""
    value = {"asked": [SENTENCE, 5, None], SENTENCE: {"x": f"{SENTENCE}!"}}
    gone = BLANK * len(SENTENCE)
    assert blanked(value, SENTENCE) == {"asked": [gone, 5, None], gone: {"x": f"{gone}!"}}


def test_the_texts_with_a_quotation_are_found_among_many() -> None:
    """Nothing is found across the border of two texts, and no text is passed over."""
    texts = [
        "no",
        SENTENCE[:20],
        SENTENCE[20:],
        f"say: {SENTENCE}",
        "",
        "团子住在港湾路。",
        SENTENCE,
    ]
    assert Quotes([SENTENCE, "团子住在港湾路"]).standing_in(texts) == [3, 5, 6]
    assert Quotes(["abcd"]).standing_in([]) == []
    assert Quotes([]).standing_in(texts) == []


def test_many_quotations_are_found_as_one_by_one() -> None:
    """Thousands at once give what plain searching gives, also when they begin alike."""
    random.seed(0)
    quotes = {"".join(random.choices("ab，", k=random.randint(4, 40))) for _ in range(3000)}
    text = "".join(random.choices("ab，", k=2000))
    found = set(Quotes(quotes).spans(text))
    for start, end in found:
        assert text[start:end] in quotes
    starts = {start for start, _ in found}
    for quote in quotes:
        at = text.find(quote)
        if at >= 0 and not _inside_a_word(text, at, at + len(quote)):
            assert at in starts


def _inside_a_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start] or "，", text[end : end + 1] or "，"
    return (before in "ab" and text[start] in "ab") or (text[end - 1] in "ab" and after in "ab")
