"""Authors that a text names near its top."""

import pytest

from ingest.readers import read_document


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A title\nBy Jane Doe and Wei Zhang\nThe text.\n", ("Jane Doe", "Wei Zhang")),
        ("题目\n作者：张三、李四\n正文。\n", ("张三", "李四")),
        ("题目\n文／王小明\n正文。\n", ("王小明",)),
        ("Author: Cher\nThe text.\n", ("Cher",)),
        ("BY LINE\nThe text.\n", ()),
        ("A title\nBy the sea we live.\nThe text.\n", ()),
        ("A title\nBy Monday\nThe text.\n", ()),
        ("题目\n作者：佚名\n正文。\n", ()),
        ("a\nb\nc\nd\ne\nf\nBy Jane Doe\n", ()),
    ],
)
def test_a_byline_says_who_wrote_the_text(text: str, names: tuple[str, ...]) -> None:
    """A line that can only be a byline gives the authors and is no statement itself."""
    document = read_document("a.txt", text.encode())
    assert document.authors == names
    assert document.authors_from == ("byline" if names else "")
    assert {passage.authors for passage in document.passages} == {names}
    assert len(document.passages) == len(text.splitlines()) - bool(names)


def test_metadata_beats_a_byline() -> None:
    """Where fields name an author, a line of the text does not."""
    text = "---\nauthor: A\n---\n# T\nBy Jane Doe\nx\n"
    assert read_document("a.md", text.encode()).authors == ("A",)


def test_the_licence_around_a_gutenberg_book_is_no_statement() -> None:
    """Only what stands between the two marks is the author's."""
    text = (
        "The Project Gutenberg eBook of X\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n"
        "The text.\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\nSection 1. Terms.\n"
    )
    document = read_document("a.txt", text.encode())
    said = [document.text[p.start : p.end].strip() for p in document.passages]
    assert list(filter(None, said)) == ["The text."]
