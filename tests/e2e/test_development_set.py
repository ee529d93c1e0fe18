"""The development set through the real `ask`: the figures that the product promises."""

from pathlib import Path

import pytest

from haozhi.evaluation.devset import load_devset
from haozhi.evaluation.metrics import summarise
from haozhi.evaluation.run_answers import run_answers
from haozhi.settings import load_settings

DEVSET = Path(__file__).parents[1] / "devset"


@pytest.mark.slow
def test_the_development_half_is_answered_as_promised(model_dir: Path) -> None:
    """In each language .70 of the answerable are right and at most .10 refused; .85 are refused
    of those that nothing answers."""
    devset = load_devset(DEVSET, "dev")
    asked = run_answers(load_settings(model_dir=model_dir), devset, devset.items)
    figures = summarise([each.result for each in asked])
    assert set(figures) == {"en", "zh"}
    for language, found in figures.items():
        assert found["accuracy"]["rate"] >= 0.70, (language, found)
        assert found["false_refusals"]["rate"] <= 0.10, (language, found)
        assert found["refusals"]["rate"] >= 0.85, (language, found)
