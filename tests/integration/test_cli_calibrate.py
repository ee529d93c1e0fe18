"""`haozhi calibrate`: what it writes, what it leaves alone, and what it says when it cannot."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from haozhi import calibrating, cli
from haozhi.attribution.calibration import METHOD, find_calibration, load_calibration
from haozhi.models.generator import load_generator
from haozhi.samples import sample_paths
from haozhi.settings import load_settings
from store.errors import ModelMissing, NotFound


def _here(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, list(arguments))


@pytest.fixture
def data_dir(tmp_path: Path, model_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder that the settings name."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("HAOZHI_MODEL_DIR", str(model_dir))
    return tmp_path


def test_the_builtin_model_comes_with_its_weights(data_dir: Path) -> None:
    """Without a calibration of one's own the shipped one is used, for these weights only."""
    fingerprint = load_generator(load_settings()).fingerprint
    shipped = find_calibration(data_dir / "calibrations", fingerprint)
    assert not isinstance(shipped, str)
    assert shipped.lds >= 0.65
    assert isinstance(find_calibration(data_dir, "gemma3-270m@000000000000/float32"), str)


def test_an_empty_corpus_teaches_nothing(data_dir: Path) -> None:
    """It is said in one line and nothing is written."""
    result = _here("calibrate")
    assert isinstance(result.exception, NotFound)
    assert "the corpus has 0 statements" in str(result.exception)
    assert not (data_dir / "calibrations").exists()


def test_without_a_model_nothing_is_learned(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line says how to install it (exit code 5)."""
    monkeypatch.setenv("HAOZHI_MODEL_DIR", str(data_dir / "none"))
    result = _here("calibrate", "--made")
    assert isinstance(result.exception, ModelMissing)
    assert "haozhi models install" in str(result.exception)


@pytest.mark.slow
def test_ones_own_corpus_is_learned_from(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file goes before the shipped one; a run that is interrupted leaves it as it was."""
    assert _here("ingest", "--json", *map(str, sample_paths())).exit_code == 0
    result = _here("calibrate", "--prompts", "8", "--masks", "8", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    path = Path(told["path"])
    found = load_calibration(path)
    assert path.parent == data_dir / "calibrations"
    assert json.loads(path.read_text(encoding="utf-8"))["method"] == METHOD
    assert (found.model, found.recipe["source"]) == (told["model"], "corpus")
    assert found.floor_nats == told["floor_nats"] > 0
    before = path.read_bytes()

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(calibrating, "measure", interrupted)
    assert _here("calibrate", "--prompts", "8").exit_code != 0
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]
