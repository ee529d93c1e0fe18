"""How the bytes of a file become text."""

import pytest

from ingest.decoding import declared_charset, decode
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
    ("text", "encoding", "found"),
    [
        ("团子", "gbk", "gb18030"),
        ("这是一个句子。", "gb18030", "gb18030"),
        ("這是繁體中文，用國標碼寫成。", "gb18030", "gb18030"),
        ("維基大典者，網路為礎；集天下知。", "big5", "big5hkscs"),
        ("名前,年齢\r\n佐藤太郎,30", "cp932", "cp932"),
        ("吾輩は猫である。", "euc_jp", "euc_jp"),
        ("안녕하세요, 대한민국", "euc_kr", "cp949"),
        ("L'été était très chaud; j'ai acheté un café. C'était délicieux !", "cp1252", "cp1252"),
        ("hello 猫", "utf-16-le", "utf-16-le"),
        ("hello 猫", "utf-16-be", "utf-16-be"),
    ],
)
def test_text_from_before_unicode_is_recognised(text: str, encoding: str, found: str) -> None:
    """Chinese, Japanese, Korean and Western text without a mark is read as it was written."""
    assert decode(text.encode(encoding)) == (text, found)


@pytest.mark.parametrize(
    ("data", "declared", "found"),
    [
        ("Gr\xfc\xdfe".encode("cp1252"), "ISO-8859-1", "cp1252"),
        ("猫叫团子".encode("gbk"), "gb2312", "gb18030"),
        ("Grüße".encode(), "iso-8859-1", "utf-8"),
        ("猫".encode(), "utf-16", "utf-8"),
        ("猫叫团子".encode(), "no-such-encoding", "utf-8"),
    ],
)
def test_a_declared_encoding_comes_first_unless_it_is_wrong(
    data: bytes, declared: str, found: str
) -> None:
    """A label is believed in its wider meaning, but not against bytes that are plainly UTF-8."""
    assert decode(data, declared)[1] == found


def test_pages_declare_their_encoding() -> None:
    """Both ways of HTML and that of XML are seen, and nothing is where nothing is said."""
    pages = (
        b"<head><meta charset=gbk>",
        b"<META http-equiv='Content-Type' content='text/html; charset=gbk'>",
        b"<?xml version='1.0' encoding='gbk'?>",
    )
    assert [declared_charset(page) for page in pages] == ["gbk"] * 3
    assert declared_charset(b"<p>charset=gbk</p>") is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"abc\xff", r"not utf-8 \(byte offset 3\), and no other encoding is sure: save"),
        (b"\xef\xbb\xbfab\xff", r"not utf-8-sig \(byte offset 5\), .*: save it as UTF-8"),
        ("猫".encode("utf-16")[:-1], r"not utf-16 \(byte offset 2\)"),
        (b"PK\x03\x04\0\0", "binary content"),
        ("a\0b".encode("utf-16"), "binary content"),
        ("résumé".encode("cp1252"), "no other encoding is sure"),
        (b"\xc3\xa8\xbd\xd0\x01", "no other encoding is sure"),
    ],
)
def test_bytes_that_fit_no_encoding_are_refused(data: bytes, message: str) -> None:
    """Nothing is replaced or guessed: the error names the offset of the first bad byte."""
    with pytest.raises(BadInput, match=message):
        decode(data)
