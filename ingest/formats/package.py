"""Documents that are zip files: their parts, and how OOXML relates them."""

import io
import posixpath
import zipfile
from functools import cache

from ingest.formats.xml import Element, all_named, attribute, first_named, parse_xml, text_of
from store.errors import BadInput

MAX_UNPACKED = 512 * 1024 * 1024
"""Most bytes that the parts of a document may unpack to."""

_ENCRYPTED = 0x1


class Package:
    """The parts of a zip-based document by name."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError):
            raise BadInput("damaged: it is cut short or no zip file inside") from None
        parts = self._zip.infolist()
        if sum(part.file_size for part in parts) > MAX_UNPACKED:
            raise BadInput(f"it unpacks to more than {MAX_UNPACKED // 1024**2} MiB")
        self.names = [part.filename for part in parts]
        self._parts = {part.filename.lower(): part for part in parts}

    def read(self, name: str) -> bytes:
        """The bytes of a part. Raises BadInput when it is absent or encrypted."""
        part = self._parts.get(name.lower())
        if part is None:
            raise BadInput(f"damaged: the part {name} is missing")
        if part.flag_bits & _ENCRYPTED:
            raise BadInput("protected by a password: remove the protection first")
        return self._zip.read(part)

    def find(self, name: str) -> bytes | None:
        """The bytes of a part, None when it is absent."""
        return self.read(name) if name.lower() in self._parts else None

    def xml(self, name: str) -> Element:
        """The root of an XML part; raises BadInput as `read` does, and for what is no XML."""
        return parse_xml(self.read(name))

    def related(self, part: str, kind: str) -> list[str]:
        """The names of the parts that `part` ('' for the package) has as header, comments, …"""
        return [target for found, target in self.relations(part).values() if found == kind]

    @cache  # noqa: B019  the package lives as long as one reading
    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """For each relationship id of a part: its kind, and the name of the part it leads to."""
        folder, name = posixpath.split(part)
        data = self.find(posixpath.join(folder, "_rels", f"{name}.rels"))
        if data is None:
            return {}
        found = {}
        for relation in all_named(parse_xml(data), "Relationship"):
            target = attribute(relation, "Target") or ""
            if attribute(relation, "TargetMode") != "External":
                path = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
                kind = (attribute(relation, "Type") or "").rpartition("/")[2]
                found[attribute(relation, "Id") or ""] = (kind, path)
        return found

    def core(self) -> tuple[str, str]:
        """Title and author as OOXML's core properties have them, '' where they do not say."""
        parts = self.related("", "core-properties") or ["docProps/core.xml"]
        data = self.find(parts[0])
        if data is None:
            return "", ""
        root = parse_xml(data)
        return text_of(first_named(root, "title")), text_of(first_named(root, "creator"))
