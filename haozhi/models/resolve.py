"""Finds the folder of a model that settings name: builtin, local folder, or Hugging Face id."""

import hashlib
from pathlib import Path

from haozhi.models.build import file_sha256
from haozhi.models.catalogue import PREFIX, get_spec
from haozhi.models.install import installed_path, is_installed, read_manifest
from haozhi.settings import Settings
from store.errors import ModelMissing

WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


def resolve_model(name: str, settings: Settings) -> Path:
    """The local folder of a model (for `builtin:e5-small` its file).

    A Hugging Face id is fetched into the hub's own cache, from HF_ENDPOINT where that is set.
    ModelMissing says in one line what is missing and what to do; UsageError: no such builtin.
    """
    if name.startswith(PREFIX):
        return _builtin(name, settings)
    if name.startswith(("/", ".", "~")) or Path(name).is_dir():
        return _local(Path(name).expanduser())
    return _hub(name)


def model_fingerprint(name: str, folder: Path) -> str:
    """Names the weights, e.g. `gemma3-270m@cf4e53823019`: equal weights, equal fingerprint.

    For a folder that haozhi did not install every weights file is read.
    """
    label = name.removeprefix(PREFIX) if name.startswith(PREFIX) else folder.resolve().name
    return f"{label}@{_weights_sha256(folder)[:12]}"


def _weights_sha256(folder: Path) -> str:
    if folder.is_file():
        return file_sha256(folder)
    if known := read_manifest(folder).get("weights_sha256"):
        return str(known)
    hashes = [file_sha256(path) for path in _weights(folder)]
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def _weights(folder: Path) -> list[Path]:
    """The weights files at the top of a model folder, safetensors before pickled ones."""
    found = (sorted(folder.glob(pattern)) for pattern in WEIGHTS)
    return next((paths for paths in found if paths), [])


def _builtin(name: str, settings: Settings) -> Path:
    spec = get_spec(name)
    if not is_installed(name, settings):
        accept = f" --accept-licence {spec.licence.accept}" if spec.licence.accept else ""
        raise ModelMissing(f"{name} is not installed: haozhi models install {name}{accept}")
    return installed_path(spec, settings)


def _local(folder: Path) -> Path:
    if not folder.is_dir():
        raise ModelMissing(f"no model folder {folder}")
    missing = []
    if not (folder / "config.json").is_file():
        missing.append("config.json")
    if not _weights(folder):
        missing.append("weights (*.safetensors)")
    if missing:
        raise ModelMissing(f"model folder {folder} has no {' and no '.join(missing)}")
    return folder


def _hub(name: str) -> Path:
    from huggingface_hub import constants, snapshot_download
    from huggingface_hub.errors import HFValidationError

    try:
        folder = snapshot_download(name, ignore_patterns=["*.gguf", "onnx/*", "openvino/*"])
    except HFValidationError as error:
        raise ModelMissing(f"{name!r} is no builtin model, folder or Hugging Face id") from error
    except (OSError, RuntimeError) as error:
        raise ModelMissing(f"{name} cannot be fetched from {constants.ENDPOINT}") from error
    return _local(Path(folder))
