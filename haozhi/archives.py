"""Backups as files: a folder, or one tar file, whose manifest has the SHA-256 of everything."""

import hashlib
import json
import os
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from store.errors import BadInput, StoreReadOnly

MANIFEST = "backup.json"
FORMAT = 1
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Stored:
    """A file of a backup."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class BackupManifest:
    """What a backup is.

    `database` is sqlite or postgresql, `revision` its schema's. `figures` count what is in it;
    `models` are the fingerprints by role, None where the model was not installed.
    """

    haozhi: str
    created_ms: int
    database: str
    revision: str
    figures: Mapping[str, Any]
    models: Mapping[str, str | None]
    files: tuple[Stored, ...]
    format: int = FORMAT


def stored_file(folder: Path, path: Path) -> Stored:
    """How a file of a folder is named in its manifest."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Stored(path.relative_to(folder).as_posix(), path.stat().st_size, digest)


def write_manifest(folder: Path, manifest: BackupManifest) -> None:
    """The last file of a backup: without it there is none."""
    text = json.dumps(asdict(manifest), ensure_ascii=False, indent=1)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def make_private(folder: Path) -> None:
    """Nobody but their owner reads a folder's files, and all is on the disk."""
    folder.chmod(0o700)
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def pack(folder: Path, target: Path) -> None:
    """Write a folder as a tar file, whole or not at all. BadInput: the file is there."""
    if target.exists():
        raise BadInput(f"{target} is there already: name a new file")
    draft = target.with_name(f".{target.name}.new")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            with tarfile.open(fileobj=file, mode="w") as tar:
                for path in sorted(folder.rglob("*")):
                    tar.add(path, path.relative_to(folder).as_posix(), recursive=False)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        raise StoreReadOnly(f"{target} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)


def unpack(source: Path, draft: Path) -> BackupManifest:
    """Copy the files of a backup into an empty folder, each compared with the manifest.

    BadInput: it is no backup, of a newer haozhi, or a file is missing, changed, or named badly.
    """
    with _opened(source) as read_file:
        manifest = _manifest(source, read_file)
        for each in manifest.files:
            path = draft / _checked(source, each.path)
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _copy(source, read_file(each.path), path, each)
    return manifest


_Reader = Any  # from a name to an open file, None where there is none


@contextmanager
def _opened(source: Path) -> Iterator[_Reader]:
    if source.is_dir():
        yield lambda name: (source / name).open("rb") if (source / name).is_file() else None
        return
    try:
        with tarfile.open(source, "r:") as tar:
            members = {m.name: m for m in tar.getmembers() if m.isreg()}
            yield lambda name: tar.extractfile(members[name]) if name in members else None
    except (tarfile.TarError, EOFError) as error:
        raise BadInput(f"{source} is no backup, or only a part of one: {error}") from error
    except OSError as error:
        raise BadInput(f"{source} cannot be read: {error.strerror or error}") from error


def _manifest(source: Path, read_file: _Reader) -> BackupManifest:
    file = read_file(MANIFEST)
    if file is None:
        raise BadInput(f"{source} is no backup: it has no {MANIFEST}")
    try:
        with file:
            found = json.loads(file.read())
        files = tuple(Stored(**each) for each in found.pop("files"))
        manifest = BackupManifest(files=files, **found)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadInput(f"{source} is no backup that this haozhi can read: {error}") from error
    if manifest.format != FORMAT:
        raise BadInput(f"{source} was made by haozhi {manifest.haozhi}: use that or a newer one")
    return manifest


def _checked(source: Path, name: str) -> str:
    """A name that stays inside the folder."""
    parts = PurePosixPath(name).parts
    if not parts or PurePosixPath(name).is_absolute() or ".." in parts or "\\" in name:
        raise BadInput(f"{source} names a file {name!r}: this is no backup of haozhi")
    return name


def _copy(source: Path, file: IO[bytes] | None, path: Path, stored: Stored) -> None:
    if file is None:
        raise BadInput(f"{source} lacks {stored.path}: use another copy of this backup")
    digest = hashlib.sha256()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with file, os.fdopen(descriptor, "wb") as target:
        while block := file.read(_BLOCK):
            digest.update(block)
            target.write(block)
        target.flush()
        os.fsync(target.fileno())
    if digest.hexdigest() != stored.sha256:
        raise BadInput(f"{source}: {stored.path} is damaged: use another copy of this backup")
