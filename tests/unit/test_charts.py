"""Rules of the charts of a credit report."""

import os
import subprocess
import sys
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from haozhi.language import Language
from haozhi.reports.charts import Figure, earned_chart, shares_chart, waterfall_chart
from haozhi.reports.charts.axes import ticks
from haozhi.reports.charts.figure import TONES, Bar, Label
from haozhi.reports.charts.shares import earned_shares
from haozhi.reports.words import cut, words
from tests.credit_reports import a_credit_report, a_line_of

SVG = "{http://www.w3.org/2000/svg}"
LANGUAGES: tuple[Language, ...] = ("zh", "en")
NOW_AND_THEN = [(1, {"论语": 3_000_000, "Tea": 500_000}), (2, {"论语": -2_000_000})]


def bars(figure: Figure) -> list[Bar]:
    """The bars that stand for an amount or a count."""
    return [mark for mark in figure.marks if isinstance(mark, Bar) and mark.note]


def labels(figure: Figure) -> list[str]:
    """All texts of the figure."""
    return [mark.text for mark in figure.marks if isinstance(mark, Label)]


def test_svg_names_itself_to_screen_readers() -> None:
    """A chart is one image with a title and, in words, everything it shows."""
    root = ET.fromstring(earned_chart(NOW_AND_THEN, "zh").svg())
    assert root.get("role") == "img"
    assert root.get("lang") == "zh"
    named = [root.find(f"*[@id='{each}']") for each in (root.get("aria-labelledby") or "").split()]
    assert [element.text for element in named if element is not None] == [
        "各期收入（按作品）",
        "第 1 期：3.500000；第 2 期：-2.000000",
    ]


def test_svg_takes_its_text_colour_from_the_page_and_nothing_from_elsewhere() -> None:
    """No script, style sheet, link or font file; text and rules are currentColor."""
    root = ET.fromstring(earned_chart(NOW_AND_THEN, "en").svg())
    assert root.get("fill") == "currentColor"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        *("svg", "title", "desc", "rect", "line", "text")
    }
    assert {line.get("stroke") for line in root.iter(f"{SVG}line")} == {"currentColor"}
    assert not any(text.get("fill") for text in root.iter(f"{SVG}text"))


@pytest.mark.parametrize("paper", ["#ffffff", "#121212"])
def test_every_tone_is_seen_on_light_and_dark_paper(paper: str) -> None:
    """A bar's contrast with the paper is at least 3:1, as WCAG asks of graphics."""

    def luminance(colour: str) -> float:
        parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        linear = [((c + 0.055) / 1.055) ** 2.4 if c > 0.04 else c / 12.92 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for tone in TONES.values():
        dark, light = sorted((luminance(tone), luminance(paper)))
        assert (light + 0.05) / (dark + 0.05) >= 3


def test_titles_of_works_cannot_break_out_of_the_drawing() -> None:
    """Markup in a title is text, and a control character is not written at all."""
    title = '</text><script>alert("1")</script>&\x00\x1b\ud800'
    text = earned_chart([(1, {title: 5})], "en").svg()
    texts = [element.text or "" for element in ET.fromstring(text).iter()]
    assert "<script" not in text
    assert any(each.startswith('</text><script>alert("1")</script>&���,') for each in texts)


def test_earned_bars_are_as_high_as_their_amounts() -> None:
    """Gains are stacked upwards from zero and losses hang below it, on one scale."""
    tea, first, lost = sorted(bars(earned_chart(NOW_AND_THEN, "en")), key=lambda b: (b.x, b.y))
    assert [tea.note, first.note, lost.note] == [
        "Tea, period 1: 0.500000",
        "论语, period 1: 3.000000",
        "论语, period 2: -2.000000",
    ]
    assert tea.height == pytest.approx(first.height / 6)
    assert lost.height == pytest.approx(first.height * 2 / 3)
    assert tea.y + tea.height == pytest.approx(first.y)
    assert lost.y == pytest.approx(first.y + first.height)
    assert first.tone == lost.tone != tea.tone


def test_works_beyond_the_sixth_share_one_bar_and_no_amount_is_lost() -> None:
    """The largest works have their own colour; the others are summed and say how many they are."""
    figure = earned_chart([(1, {f"work {n}": n * 1_000_000 for n in range(1, 10)})], "zh")
    shown = bars(figure)
    assert len(shown) == 7
    assert shown[-1].note == "其他 3 部作品，第 1 期：6.000000"
    assert figure.description == "第 1 期：45.000000"
    assert len({bar.tone for bar in shown}) == 7


def test_a_single_seventh_work_keeps_its_name() -> None:
    """Nobody becomes `1 other works`."""
    figure = earned_chart([(1, {f"work {n}": n for n in range(1, 8)})], "en")
    assert "work 1" in labels(figure)
    assert not any("other" in text for text in labels(figure))


def test_many_periods_are_named_as_far_as_there_is_room() -> None:
    """Labels of the periods never run into each other."""
    figure = earned_chart([(n, {"a": n}) for n in range(100, 200)], "en")
    places = [m.x for m in figure.marks if isinstance(m, Label) and m.anchor == "middle"]
    assert 10 < len(places) < 30
    assert all(after - before > 20 for before, after in pairwise(places))


def test_histogram_counts_every_share_in_its_tenth() -> None:
    """An edge belongs to the higher tenth and a whole answer to the last."""
    figure = shares_chart(iter([0, 99_999_999, 100_000_000, 10**9]), "en")
    assert figure.description.startswith("0–10 %: 2 lines; 10–20 %: 1 lines; 20–30 %: 0 lines")
    assert figure.description.endswith("90–100 %: 1 lines")
    assert [bar.height for bar in bars(figure)] == pytest.approx([220, 110, 110])


def test_histogram_is_of_what_was_earned() -> None:
    """A refund of a line and a line without a share are not counted."""
    lines = [
        a_line_of("an1", 1, 5, share_ppb=7),
        a_line_of("an1", 1, -5, share_ppb=7, reason="refund"),
        a_line_of("an1", None, -5, share_ppb=None, reason="payout"),
        a_line_of("an1", 1, 5, share_ppb=9, reason="grant"),
    ]
    assert list(earned_shares(lines)) == [7, 9]


def test_waterfall_steps_from_opening_to_closing() -> None:
    """Each row begins at the level where the row above ended, with its exact signed amount."""
    report = a_credit_report(
        opening=2_000_000, earned=3_000_001, paid=1_000_000, deductions=500_000
    )
    figure = waterfall_chart(report, "zh")
    assert figure.description == (
        "期初余额 2.000000；收入 3.000001；调整 0.000000；代扣 -0.500000；抵扣欠款 0.000000；"
        "争议转出 0.000000；转回 0.000000；已支付 -1.000000；期末余额 3.500001"
    )
    opening, earned, deducted, paid, closing = bars(figure)
    assert opening.x + opening.width == pytest.approx(earned.x)
    assert earned.x + earned.width == pytest.approx(deducted.x + deducted.width)
    assert deducted.x == pytest.approx(paid.x + paid.width)
    assert paid.x == pytest.approx(closing.x + closing.width)
    assert closing.x == opening.x
    assert [bar.tone for bar in (earned, deducted, paid)] == ["plus", "minus", "minus"]


def test_waterfall_that_dips_below_zero_stays_in_the_drawing() -> None:
    """What was disputed before it was released lies left of the zero line, never outside."""
    disputed, released = bars(waterfall_chart(a_credit_report(disputed=5, released=5), "en"))
    assert (disputed.x, disputed.width) == (released.x, released.width)
    assert disputed.x >= 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_charts_without_amounts_say_so(language: Language) -> None:
    """No lines and only zeros give a sentence instead of axes."""
    for figure in (
        earned_chart([], language),
        earned_chart([(1, {}), (2, {"a": 0})], language),
        shares_chart([], language),
        waterfall_chart(a_credit_report(), language),
    ):
        assert labels(figure) == [words(language)["empty"]]


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (0, 7), (-7, 0), (-3, 4), (0, 10**18), (-(10**18), 1), (5, 9), (0, 0)]
)
def test_ticks_are_round_and_reach_over_the_values(low: int, high: int) -> None:
    """At most seven whole values, evenly apart, zero among them."""
    found = list(ticks(low, high))
    assert found[0] <= low
    assert found[-1] >= high
    assert 0 in found
    assert 2 <= len(found) <= 7
    assert str(found[1] - found[0]).strip("0") in {"1", "2", "5"}


def test_cut_titles_fit_and_say_that_they_are_cut() -> None:
    """A Chinese character takes twice the room of a Latin one."""
    assert cut("论语", 2) == "论语"
    assert cut("论语译注", 3) == "论语…"
    assert cut("abcdefgh", 3.5) == "abcd…"


def test_reports_have_the_same_words_in_both_languages() -> None:
    """A text that one language lacks would fail for its readers only."""

    def keys(table: dict[str, object], path: str = "") -> set[str]:
        found = set()
        for key, value in table.items():
            found |= keys(value, f"{path}{key}.") if isinstance(value, dict) else {path + key}
        return found

    assert keys(words("zh")) == keys(words("en"))


def test_charts_have_the_same_bytes_in_every_process() -> None:
    """Nothing depends on the order of sets, on clocks or on the machine's language."""
    code = (
        "from haozhi.reports.charts import earned_chart, shares_chart;"
        "print(earned_chart([(1, {str(n): n * n for n in range(9)})], 'zh').svg(),"
        " shares_chart(range(0, 10**9, 10**7), 'en').svg())"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
