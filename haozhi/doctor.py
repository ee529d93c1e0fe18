"""What is there and what is missing: database, index, models, device, mirrors."""

import os
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from haozhi.models.device import choose_device, choose_dtype
from haozhi.models.embedders import embedder_fingerprint
from haozhi.models.resolve import model_fingerprint, resolve_model
from haozhi.settings import Settings
from store.database import check
from store.engine import make_engine
from store.errors import HaozhiError, IndexMissing
from store.vectors.generations import read_manifest

TIMEOUT_S = 5
MIRRORS = {
    "HF_ENDPOINT": "https://huggingface.co",
    "PIP_INDEX_URL": "https://pypi.org/simple",
}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; not `ok` and `needed` means that haozhi cannot work."""

    name: str
    ok: bool
    needed: bool
    detail: str


def examine(settings: Settings) -> Iterator[Finding]:
    """Look at each thing in turn; nothing is created or repaired."""
    yield _examine("database", partial(_database, settings))
    for role, name in (("generator", settings.generator), ("embedder", settings.embedder)):
        yield _examine(role, partial(_model, name, settings))
    yield _examine("index", partial(_index, settings))
    yield _examine("device", partial(_device, settings))
    for variable, default in MIRRORS.items():
        yield _mirror(variable, default)


def _examine(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, ok=True, needed=True, detail=look())
    except HaozhiError as error:
        return Finding(name, ok=False, needed=True, detail=str(error))


def _database(settings: Settings) -> str:
    engine = make_engine(settings.database_url)
    for difference in check(engine):
        raise HaozhiError(difference)
    return engine.url.render_as_string(hide_password=True)


def _model(name: str, settings: Settings) -> str:
    folder = resolve_model(name, settings)
    return f"{name}, {model_fingerprint(name, folder)}, {folder}"


def _index(settings: Settings) -> str:
    manifest = read_manifest(settings.index_dir)
    if manifest is None:
        return f"{settings.index_dir}, empty until the first ingest"
    embedder = embedder_fingerprint(settings.embedder, resolve_model(settings.embedder, settings))
    if manifest.fingerprint != embedder:
        raise IndexMissing(f"made by {manifest.fingerprint}, not {embedder}: haozhi index rebuild")
    return f"{settings.index_dir}, {manifest.count} vectors by {manifest.fingerprint}"


def _device(settings: Settings) -> str:
    device = choose_device(settings.device)
    return f"{device}, {choose_dtype(settings.dtype, device)}, {settings.threads} threads"


def _mirror(variable: str, default: str) -> Finding:
    """Any HTTP answer counts as reachable; an address that somebody set is needed, ours is not."""
    named = os.environ.get(variable)
    url = named or default
    context = ssl.create_default_context(cafile=os.environ.get("PIP_CERT"))
    try:
        request = urllib.request.Request(url, method="HEAD")
        urllib.request.urlopen(request, timeout=TIMEOUT_S, context=context).close()
    except urllib.error.HTTPError as error:
        error.close()
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        return Finding(variable, ok=False, needed=named is not None, detail=f"{url}: {reason}")
    return Finding(variable, ok=True, needed=False, detail=f"{url} answers")
