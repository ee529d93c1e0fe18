"""`haozhi eval fairness` and `eval bias` as users run them, paid by support as if all was used."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer
from typer.testing import CliRunner

from haozhi.attribution.attribute import ShareRules, shares_of
from haozhi.attribution.context import Case
from haozhi.attribution.shares import Shares
from haozhi.attribution.support import FoundSet, SegmentSupport
from haozhi.cli import app
from haozhi.models.generator import Generator
from haozhi.models.resolve import resolve_model
from haozhi.settings import Settings
from store.errors import UsageError

RUNNER = CliRunner()


def _tokens_only(settings: Settings) -> Generator:
    """The builtin generator without its weights: prompts and segments need no more."""
    tokenizer = AutoTokenizer.from_pretrained(resolve_model(settings.generator, settings))
    name = settings.generator
    return Generator(name, name, None, tokenizer, torch.device("cpu"), 32_768)


def _by_support(_: Generator, case: Case, rules: ShareRules, salt: str) -> tuple[Shares, int]:
    return shares_of(case, [lambda _segment, _coalition: 1.0], rules, salt), 0


def _everybody(_: Generator, case: Case, rules: ShareRules, salt: str) -> tuple[Shares, int]:
    """As if every statement backed everything alone."""
    backs = SegmentSupport(tuple(FoundSet((i,), 1.0, "terms") for i in case.statement_ids[-5:]))
    return _by_support(_, replace(case, support=(backs,) * len(case.support)), rules, salt)


@pytest.fixture(autouse=True)
def _models(model_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAOZHI_MODEL_DIR", str(model_dir))
    monkeypatch.setattr("haozhi.evaluation.made.posing.load_generator", _tokens_only)
    monkeypatch.setattr("haozhi.attribution.final.final_shares", _by_support)
    monkeypatch.setattr("haozhi.evaluation.bias.final_shares", _by_support)


def test_fairness_holds_and_says_so_in_one_line() -> None:
    """Each check with its bound, the worst that was found, and where."""
    result = RUNNER.invoke(app, ["eval", "fairness", "--language", "zh", "--json"])
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    found = json.loads(line)
    assert found["holds"]
    assert (found["rule"], found["cases"]) == ("used-and-supported/2", 2)
    assert len(found["checks"]) == 11
    assert all(check["worst_points"] <= check["most_points"] for check in found["checks"])


def test_a_broken_bound_is_exit_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table names the checks that do not hold, and the case."""
    monkeypatch.setattr("haozhi.attribution.final.final_shares", _everybody)
    result = RUNNER.invoke(app, ["eval", "fairness", "--language", "en"])
    assert result.exit_code == 1
    assert "BROKEN in development-1-" in result.stdout


def test_bias_compares_groups_with_intervals() -> None:
    """Five dimensions, each with groups of authors who are owed something."""
    result = RUNNER.invoke(app, ["eval", "bias", "--each", "1", "--json"])
    assert result.exit_code == 0, result.output
    dimensions = json.loads(result.stdout)["dimensions"]
    assert set(dimensions) == {"position", "language", "length", "names", "author size"}
    for groups in (each["groups"] for each in dimensions.values()):
        assert all(group["low"] <= group["mean"] <= group["high"] for group in groups.values())
    assert set(dimensions["language"]["groups"]) == {"zh", "en"}


def test_an_unknown_rule_is_refused_before_models_are_loaded() -> None:
    """One line that names the rules there are."""
    result = RUNNER.invoke(app, ["eval", "fairness", "--rule", "used/9"])
    assert isinstance(result.exception, UsageError)
