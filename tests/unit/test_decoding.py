"""How the bytes of a file become text."""

import pytest

from ingest.decoding import decode
from store.errors import BadInput

TEXT = "猫叫团子。1 + 1 = 2"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (b"\xef\xbb\xbf" + TEXT.encode(), "utf-8-sig"),
        (TEXT.encode("gb18030"), "gb18030"),
        (TEXT.encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "utf-16"),
        (TEXT.encode("utf-32"), "utf-32"),
    ],
)
def test_text_is_read_in_the_encoding_that_it_is_in(data: bytes, encoding: str) -> None:
    """Every supported encoding gives the same text, without its byte order mark."""
    assert decode(data) == (TEXT, encoding)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"abc\xff", r"not utf-8 \(byte offset 3\), not gb18030 \(byte offset 3\): save"),
        (b"\xef\xbb\xbfab\xff", r"not utf-8-sig \(byte offset 5\): save it as UTF-8"),
        ("猫".encode("utf-16")[:-1], r"not utf-16 \(byte offset 2\)"),
        (b"PK\x03\x04\0\0", "binary content"),
        ("a\0b".encode("utf-16"), "binary content"),
        ("這是繁體中文的文章".encode("big5"), r"private-use character at byte offset \d+"),
    ],
)
def test_bytes_that_fit_no_encoding_are_refused(data: bytes, message: str) -> None:
    """Nothing is replaced or guessed: the error names the offset of the first bad byte."""
    with pytest.raises(BadInput, match=message):
        decode(data)
