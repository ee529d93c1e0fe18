"""A document becomes statements: one sentence each, still with the names of who said it."""

from collections.abc import Iterator
from dataclasses import replace

from ingest.documents import Document, Passage
from ingest.fields import is_readable
from ingest.segmentation import MAX_STATEMENT, language_of, sentences
from ingest.speakers import speaker_passages


def cut(document: Document, *, speaker_lines: bool) -> Iterator[Passage]:
    """The sentences of the passages, in order; what has no letter or digit is no statement.

    Language, date and page are filled in where the passage does not say them. A passage that is a
    whole stays one statement if it is short enough. With `speaker_lines` a line that names its
    speaker is by them.
    """
    text, passages = document.text, document.passages
    for passage in speaker_passages(text, passages) if speaker_lines else passages:
        for start, end in _spans(text, passage):
            sentence = text[start:end]
            if is_readable(sentence):
                yield replace(
                    passage,
                    start=start,
                    end=end,
                    language=passage.language or language_of(sentence),
                    published_on=passage.published_on or document.published_on,
                    page=passage.page or document.page_at(start),
                )


def _spans(text: str, passage: Passage) -> Iterator[tuple[int, int]]:
    if passage.whole and passage.end - passage.start <= MAX_STATEMENT:
        yield passage.start, passage.end
    else:
        yield from sentences(text, passage.start, passage.end)
