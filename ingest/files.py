"""Which files a path stands for, and their bytes."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ingest.mapping import is_beside
from store.errors import BadInput

MAX_BYTES = 256 * 1024 * 1024
"""Largest file that is read."""


def files_in(paths: Iterable[Path]) -> Iterator[Path]:
    """The paths in order, a folder replaced by the files under it.

    Hidden files are left out of folders, and anywhere what says something of the files beside it.

    A folder without any file stays, so that reading it says so.
    """
    for path in paths:
        files = sorted(_walk(path)) if is_folder(path) else []
        yield from files or ([] if is_beside(path) else [path])


def read_bytes(path: Path) -> bytes:
    """The content of a file. Raises BadInput when it is none, too large or cannot be read."""
    try:
        if is_folder(path):
            next(path.iterdir(), None)  # raises for a folder that cannot be looked into
            raise BadInput("there is no file in this folder")
        if not path.is_file():
            raise BadInput("this is no ordinary file" if path.exists() else "no such file")
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"larger than {MAX_BYTES // 1024**2} MiB: split it")
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}") from error


def shown(path: Path) -> str:
    """The path as text that can be printed and stored, whatever bytes its name has."""
    return os.fsencode(path).decode("utf-8", "replace")


def place(path: str) -> str:
    """Where a file lies, the same from every folder; a link is a place of its own."""
    return os.path.abspath(path)  # noqa: PTH100  Path.resolve follows links


def may_hold(source: str, byte_hash: str) -> bool:
    """Whether the file at this place has bytes of this SHA-256 (hex); one in an archive, or one
    that cannot be read, may have them.
    """
    path = Path(source)
    there = next((each for each in (path, *path.parents) if os.path.lexists(each)), path)
    if there != path:
        return not is_folder(there)
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest() == byte_hash
    except BadInput:
        return True


def is_folder(path: Path) -> bool:
    """Whether there is a folder, which may be closed."""
    return os.path.isdir(path)  # noqa: PTH112  Path.is_dir raises where access is denied


def _walk(folder: Path) -> Iterator[Path]:
    closed: list[Path] = []
    for root, folders, names in os.walk(folder, onerror=lambda e: closed.append(Path(e.filename))):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found = (Path(root, name) for name in names if not name.startswith("."))
        yield from (path for path in found if not is_beside(path))
    yield from closed  # reading them says why
