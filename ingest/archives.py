"""The files in zip archives: read in memory one by one, never written anywhere."""

import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from ingest.decoding import decode
from ingest.documents import Rejected
from ingest.drafts import printable
from ingest.files import MAX_BYTES
from ingest.kinds import is_archive, open_zip, unpacked
from ingest.mapping import is_sidecar
from store.errors import BadInput

MAX_FILES = 10_000
"""Most files of one archive, those of archives in it included."""

MAX_UNPACKED = 4 * 1024**3
"""Most bytes that an archive may unpack to."""

MAX_DEPTH = 3
"""How deep archives may stand in archives."""

SIDECAR_ALONE = (
    "a sidecar without its file: put both into one folder (in an archive it is not read),"
    " or rename it if it is a text"
)
_MAX_RATIO, _SMALL = 200, 16 * 1024**2  # a larger file that was packed better is a bomb
_ENCRYPTED, _UTF8_NAME = 0x1, 0x800


@dataclass(frozen=True)
class Source:
    """A file to be read; one in an archive has the archive's path before its own."""

    path: str
    data: bytes


@dataclass
class _Budget:
    files: int = MAX_FILES
    bytes: int = MAX_UNPACKED


def sources_in(path: str, data: bytes) -> Iterator[Source | Rejected]:
    """The file itself; for a zip archive the files in it, and why some of them are left out.

    Raises BadInput for an archive that is damaged or unpacks to too much.
    """
    if is_archive(data):
        yield from _files_in(path, data, MAX_DEPTH, _Budget())
    else:
        yield _source(path, data)


def _source(path: str, data: bytes) -> Source | Rejected:
    """The file, unless it only says something of another that is not beside it."""
    return Rejected(path, None, SIDECAR_ALONE) if is_sidecar(path) else Source(path, data)


def _files_in(path: str, data: bytes, depth: int, budget: _Budget) -> Iterator[Source | Rejected]:
    archive = open_zip(data)
    members = [member for member in archive.infolist() if not member.is_dir()]
    budget.files -= len(members)
    budget.bytes -= sum(member.file_size for member in members)
    if budget.files < 0 or budget.bytes < 0:
        limit = f"{MAX_FILES} files or {MAX_UNPACKED // 1024**3} GiB"
        raise BadInput(f"it unpacks to more than {limit}: split it")
    for member, name in zip(members, _names(members), strict=True):
        if _is_hidden(name):
            continue
        inner = f"{path}/{name}"
        try:
            content = _content(archive, member, name)
            if is_archive(content):
                if depth == 1:
                    raise BadInput(f"archives in archives, more than {MAX_DEPTH} deep")
                yield from _files_in(inner, content, depth - 1, budget)
            else:
                yield _source(inner, content)
        except BadInput as error:
            yield Rejected(inner, None, str(error))


def _names(members: list[zipfile.ZipInfo]) -> list[str]:
    """The names with `/` between folders; those not marked as UTF-8 tell the encoding together.

    Chinese Windows writes them in GBK; zipfile takes them for cp437.
    """
    raw = [m.orig_filename.encode("cp437", "replace") for m in members if not _is_utf8(m)]
    try:
        decoded = iter(decode(b"\n".join(raw))[0].split("\n"))
    except BadInput:
        decoded = iter(m.orig_filename for m in members if not _is_utf8(m))
    names = [m.filename if _is_utf8(m) else next(decoded) for m in members]
    return [printable(name).replace("\\", "/") for name in names]


def _is_utf8(member: zipfile.ZipInfo) -> bool:
    return bool(member.flag_bits & _UTF8_NAME)


def _is_hidden(name: str) -> bool:
    """What systems put into archives beside the files, and hidden files as in folders."""
    parts = PurePosixPath(name).parts
    return any((part.startswith(".") and part != "..") or part == "__MACOSX" for part in parts)


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> bytes:
    if name.startswith("/") or name[1:2] == ":" or ".." in PurePosixPath(name).parts:
        raise BadInput("its name leads out of the archive")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise BadInput("a link, not a file")
    if member.flag_bits & _ENCRYPTED:
        raise BadInput("protected by a password: unpack the archive first")
    if member.file_size > MAX_BYTES:
        raise BadInput(f"larger than {MAX_BYTES // 1024**2} MiB: split it")
    if member.file_size > max(_SMALL, _MAX_RATIO * member.compress_size):
        raise BadInput("it is packed so densely that it may be there to fill the memory")
    return unpacked(archive, member)
