"""What an answer's page shows, made of its JSON: works with numbers, parts with their sources."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from haozhi.attribution.moved import NOTABLE_PPB
from haozhi.marking import marked
from haozhi.reports.charts.figure import TONES

Json = dict[str, Any]

WHOLE_PPB = 10**9
#: Below this part of the information from the statements, the model also knew the answer.
LOW_GROUNDING = 0.2
_SERIES = tuple(tone for tone in TONES if tone.startswith("series-"))


@dataclass(frozen=True)
class Source:
    """A statement of the context. `label` is its number, `1` or `1b`; "" when it is not cited.

    `place` is what `source_view` knows of it; `stretches` are its text with the words marked that
    the parts that rest on it have too, None where it may not be shown.
    """

    label: str
    entry: Json
    place: Json
    stretches: tuple[tuple[str, bool], ...] | None


@dataclass(frozen=True)
class CitedWork:
    """A work with one number and its cited statements; `title` None is an unknown work."""

    number: int
    title: str | None
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Part:
    """A stretch of the answer. `rests` are the ids of the statements that a segment names.

    `state` is context, known, memory or disagree (see `segment_view`), "" between segments.
    """

    text: str
    state: str = ""
    rests: tuple[int, ...] = ()
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True)
class Slice:
    """A piece of the bar of shares, from `start` on, in ppb; `row` is an author's, or `cause`."""

    start_ppb: int
    share_ppb: int
    tone: str
    row: Json | None
    cause: str = ""


@dataclass(frozen=True)
class AnswerPage:
    """An answer as its page shows it."""

    works: tuple[CitedWork, ...]
    others: tuple[Source, ...]
    parts: tuple[Part, ...]
    slices: tuple[Slice, ...]
    low_grounding: bool
    moved_much: bool


def answer_page(answer: Json, places: Mapping[int, Json]) -> AnswerPage:
    """The page of an answer; `places` is its `source_view`."""
    named = _named(answer)
    works = tuple(_works(answer, named, places))
    sources = {s.entry["statement_id"]: s for work in works for s in work.sources}
    grounding = answer["grounding"]
    return AnswerPage(
        works=works,
        others=tuple(
            _source("", entry, places, ())
            for entry in answer["context"]
            if entry["statement_id"] not in named
        ),
        parts=tuple(_parts(answer, sources)),
        slices=tuple(_slices(answer)),
        low_grounding=grounding is not None and grounding < LOW_GROUNDING,
        moved_much=(answer["moved_ppb"] or 0) > NOTABLE_PPB,
    )


def _named(answer: Json) -> dict[int, list[str]]:
    """The statements that are cited, support or deny, each with the texts of those segments."""
    named: dict[int, list[str]] = {}
    for segment in answer["segments"]:
        for statement_id in _rests(segment):
            text = answer["text"][segment["start"] : segment["end"]]
            named.setdefault(statement_id, []).append(text)
    return named


def _rests(segment: Json) -> tuple[int, ...]:
    cited = [c["statement_id"] for c in segment["citations"]]
    backed = [i for support in segment["supports"] for i in support["set"]]
    return tuple(dict.fromkeys([*cited, *backed, *segment["contradicts"]]))


def _works(
    answer: Json, named: Mapping[int, Sequence[str]], places: Mapping[int, Json]
) -> Iterator[CitedWork]:
    """One number per work, in the order of first mention; statements of unknown works apart."""
    entries = {entry["statement_id"]: entry for entry in answer["context"]}
    groups: dict[Any, list[int]] = {}
    for statement_id in named:
        work = entries[statement_id]["work"]
        groups.setdefault(work["id"] if work else (statement_id,), []).append(statement_id)
    for number, ids in enumerate(groups.values(), 1):
        work = entries[ids[0]]["work"]
        sources = tuple(
            _source(_label(number, place, len(ids)), entries[i], places, named[i])
            for place, i in enumerate(ids)
        )
        yield CitedWork(number, work["title"] if work else None, sources)


def _label(number: int, place: int, count: int) -> str:
    if count == 1:
        return str(number)
    letter = ascii_lowercase[place] if place < len(ascii_lowercase) else f".{place + 1}"
    return f"{number}{letter}"


def _source(label: str, entry: Json, places: Mapping[int, Json], texts: Sequence[str]) -> Source:
    text = entry["text"]
    stretches = None if text is None else marked(text, "\n".join(texts))
    return Source(label, entry, places[entry["statement_id"]], stretches)


def _parts(answer: Json, sources: Mapping[int, Source]) -> Iterator[Part]:
    """The whole text in order: segments with their sources, and what stands between them."""
    text, done = answer["text"], 0
    for segment in answer["segments"]:
        if segment["start"] > done:
            yield Part(text[done : segment["start"]])
        rests = _rests(segment)
        chips = tuple(source for i, source in sources.items() if i in rests)
        said = text[segment["start"] : segment["end"]]
        yield Part(said, segment["state"], rests, chips)
        done = segment["end"]
    if done < len(text):
        yield Part(text[done:])


def _slices(answer: Json) -> Iterator[Slice]:
    """The authors, the greatest share first, then what nobody is credited for by cause."""
    start = 0
    for number, row in enumerate(answer["shares"]):
        tone = _SERIES[number] if number < len(_SERIES) else "rest"
        yield Slice(start, row["share_ppb"], tone, row)
        start += row["share_ppb"]
    for cause, share_ppb in answer["unattributed"].items():
        if share_ppb:
            yield Slice(start, share_ppb, "nobody", None, cause)
            start += share_ppb
