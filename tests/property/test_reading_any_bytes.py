"""What holds for files with any content whatever."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.readers import read_document
from ingest.speakers import speaker_passages
from store.errors import BadInput

_MARKUP = st.sampled_from(
    [
        "---\n",
        "```\n",
        "~~~",
        "# ",
        "- ",
        "> ",
        "\n",
        "\r\n",
        ",",
        '"',
        "text",
        "author",
        "：",
        "说",
    ]
)
_TEXTS = st.lists(_MARKUP | st.text(max_size=4)).map("".join)
_CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.jsonl", "a.csv", "a.tsv"])
@given(data=st.binary() | _TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_refused(name: str, data: bytes) -> None:
    """A file gives ordered passages inside its text or one BadInput, and never another error."""
    try:
        document = read_document(name, data)
    except BadInput:
        return
    position = 0
    for passage in speaker_passages(document.text, document.passages):
        assert position <= passage.start <= passage.end <= len(document.text)
        position = passage.end


@given(st.lists(st.tuples(_CELLS, _CELLS)))
def test_a_json_line_goes_in_or_is_rejected(rows: list[tuple[str, str]]) -> None:
    """Every record is either one passage that reads exactly as its text, or one rejected line."""
    lines = [json.dumps({"text": text, "author": author}) for author, text in rows]
    document = read_document("a.jsonl", "\n".join(lines).encode())
    refused = {rejected.line for rejected in document.rejected}
    went_in = [text for line, (_, text) in enumerate(rows, start=1) if line not in refused]
    assert [document.text[p.start : p.end] for p in document.passages] == went_in
    assert len(went_in) + len(document.rejected) == len(rows)
