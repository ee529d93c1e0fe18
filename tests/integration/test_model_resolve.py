"""Model names: builtin, folder, Hugging Face id; what is missing is said in one line."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from haozhi.models.resolve import model_fingerprint, resolve_model
from haozhi.settings import load_settings
from store.errors import ModelMissing

COMMIT = "a" * 40
FILES = {"config.json": b"{}", "model.safetensors": b"weights"}


@pytest.mark.parametrize(
    ("files", "missing"),
    [
        ([], "config.json and no weights"),
        (["config.json"], "no weights"),
        (["model.safetensors"], "no config.json"),
    ],
)
def test_an_incomplete_folder_says_what_it_lacks(
    tmp_path: Path, files: list[str], missing: str
) -> None:
    """A model folder without weights or configuration is one clear error, exit code 5."""
    for name in files:
        (tmp_path / name).touch()
    with pytest.raises(ModelMissing, match=missing) as caught:
        resolve_model(str(tmp_path), load_settings())
    assert caught.value.exit_code == 5


@pytest.mark.parametrize("name", ["/no/such/folder", "./nothing", "two words"])
def test_a_name_that_means_nothing_is_missing(name: str) -> None:
    """A path without a folder, or no name at all, is reported without asking a hub."""
    with pytest.raises(ModelMissing):
        resolve_model(name, load_settings())


def test_a_missing_builtin_names_its_command(tmp_path: Path) -> None:
    """The error of a builtin model is the command that installs it, licence included."""
    command = "haozhi models install builtin:gemma3-270m --accept-licence gemma"
    with pytest.raises(ModelMissing, match=command):
        resolve_model("builtin:gemma3-270m", load_settings(model_dir=tmp_path))


def test_equal_weights_have_equal_fingerprints(tmp_path: Path) -> None:
    """The fingerprint of a folder follows the bytes of its weights, not the other files."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    before = model_fingerprint(str(tmp_path), tmp_path)
    (tmp_path / "README.md").touch()
    assert model_fingerprint(str(tmp_path), tmp_path) == before
    (tmp_path / "model.safetensors").write_bytes(b"others")
    assert model_fingerprint(str(tmp_path), tmp_path) != before


class _Hub(BaseHTTPRequestHandler):
    """The three requests of a hub that fetching a snapshot needs."""

    def do_HEAD(self) -> None:
        self._answer(head=True)

    def do_GET(self) -> None:
        self._answer(head=False)

    def _answer(self, *, head: bool) -> None:
        path = self.path.split("?")[0]
        if path.startswith("/api/models/org/tiny/tree/"):
            tree = [
                {"type": "file", "path": n, "size": len(c), "oid": _oid(c)}
                for n, c in FILES.items()
            ]
            body = json.dumps(tree).encode()
        elif path.startswith("/api/models/org/tiny"):
            siblings = [{"rfilename": name} for name in FILES]
            body = json.dumps({"id": "org/tiny", "sha": COMMIT, "siblings": siblings}).encode()
        else:
            body = FILES.get(path.rsplit("/", 1)[-1], b"")
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", f'"{_oid(body)}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if not head:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name upstream
        """Keep the test's output clean."""


def _oid(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


@pytest.fixture
def hub() -> Iterator[str]:
    """The address of a hub on this machine that has the model org/tiny."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def _resolve(name: str, endpoint: str, cache: Path) -> subprocess.CompletedProcess[str]:
    """Resolve in a process of its own: the hub's client reads HF_ENDPOINT once, when imported."""
    code = """
import sys
from haozhi.models.resolve import resolve_model
from haozhi.settings import load_settings
print(resolve_model(sys.argv[1], load_settings()))
"""
    environment = {**os.environ, "HF_ENDPOINT": endpoint, "HF_HOME": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", code, name],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_hugging_face_id_comes_from_the_named_mirror(hub: str, tmp_path: Path) -> None:
    """An id is fetched from HF_ENDPOINT into the hub's cache and resolves to that snapshot."""
    done = _resolve("org/tiny", hub, tmp_path)
    assert done.returncode == 0, done.stderr
    folder = Path(done.stdout.strip())
    assert folder.name == COMMIT
    assert {path.name for path in folder.iterdir()} == set(FILES)


def test_without_the_hub_an_id_is_missing(tmp_path: Path) -> None:
    """A hub that cannot be reached is one line with its address."""
    done = _resolve("org/tiny", "http://127.0.0.1:9", tmp_path)
    assert "ModelMissing: org/tiny cannot be fetched from http://127.0.0.1:9" in done.stderr
