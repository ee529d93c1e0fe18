"""Zip archives: which of their files are read, and which are refused."""

import io
import zipfile

import pytest

from ingest import archives
from ingest.archives import Source, sources_in
from ingest.documents import Rejected
from ingest.kinds import media_type_of
from store.errors import BadInput
from tests.made_files import docx, paragraph, zipped


def _found(data: bytes) -> dict[str, bytes | str]:
    """The content of each source, the reason of each refusal."""
    return {
        s.path: s.data if isinstance(s, Source) else s.reason for s in sources_in("a.zip", data)
    }


def test_an_archive_gives_its_files() -> None:
    """Also those of archives in it; hidden files and what systems add are left out."""
    inner = zipped({"c.txt": b"3"})
    files = {"a.txt": b"1", "b/b.zip": inner, "__MACOSX/x": b"", "b/.DS_Store": b"", "d/": b""}
    assert _found(zipped(files)) == {"a.zip/a.txt": b"1", "a.zip/b/b.zip/c.txt": b"3"}


def test_a_document_that_is_a_zip_file_is_one_file() -> None:
    """A Word document is not unpacked, whatever its name."""
    data = docx(paragraph("x"))
    assert list(sources_in("a.zip", data)) == [Source("a.zip", data)]


def test_an_archive_of_a_newer_kind_is_not_called_damaged() -> None:
    """Who packed it can pack it again in another way; nothing of it is broken."""
    data = bytearray(zipped({"a.txt": b"1"}))
    data[data.index(b"PK\x01\x02") + 6] = 99  # the version that is needed to unpack it
    with pytest.raises(BadInput, match="newer kind"):
        _found(bytes(data))
    with pytest.raises(BadInput, match="newer kind"):
        media_type_of("a.zip", bytes(data))


def test_names_from_chinese_windows_are_read() -> None:
    """Names in GBK without a mark are told together, as text is."""
    names = [s.path for s in sources_in("a.zip", _named_in_gbk(("会议记录.txt", "报告.txt")))]
    assert names == ["a.zip/会议记录.txt", "a.zip/报告.txt"]


def _named_in_gbk(names: tuple[str, ...]) -> bytes:
    """An archive whose names are GBK bytes and not marked as UTF-8."""
    archive = io.BytesIO()
    places = {name: f"{i}" * len(name.encode("gbk")) for i, name in enumerate(names)}
    with zipfile.ZipFile(archive, "w") as target:
        for place in places.values():
            target.writestr(place, b"x")
    data = archive.getvalue()
    for name, place in places.items():
        data = data.replace(place.encode(), name.encode("gbk"))
    return data


@pytest.mark.parametrize("name", ["../x.txt", "/etc/x.txt", "C:\\x.txt", "a/../../x.txt", "..\\x"])
def test_names_that_lead_out_are_refused(name: str) -> None:
    """No path of an archive leads anywhere else, and the other files go in."""
    found = _found(zipped({name: b"1", "ok.txt": b"2"}))
    assert found["a.zip/ok.txt"] == b"2"
    assert next(iter(found.values())) == "its name leads out of the archive"


def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files packed beyond reason, too many, too much, too deep: each has its reason."""
    dense = zipped({"zeros.txt": bytes(archives._SMALL + 1), "ok.txt": b"2"})
    assert "packed so densely" in str(_found(dense)["a.zip/zeros.txt"])
    nested = zipped({"x.txt": b"x"})
    for _ in range(archives.MAX_DEPTH):
        nested = zipped({"n.zip": nested})
    assert any("more than 3 deep" in str(reason) for reason in _found(nested).values())
    monkeypatch.setattr(archives, "MAX_FILES", 2)
    budget = archives._Budget(files=2)
    with pytest.raises(BadInput, match="unpacks to more than 2 files"):
        list(archives._files_in("a", zipped(dict.fromkeys("abc", b"")), 1, budget))
    budget = archives._Budget(bytes=2)
    with pytest.raises(BadInput, match="split it"):
        list(archives._files_in("a", zipped({"a": b"xyz"}), 1, budget))


def test_broken_archives_are_refused() -> None:
    """One that is cut short is refused whole; a file with a wrong checksum alone."""
    data = zipped({"a.txt": b"words " * 50, "b.txt": b"other"})
    with pytest.raises(BadInput, match="damaged"):
        list(sources_in("a.zip", data[:40]))
    spoilt = bytearray(data)
    spoilt[40] ^= 0xFF
    found = _found(bytes(spoilt))
    assert found["a.zip/b.txt"] == b"other"
    assert found["a.zip/a.txt"] == "damaged: it cannot be unpacked"
    assert isinstance(next(iter(sources_in("a.zip", bytes(spoilt)))), Rejected)


def test_a_file_packed_by_an_unknown_method_says_what_to_do() -> None:
    """What zipfile has no method for is not called damaged, and what stands beside it is read."""
    data = bytearray(zipped({"a.txt": b"words " * 50, "b.txt": b"other"}))
    for header, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(header) + place] = 97
    found = _found(bytes(data))
    assert found == {
        "a.zip/a.txt": "packed by a method that is not known here: pack it by deflate",
        "a.zip/b.txt": b"other",
    }
