"""The provisional tier: predicted influence where something was learned, else support alone."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from haozhi.attribution import provisional
from haozhi.attribution.attribute import ShareRules
from haozhi.attribution.calibration import (
    METHOD,
    Calibration,
    file_name,
    find_calibration,
    load_calibration,
    save_calibration,
    weights_of,
)
from haozhi.attribution.context import Case
from haozhi.attribution.provisional import attribute_provisionally
from haozhi.attribution.signals import Signals, read_signals
from haozhi.models.generator import Generator
from store.errors import BadInput
from store.records.answers import Attribution
from tests.cases import a_case, backed, by
from tests.tiny import scored, tiny

_RULES = ShareRules(support_ppm=500_000, noise_floor_ppb=0)
_RETRIEVAL = [0.9, 0.8, 0.7, 0.6]


def learned(model: str = "gemma", lds: float = 0.8) -> Calibration:
    """A calibration of the tiny models, of 8 heads."""
    heads = tuple(0.1 * n for n in range(8))
    return Calibration(model, heads, 0.2, 0.5, 0.3, 20_000_000, lds, {"seed": 0})


def the_case(generator: Generator) -> Case:
    """Four statements of three authors; 1 and 3 back one half of the answer, 1 or 2 the other."""
    support = (backed((1.0, (11, 13))), backed((1.0, (11,)), (0.9, (12,))))
    case = a_case([by("a"), by("b"), by("c"), by("a")], support)
    given = scored(generator)
    half = len(given.answer_ids) // 2
    segments = ((0, half), (half, len(given.answer_ids)))
    return replace(case, scored=given, segments=segments)


def attributed(generator: Generator, calibration: Calibration | str) -> Attribution:
    """The provisional attribution of that case."""
    case = the_case(generator)
    return attribute_provisionally(generator, "an1", case, _RETRIEVAL, calibration, _RULES, 5)


def test_without_a_calibration_everything_that_backs_counts_as_used() -> None:
    """The method is `support`, nothing is unattributed as known, and the reason is kept."""
    found = attributed(tiny("gemma"), "nothing was learned of it")
    assert (found.tier, found.method) == ("provisional", "support")
    assert found.unattributed.already_known == 0
    assert found.detail == {"no_calibration": "nothing was learned of it"}
    assert all(s.influence_nats is None and s.attention is None for s in found.signals)


def test_what_is_predicted_is_kept_with_its_method() -> None:
    """Every signal is filled, the influence sums to what the statements add, the shares to 1."""
    found = attributed(tiny("gemma"), learned())
    assert (found.tier, found.method) == ("provisional", METHOD)
    assert found.v_all is not None
    assert found.v_none is not None
    influence = [s.influence_nats or 0 for s in found.signals]
    assert sum(influence) == pytest.approx(max(found.v_all - found.v_none, 0))
    assert all(s.attention is not None and s.gradient is not None for s in found.signals)
    assert sum(p.share_ppb for p in found.pairs) + found.unattributed.total == 10**9
    assert found.detail["calibration"]["model"] == "gemma"
    assert {p.author_id for p in found.pairs} <= {"a", "b", "c"}


def test_the_same_answer_is_predicted_the_same() -> None:
    """Two runs, and a run whose prompt is no longer kept, give equal attributions."""
    generator = tiny("gemma")
    first = attributed(generator, learned())
    assert attributed(generator, learned()) == first
    generator.kept.clear()
    assert attributed(generator, learned()) == first


def test_who_is_predicted_to_add_nothing_is_paid_for_support_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the statements add nothing, half of each backed part goes to what was known."""

    def nothing_added(*_: object) -> Signals:
        return Signals(np.ones((2, 8, 4)), np.ones(4), np.ones(4), -np.ones(2), -np.ones(2))

    monkeypatch.setattr(provisional, "read_signals", nothing_added)
    case = replace(the_case(tiny("gemma")), segments=((0, 1), (1, 2)))
    found = attribute_provisionally(tiny("gemma"), "an1", case, _RETRIEVAL, learned(), _RULES, 5)
    assert found.unattributed.already_known == 500_000_000
    assert [s.influence_nats for s in found.signals] == [0, 0, 0, 0]


def test_a_prediction_is_not_negative_and_sums_to_what_is_known() -> None:
    """A statement with negative weight adds 0; a segment that statements make less likely, too."""
    signals = read_signals(tiny("gemma"), scored(tiny("gemma")), _RETRIEVAL)
    signals = replace(signals, none=signals.full - 0.5)
    found = learned().predict(signals, 0, 4)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(2.0)
    assert not learned().predict(replace(signals, none=signals.full + 1), 0, 4).any()


def test_a_calibration_is_read_as_it_was_written(tmp_path: Path) -> None:
    """One file per model, under the name of its weights, whatever their number format."""
    path = tmp_path / "new" / file_name("gemma/float32")
    save_calibration(learned(), path)
    assert load_calibration(path) == learned()
    assert [p.name for p in path.parent.iterdir()] == ["gemma.json"]
    assert find_calibration(path.parent, "gemma/bfloat16") == learned()
    assert weights_of("qwen@1/float32") == "qwen@1" == weights_of("qwen@1")
    assert file_name("my model/v2@1/float32") == "my_model_v2@1.json"


def test_what_does_not_fit_is_not_used_and_says_why(tmp_path: Path) -> None:
    """No file, another model's, one that predicts too little, or a damaged one: a reason."""
    path = tmp_path / "gemma.json"
    assert "run haozhi calibrate" in str(find_calibration(tmp_path, "gemma/float32"))
    save_calibration(learned("llama"), path)
    assert "nothing was learned of gemma" in str(find_calibration(tmp_path, "gemma/float32"))
    save_calibration(learned(lds=0.49), path)
    assert "LDS 0.49" in str(find_calibration(tmp_path, "gemma/float32"))
    for damaged in ("", "[]", "{}", '{"method": "learned/1"}', "\x00"):
        path.write_text(damaged)
        assert "run haozhi calibrate" in str(find_calibration(tmp_path, "gemma/float32"))
    path.write_text(json.dumps({"method": "learned/0"}))
    with pytest.raises(BadInput, match="another haozhi"):
        load_calibration(path)
