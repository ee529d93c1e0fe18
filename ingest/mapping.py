"""What a person says about a whole file, in its front matter or beside it.

A sidecar stands beside a file: `a.txt.meta.json` or `a.meta.yaml` for `a.txt`. A manifest,
`manifest.meta.json` or `.yaml`, says the same of the files of its folder by name or pattern. Both
are no content.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from ingest.documents import Document
from ingest.fields import authors_in, date_in, identifiers_in, licence_in, title_in
from ingest.names import known_names, with_identifiers
from store.errors import BadInput

_ENDS = (".meta.json", ".meta.yaml", ".meta.yml")
_MANIFEST = "manifest"
_MAX_BYTES = 16 * 1024**2

Fields = Mapping[str, object]


def with_fields(document: Document, fields: Fields) -> Document:
    """The document as its fields say: title, date, licence, and authors with their identifiers.

    What a passage says of itself, as a row of a table does, and a voice of its own stay. A licence
    that is none is noted and left out. Raises BadInput for other fields that cannot be used.
    """
    given = authors_in(fields)
    names = known_names(given[0] if len(given) == 1 else given)
    authors, identifiers = with_identifiers(names, identifiers_in(fields))
    licence, notes = _licence(fields)
    document = replace(
        document,
        title=title_in(fields) or document.title,
        published_on=date_in(fields) or document.published_on,
        licence=licence or document.licence,
        notes=(*document.notes, *notes),
    )
    if not authors:
        return document
    passages = tuple(
        p
        if p.voice or p.mapped
        else replace(p, authors=authors, identifiers=identifiers, mapped=True)
        for p in document.passages
    )
    return replace(document, passages=passages, authors=authors, authors_from="mapping")


def is_beside(path: Path) -> bool:
    """Whether a file is a manifest, or the sidecar of a file that is there."""
    base = _base(path.name)
    if base is None:
        return False
    if base == _MANIFEST:
        return True
    folder = path.parent
    return (folder / base).is_file() or any(
        each.stem == base and _base(each.name) is None
        for each in folder.glob(f"{_escaped(base)}.*")
    )


def is_sidecar(name: str) -> bool:
    """Whether a file is called as a sidecar or manifest is."""
    return _base(name) is not None


def fields_beside(path: Path) -> dict[str, object]:
    """What the sidecar of a file says of it, else what a manifest does; empty for neither.

    Raises BadInput, naming the one that cannot be read.
    """
    for base in (path.name, path.stem):
        for end in _ENDS:
            if base != _MANIFEST and (beside := path.with_name(base + end)).is_file():
                return _fields(beside, _read(beside))
    for end in _ENDS:
        if (manifest := path.with_name(_MANIFEST + end)).is_file():
            return _entry(manifest, path.name)
    return {}


def hash_of(fields: Fields) -> str:
    """SHA-256 (hex) of what was said, whatever the order and the kind of file; '' for nothing."""
    said = json.dumps(fields, sort_keys=True, default=str).encode()
    return hashlib.sha256(said).hexdigest() if fields else ""


def _licence(fields: Fields) -> tuple[str | None, tuple[str, ...]]:
    try:
        return licence_in(fields), ()
    except BadInput as error:
        return None, (str(error),)


def _entry(manifest: Path, name: str) -> dict[str, object]:
    """What a manifest says of a file: under its name, else under the first pattern that fits."""
    entries = _fields(manifest, _read(manifest))
    found = entries.get(name)
    if found is None:
        fitting = (value for pattern, value in entries.items() if fnmatchcase(name, pattern))
        found = next(fitting, {})
    return _fields(manifest, found)


def _fields(path: Path, value: object) -> dict[str, object]:
    """Empty strings are nothing: so YAML without types writes what is not there."""
    if not isinstance(value, dict):
        raise BadInput(f"{path.name} has no fields such as `author: NAME`")
    return {str(name): each if each != "" else None for name, each in value.items()}


def _read(path: Path) -> object:
    import yaml

    try:
        data = path.read_bytes()
        if len(data) > _MAX_BYTES:
            raise BadInput(f"{path.name} is larger than {_MAX_BYTES // 1024**2} MiB")
        text = data.decode("utf-8-sig")
        if path.suffix == ".json":
            return json.loads(text)
        return yaml.load(text, Loader=yaml.BaseLoader)
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        reason = str(error).splitlines()[0]
        raise BadInput(f"{path.name} beside it cannot be read: {reason}") from None


def _base(name: str) -> str | None:
    """What a sidecar or manifest is called after; None for another file."""
    return next((name.removesuffix(end) for end in _ENDS if name.endswith(end)), None)


def _escaped(name: str) -> str:
    """The name as a pattern that only it fits."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)
