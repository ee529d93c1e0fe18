"""Subtitles and transcripts: timed cues, each in the voice that its tag names."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.documents import Document
from ingest.drafts import Draft

_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{1,2}[.,]\d{1,3}"
_TIMING = re.compile(rf"\s*(?P<start>{_TIME})\s*-->\s*(?P<end>{_TIME})(?:[ \t].*)?")
_VOICE = re.compile(r"<v(?:\.[^ \t>]*)?[ \t]+([^>]*)>")
_TAG = re.compile(r"</?[A-Za-z0-9][^<>]*>|\{\\[^{}]*\}|</?>")
_TURN = re.compile(rf"{_TIME}\s*-->\s*{_TIME}\s*\n(?P<name>[^\n]{{1,80}})\n(?P<said>.+)", re.DOTALL)
_PAUSE_S = 4.0
_HAN_END = re.compile(r"[\u3000-\u9fff\uff00-\uffef]\Z")


@dataclass(frozen=True)
class _Cue:
    start_s: float
    end_s: float
    line: int
    name: str
    said: str


def is_subtitles(text: str) -> bool:
    """Whether a text is WebVTT, or SRT: a number, a timing, a line of text."""
    lines = [line.strip() for line in text.lstrip("\ufeff\n\r ")[:500].split("\n")]
    if re.match(r"WEBVTT(?:\s|\Z)", text.lstrip("\ufeff")):
        return True
    timings = [i for i, line in enumerate(lines[:3]) if _TIMING.fullmatch(line)]
    return bool(timings) and (timings[0] == 0 or lines[timings[0] - 1].isdigit())


def read_subtitles(text: str) -> Document:
    """The cues as speech: what one voice says without a pause is one paragraph.

    A sentence runs over several cues, so these are joined; a voice without a tag is unknown.
    """
    draft = Draft()
    run: list[_Cue] = []
    for cue in _cues(text):
        if run and (cue.name != run[-1].name or cue.start_s - run[-1].end_s > _PAUSE_S):
            _add(draft, run)
            run = []
        run.append(cue)
    _add(draft, run)
    return draft.finish()


def spoken_turn(paragraph: str) -> tuple[str, str] | None:
    """The speaker and the speech of a meeting transcript's paragraph: `from --> to`, name, text."""
    match = _TURN.fullmatch(paragraph.strip())
    return (match["name"].strip(), match["said"].strip()) if match else None


def _add(draft: Draft, run: list[_Cue]) -> None:
    if not run:
        return
    text = run[0].said
    for cue in run[1:]:
        # In a dialogue within one voice each dash is another speaker.
        new_line = cue.said.startswith(("-", "–", "—"))
        text += ("\n" if new_line else "" if _HAN_END.search(text) else " ") + cue.said
    if run[0].name:
        draft.add_voice(text, run[0].name, line=run[0].line)
    else:
        draft.add(text, run[0].line)


def _cues(text: str) -> Iterator[_Cue]:
    """The cues that say something; notes, styles and what comes before a timing are left out."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        timing = _TIMING.fullmatch(lines[number].rstrip())
        number += 1
        if timing is None:
            continue
        first = number
        while number < len(lines) and lines[number].strip():
            number += 1
        yield from _voices(timing, first + 1, lines[first:number])


def _voices(timing: re.Match[str], line: int, content: list[str]) -> Iterator[_Cue]:
    """A cue for each voice in one: `<v A>…</v> <v B>…`."""
    start, end = _seconds(timing["start"]), _seconds(timing["end"])
    before, *voices = _VOICE.split(_joined(content))
    pairs = [("", before), *zip(voices[::2], voices[1::2], strict=True)]
    for name, said in pairs:
        plain = html.unescape(_TAG.sub("", said)).strip()
        if plain:
            yield _Cue(start, end, line, html.unescape(name).strip(), plain)


def _joined(lines: list[str]) -> str:
    """The lines of a cue in one, except where each begins with the dash of a speaker."""
    text = ""
    for line in map(str.strip, lines):
        dash = _TAG.sub("", line).startswith(("-", "–", "—"))
        text += ("\n" if dash and text else "" if _HAN_END.search(text) or not text else " ") + line
    return text


def _seconds(time: str) -> float:
    seconds = 0.0
    for part in time.replace(",", ".").split(":"):
        seconds = seconds * 60 + float(part)
    return seconds
