"""Methods side by side on a tiny model: what each must say, and what is measured only once."""

from pathlib import Path

import pytest

from haozhi.answering.prompt import Prompt
from haozhi.attribution.values import Scored
from haozhi.evaluation.attribution.items import Item
from haozhi.evaluation.attribution.methods import METHODS, ORDERS
from haozhi.evaluation.attribution.orders import compare_orders, reordered
from haozhi.evaluation.attribution.posing import Posed
from haozhi.evaluation.attribution.removal import blocks, without
from haozhi.evaluation.attribution.rows import open_rows
from haozhi.evaluation.attribution.run import check_methods, measure
from haozhi.evaluation.attribution.summary import summarise, summarise_orders
from haozhi.evaluation.attribution.table import table
from haozhi.models.generator import Generator
from haozhi.prompts import load_template
from store.errors import UsageError
from tests.tiny import scored, tiny

STATEMENTS = ("3 + 1 = 4", "1 + 1 = 2", "the sea is deep", "2 + 1 = 3")
TESTED = tuple(name for name in METHODS if not name.startswith("contextcite"))


def _silent(_line: str) -> None:
    pass


def _posed(generator: Generator) -> Posed:
    found = scored(generator)
    item = Item(
        id="sum",
        source="test",
        kind="conjunction",
        language="en",
        question="1 + 1 + 1 = ?",
        statements=STATEMENTS,
        authors=("A", "B", "C", "D"),
        relevant=frozenset({1, 3}),
        answer="3",
    )
    prompt = Prompt(found.prompt_ids, found.spans, found.tail_start)
    template = load_template("tiny", "en", "sum")
    return Posed(item, (0.9, 0.8, 0.7, 0.6), template, prompt, found, "3")


def test_every_method_is_measured_once(tmp_path: Path) -> None:
    """A second run takes every row from the file; `again` measures one method anew."""
    generator = tiny("gemma")
    posed, said = [_posed(generator)], list[str]()
    with open_rows(tmp_path / "rows.jsonl") as rows:
        first = measure(generator, posed, rows, most={}, only=TESTED, say=_silent)
    with open_rows(tmp_path / "rows.jsonl") as rows:
        measured = measure(generator, posed, rows, most={}, only=TESTED, say=said.append)
        assert measured == first
        again = measure(
            generator, posed, rows, most={}, only=["loo"], again=["loo"], say=said.append
        )
    assert [line.split()[0] for line in said if "nothing" not in line] == ["loo"]
    assert again["exact"] == first["exact"]
    assert again["loo"][posed[0].key].influence == first["loo"][posed[0].key].influence


def test_what_methods_say_adds_up(tmp_path: Path) -> None:
    """Shapley values, exact or estimated, sum to v(all) - v(none) of their game; figures follow."""
    generator = tiny("llama")
    posed = _posed(generator)
    with open_rows(tmp_path / "rows.jsonl") as rows:
        measured = measure(generator, [posed], rows, most={}, only=TESTED, say=_silent)
    found = {name: by_item[posed.key] for name, by_item in measured.items() if by_item}
    for yardstick, names in (
        ("exact", ("exact", "paired", "antithetic")),
        ("removal", ("removal",)),
    ):
        values = found[yardstick].values
        assert len(values) == 16
        for name in names:
            assert sum(found[name].influence) == pytest.approx(values[-1] - values[0], abs=1e-3)
    methods = summarise([posed], measured)
    assert ORDERS not in methods
    assert methods["exact"]["tv"] == methods["removal"]["tv_removal"] == 0.0
    assert all(-1 <= figures["lds"] <= 1 for figures in methods.values())
    assert all(0 <= figures["citation_p"] <= 1 for figures in methods.values())
    assert methods["paired"]["by_kind"]["conjunction"]["n"] == 1
    lines = list(table(methods, summarise_orders([posed], measured)))
    assert any(line.startswith("Two random orders") for line in lines)


def test_a_method_may_be_measured_on_fewer_items(tmp_path: Path) -> None:
    """`most` bounds a method's items; the others have all of them."""
    generator = tiny("llama")
    with open_rows(tmp_path / "rows.jsonl") as rows:
        measured = measure(
            generator,
            [_posed(generator)],
            rows,
            most={"loo": 0},
            only=("loo", "paired"),
            say=_silent,
        )
    assert (len(measured["loo"]), len(measured["paired"])) == (0, 1)


def test_a_method_that_is_none_is_a_usage_error() -> None:
    """The line names it and lists those that there are."""
    with pytest.raises(UsageError, match=r"no method best: there are removal, exact"):
        check_methods(["exact", "best"])


def test_another_order_keeps_every_statement_and_its_number() -> None:
    """Each statement has the same tokens in any order, and what is removed is the same text."""
    generator = tiny("gemma")
    found = scored(generator)
    turned = reordered(found, (2, 0, 3, 1))
    assert blocks(turned) == {number: blocks(found)[number] for number in (2, 0, 3, 1)}
    assert list(blocks(turned)) == [2, 0, 3, 1]
    assert without(turned, frozenset({1})) == without(found, frozenset({1}))
    assert reordered(found, range(4)) == found
    assert turned.tail_ids == found.tail_ids


def test_orders_that_do_not_matter_are_not_apart() -> None:
    """Influence that follows the statement gives TV 0, one that follows the place 1."""
    found = scored(tiny("gemma"))
    own = compare_orders(found, lambda _: (3.0, 1.0, 0.0, 2.0), seed=0)
    assert own["tv"] == own["tv_averaged"] == pytest.approx(0.0)

    def last(turned: Scored) -> list[float]:
        starts = [start for start, _ in turned.spans]
        return [float(start == max(starts)) for start in starts]

    places = compare_orders(found, last, seed=0)
    assert places["tv"] == 1.0
