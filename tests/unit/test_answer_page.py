"""What an answer's page is made of: numbers per work, states of parts, slices of the bar."""

from typing import Any

from haozhi.web.answer_page import answer_page
from tests.fake_service import ANSWER, PLACE

Json = dict[str, Any]


def _entry(statement_id: int, work: str | None) -> Json:
    title = {"id": work, "title": f"title of {work}"} if work else None
    return {**ANSWER["context"][1], "statement_id": statement_id, "work": title}


def _segment(start: int, **told: Any) -> Json:
    none: Json = {"state": "context", "citations": [], "supports": [], "contradicts": []}
    return {"start": start, "end": start + 2, "weight": 0.5, **none, **told}


def _cites(*ids: int) -> Json:
    return {
        "citations": [{"statement_id": i, "share_ppb": 1} for i in ids],
        "supports": [{"set": list(ids), "strength": 1.0, "method": "terms"}],
    }


def _page(segments: list[Json], entries: list[Json], **told: Any) -> Any:
    answer = ANSWER | {"text": "甲。乙。", "segments": segments, "context": entries} | told
    return answer_page(answer, {entry["statement_id"]: PLACE for entry in entries})


def test_a_work_has_one_number_and_its_statements_letters() -> None:
    """Numbers go by first mention; unknown works are apart."""
    entries = [_entry(1, "w"), _entry(2, "v"), _entry(3, "w"), _entry(4, None), _entry(5, None)]
    page = _page([_segment(0, **_cites(3, 2)), _segment(2, **_cites(1, 4, 5))], entries)
    labels = [(w.number, w.title, [s.label for s in w.sources]) for w in page.works]
    assert labels == [
        (1, "title of w", ["1a", "1b"]),
        (2, "title of v", ["2"]),
        (3, None, ["3"]),
        (4, None, ["4"]),
    ]
    assert [s.entry["statement_id"] for s in page.works[0].sources] == [3, 1]
    assert [[s.label for s in part.sources] for part in page.parts] == [
        ["1a", "2"],
        ["1b", "3", "4"],
    ]
    assert page.others == ()


def test_both_sides_of_a_disagreement_are_cited() -> None:
    """A part that the sources disagree on names who says it and who denies it."""
    told = _cites(1) | {"citations": [], "contradicts": [2], "state": "disagree"}
    page = _page([_segment(0, **told)], [_entry(1, "w"), _entry(2, "v")])
    assert [(part.state, part.rests) for part in page.parts] == [("disagree", (1, 2)), ("", ())]
    assert [source.label for source in page.parts[0].sources] == ["1", "2"]


def test_the_slices_are_the_whole() -> None:
    """Authors and causes stand one after the other and fill the bar; nothing empty is drawn."""
    page = answer_page(ANSWER, {3: PLACE, 7: PLACE})
    slices = [(s.start_ppb, s.share_ppb, s.tone, s.cause) for s in page.slices]
    assert slices == [
        (0, 600_000_000, "series-1", ""),
        (600_000_000, 400_000_000, "nobody", "already_known"),
    ]
    assert [s.entry["statement_id"] for s in page.others] == [3]
