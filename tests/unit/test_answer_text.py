"""An answer in words: every state that a part, a share or a fee can be in is said plainly."""

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from haozhi.cli.answer_text import answer_lines
from haozhi.cli.bars import CELLS, bar, column

THIRD = 333_333_333


def _view(**changed: Any) -> dict[str, Any]:
    """An answer of three segments: backed by two statements, by nothing, and denied."""
    return {
        "id": "an1",
        "state": "answered",
        "question": "Q?",
        "text": "One. Two. Three.",
        "language": "en",
        "model": "builtin:m",
        "segments": [
            _segment(0, 4, [(7, 2 * 10**8)], sets=[[7, 8], [9]]),
            _segment(5, 9),
            _segment(10, 16, denied=[9]) | {"also": [4]},
        ],
        "also": [_entry(4, "D", "four")],
        "over_budget": [],
        "context": [_entry(7, "A", "seven"), _entry(8, None, "eight"), _entry(9, "A", None)],
        "shares": [_share("h1", "A", 2 * 10**8), _share(None, None, 0)],
        "unattributed": {
            "unsupported": THIRD,
            "already_known": 133_333_334,
            "below_noise": 0,
            "disagree": THIRD,
        },
        "grounding": 0.5,
        "tier": "final",
        "moved_ppb": 10**8,
        "fee_micro": 10**6,
        "postings": [
            {"from": "asker:q", "account": "holder:1", "amount_micro": 150_000},
            {"from": "asker:q", "account": "holder:2", "amount_micro": 50_000},
            {"from": "asker:q", "account": "reserve:unattributed", "amount_micro": 800_000},
        ],
        **changed,
    }


def _segment(
    start: int,
    end: int,
    cited: list[tuple[int, int]] | None = None,
    sets: list[list[int]] | None = None,
    denied: list[int] | None = None,
) -> dict[str, Any]:
    return {
        "start": start,
        "end": end,
        "weight": 1 / 3,
        "state": "disagree" if denied else "context" if cited else "memory",
        "citations": [{"statement_id": i, "share_ppb": ppb} for i, ppb in cited or ()],
        "supports": [{"set": s, "strength": 1.0, "method": "chain"} for s in sets or ()],
        "contradicts": denied or [],
        "also": [],
    }


def _entry(statement: int, author: str | None, text: str | None) -> dict[str, Any]:
    return {
        "statement_id": statement,
        "text": text,
        "display": "deleted" if text is None else "whole",
        "authors": [{"id": "a1", "name": author}] if author else [],
        "work": {"id": "w1", "title": "notes"} if text else None,
    }


def _share(author: str | None, name: str | None, ppb: int) -> dict[str, Any]:
    return {
        "author_id": author,
        "name": name,
        "share_ppb": ppb,
        "low_ppb": ppb // 2,
        "high_ppb": ppb,
        "relation": None,
    }


def test_each_part_says_what_it_rests_on() -> None:
    """Statements that are needed together are joined by +, alternatives by or; the rest is said."""
    lines = list(answer_lines(_view()))
    assert lines[6:13] == [
        "  One. [1]",
        "      rests on [1] + [2] or [3] (linked terms); 20.0 % cited, 13.3 % already known",
        "  Two.",
        "      unsupported: no statement backs this",
        "  Three. [3]",
        "      sources disagree: [3] says otherwise",
        "      also says so, but was not read for this answer: D · notes",
    ]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "sources disagree: [1] + [2] says so, [3] says otherwise"),
        ("zh", "来源说法不一：[1] + [2] 这样说，[3] 说法不同"),
    ],
)
def test_both_sides_of_a_disagreement_are_named(language: str, line: str) -> None:
    """Who says it and who denies it stand beside the part, in both languages."""
    part = _segment(0, 4, sets=[[7, 8]], denied=[9])
    lines = list(answer_lines(_view(language=language, segments=[part], also=[])))
    assert lines[6:8] == ["  One. [1][2][3]", f"      {line}"]


def test_each_number_is_one_statement() -> None:
    """The list of sources names author, work and text; an unknown author and a removed text too."""
    lines = list(answer_lines(_view()))
    start = lines.index("Sources") + 1
    assert lines[start : start + 6] == [
        "  [1] A · notes",
        "      seven",
        "  [2] unknown author · notes",
        "      eight",
        "  [3] A",
        "      (removed)",
    ]


@pytest.mark.parametrize(
    ("display", "text", "line"),
    [
        ("whole", "{seven}", "{seven}"),
        ("cut", "sev", "sev…"),
        ("forbidden", None, "(its rights holder allows nobody to see it)"),
        ("not_granted", None, "(no grant allows it to be shown any more)"),
    ],
)
def test_a_text_is_shown_as_it_may_be(display: str, text: str | None, line: str) -> None:
    """What is cut ends in an ellipsis, and what is not shown says why."""
    entry = _entry(7, "A", text) | {"display": display}
    lines = list(answer_lines(_view(context=[entry, *_view()["context"][1:]])))
    assert lines[lines.index("Sources") + 2] == f"      {line}"


def test_what_the_display_budget_left_out_is_told() -> None:
    """The asker learns that an answer lacks statements, and why."""
    assert "Left out: 2 near statements" in list(answer_lines(_view(over_budget=[4, 5])))[3]


def test_every_author_and_every_cause_has_a_bar() -> None:
    """Shares come with their interval where it is one, causes with what they mean."""
    lines = list(answer_lines(_view()))
    rows = lines[lines.index("Shares of the answer") + 1 :][:5]
    assert [row.split("%")[1].strip() for row in rows] == [
        "10.0–20.0",
        "",
        "not backed, or not fully",
        "the model already knew it",
        "the sources disagree",
    ]
    assert [row.count("█") > 0 for row in rows] == [True, False, False, False, False]


def test_what_was_posted_is_one_line() -> None:
    """All authors' accounts together, each reserve by its name."""
    expected = "Answer an1: fee 1.000000 credits, 0.200000 to the authors, 0.800000 unattributed."
    assert list(answer_lines(_view()))[-1] == expected


@pytest.mark.parametrize(
    ("changed", "last"),
    [
        ({"postings": [], "fee_micro": 0}, "Answer an1: no fee."),
        (
            {"tier": "provisional", "postings": []},
            "Answer an1: provisional, nothing is booked yet (haozhi ledger settle).",
        ),
    ],
)
def test_what_was_not_posted_is_said(changed: dict[str, Any], last: str) -> None:
    """No fee and no entry yet are two things."""
    assert list(answer_lines(_view(**changed)))[-1] == last


def test_what_moved_on_is_counted_where_it_is() -> None:
    """After a dispute that went on and a refund, the parts still sum to the fee."""
    view = _view()
    moves = [
        ("holder:1", "reserve:disputed", 150_000),
        ("reserve:disputed", "holder:3", 150_000),
        ("holder:2", "asker:q", 20_000),
        ("owed:2", "asker:q", 10_000),
    ]
    view["postings"] += [
        {"from": source, "account": to, "amount_micro": amount} for source, to, amount in moves
    ]
    assert list(answer_lines(view))[-1] == (
        "Answer an1: fee 1.000000 credits, 0.170000 to the authors, 0.800000 unattributed,"
        " 0.030000 back to the asker."
    )


@pytest.mark.parametrize(("grounding", "said"), [(0.19, True), (-1.0, True), (0.2, False)])
def test_low_grounding_is_said_in_words(grounding: float, said: bool) -> None:
    """Low or negative grounding means that the model also knew it; nothing is refused for it."""
    text = "\n".join(answer_lines(_view(grounding=grounding)))
    assert ("The model also knew this" in text) == said


def test_unmeasured_grounding_is_not_low() -> None:
    """Unknown and low are two things."""
    assert "also knew" not in "\n".join(answer_lines(_view(grounding=None)))


def test_a_refusal_is_short_and_not_ai_generated() -> None:
    """A refused question has its text, a hint when nothing was found, and no fee."""
    view = _view(state="refused", refusal="nothing_found", text="不。", language="zh", postings=[])
    assert list(answer_lines(view)) == [
        "Q?",
        "",
        "不。",
        "库中没有与问题相近的陈述；可用 haozhi ingest 收录。",
        "答案 an1：不收费。",
    ]


def test_both_languages_have_the_same_words() -> None:
    """Chinese and English count the same: no entry of one is missing in the other."""
    table = tomllib.loads(files("haozhi.cli").joinpath("answer_words.toml").read_text("utf-8"))
    assert set(table) == {"zh", "en"}
    assert _keys(table["zh"]) == _keys(table["en"])


def _keys(table: dict[str, Any]) -> dict[str, Any]:
    return {key: _keys(value) if isinstance(value, dict) else None for key, value in table.items()}


def test_a_bar_is_as_long_as_the_share() -> None:
    """Nothing is empty, the whole is full, a trace still shows, and each bar has one width."""
    for solid, blocks in ((True, True), (False, True), (True, False), (False, False)):
        drawn = [bar(ppb, solid=solid, blocks=blocks) for ppb in (0, 1, 5 * 10**8, 10**9)]
        assert {len(each) for each in drawn} == {CELLS}
        filled = [len(each.strip()) for each in drawn]
        assert filled == [0, 1, CELLS // 2, CELLS]
        assert all(each.isascii() for each in drawn) or blocks


def test_a_column_is_as_wide_as_its_widest_text() -> None:
    """A Chinese character takes two cells; a text that is too long is cut."""
    assert column(["林晓禾", "A", "未归属物"]) == ["林晓禾  ", "A       ", "未归属物"]
    assert column(["abcdef"], most=4) == ["abcd"]
    assert column([]) == []


def test_tiers_that_disagree_by_more_than_twenty_points_are_told() -> None:
    """What the provisional shares said is known to have been far off; less is not told."""
    line = "The final shares differ from the provisional ones by up to 25.0 %."
    assert line in list(answer_lines(_view(moved_ppb=250_000_000)))
    for moved in (None, 0, 200_000_000):
        assert line[:20] not in "\n".join(answer_lines(_view(moved_ppb=moved)))
