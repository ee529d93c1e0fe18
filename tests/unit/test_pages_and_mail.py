"""Web pages, books, mail and subtitles: what is shown, and who says it."""

import pytest

from ingest.documents import Document
from ingest.formats.epub import read_epub
from ingest.formats.html import read_html
from ingest.formats.mail import read_mail
from ingest.formats.subtitles import is_subtitles, read_subtitles
from store.errors import BadInput
from tests.made_files import epub

ARTICLE = (
    "<p>{}</p>"
    "<p>The quick brown fox jumps over the lazy dog, as everybody knows by now, and sleeps.</p>"
    "<p>Another paragraph that says something at length about dogs, foxes and their days.</p>"
)


def _said(document: Document) -> list[tuple[str, tuple[str, ...]]]:
    return [(document.text[p.start : p.end], p.authors) for p in document.passages]


def _texts(document: Document) -> list[str]:
    return [text for text, _ in _said(document)]


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='display: none'>HIDDEN</p>",
        "<p hidden>HIDDEN</p>",
        "<p class='x gone'>HIDDEN</p>",
        "<p id=secret>HIDDEN</p>",
        "<p style='font-size:0'>HIDDEN</p>",
        "<div style='visibility:hidden'><p>HIDDEN</p></div>",
        "<script>HIDDEN</script><style>.HIDDEN{}</style><noscript>HIDDEN</noscript>",
        "<template>HIDDEN</template><!-- HIDDEN -->",
    ],
)
def test_invisible_text_is_not_read(hidden: str) -> None:
    """What a page hides from people is no statement; the text around it is."""
    style = "<style>.gone, #secret { display: none }</style>"
    page = f"<html><head>{style}</head><body>{ARTICLE.format('First.')}{hidden}After.</body></html>"
    document = read_html(page.encode())
    assert "HIDDEN" not in document.text
    assert _texts(document)[0] == "First."
    assert document.raw == page


@pytest.mark.parametrize("name", ["周树人", "欧阳修远", "Madonna", "Zhou Shuren"])
@pytest.mark.parametrize("said", ["name=author", "property='article:author'", "name=DC.Creator"])
def test_an_author_needs_no_space_in_the_name(name: str, said: str) -> None:
    """Whom a page names as its author is read, a Chinese name as well as an English one."""
    head = f"<meta charset=utf-8><title>T</title><meta {said} content='{name}'>"
    page = f"<html><head>{head}</head><body>{ARTICLE.format('一句话。')}</body></html>"
    assert {authors for _, authors in _said(read_html(page.encode()))} == {(name,)}


def test_a_page_has_title_authors_and_date() -> None:
    """They come from its metadata; the outlet is no author, and no date is taken from the text."""
    head = (
        "<meta charset=utf-8><title>T - Site</title><meta property='og:title' content='标题'>"
        "<meta name=author content='Jane Doe and Wei Zhang'>"
        "<meta property='article:published_time' content='2024-05-06T07:08:09Z'>"
    )
    page = f"<html><head>{head}</head><body><article>{ARTICLE.format('1999')}</article></body>"
    document = read_html(page.encode())
    assert (document.title, document.published_on) == ("标题", "2024-05-06")
    assert document.authors == ("Jane Doe", "Wei Zhang")
    assert (
        read_html(f"<html><body>{ARTICLE.format('On 5 May 1999.')}".encode()).published_on is None
    )


def test_menus_are_no_content() -> None:
    """Navigation and footers are left out of a page that has an article."""
    menu = "<nav><ul><li><a href=/>Home</a><li><a href=/a>About</a></ul></nav>"
    page = f"<body>{menu}<article><h1>Title</h1>{ARTICLE.format('First.') * 3}</article>"
    document = read_html(f"<html>{page}<footer>All rights reserved.</footer></html>".encode())
    assert "Home" not in document.text
    assert "All rights" not in document.text
    assert document.text[document.headings[0].start : document.headings[0].end] == "Title"


def test_rows_and_code_of_a_page() -> None:
    """A row is one statement, all its cells included; code is none; a break is a line."""
    page = (
        "<p>One<br>two.</p><table><tr><th>a<th>b</tr><tr><td><center>1</center><td>2</tr></table>"
        "<pre><code>x = 1</code></pre><pre>Plain &amp; simple.</pre>"
    )
    document = read_html(page.encode())
    assert _texts(document) == ["One\ntwo.", "a\tb", "1\t2", "Plain & simple."]


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("gb2312", "gb18030"), ("windows-1252", "cp1252"), ("big5", "big5hkscs")],
)
def test_a_page_is_read_as_it_declares(charset: str, encoding: str) -> None:
    """The declared encoding comes before any guess."""
    text = "é" if charset == "windows-1252" else "一"
    page = f"<meta charset={charset}><p>{text}</p>".encode(encoding)
    assert read_html(page).encoding == encoding
    assert _texts(read_html(page)) == [text]


def test_a_book_is_by_its_creators() -> None:
    """Illustrators and translators are not its authors; the day of publication counts."""
    metadata = (
        "<dc:title>书名</dc:title><dc:creator>A</dc:creator>"
        "<dc:creator opf:role='ill'>B</dc:creator><dc:creator id='t'>C</dc:creator>"
        "<meta refines='#t' property='role'>trl</meta>"
        "<dc:date opf:event='modification'>2024</dc:date>"
        "<dc:date opf:event='publication'>1913-02</dc:date>"
    )
    document = read_epub(epub(["<h1>One</h1><p>第一章。</p>", "<p>Second.</p>"], metadata))
    assert _said(document) == [("第一章。", ("A",)), ("Second.", ("A",))]
    assert (document.title, document.published_on) == ("书名", "1913-02")


def test_a_protected_book_is_refused() -> None:
    """Encrypted chapters are refused, obfuscated fonts are not."""
    method = '<e><EncryptionMethod Algorithm="{}"/></e>'
    fonts = method.format("http://www.idpf.org/2008/embedding")
    assert read_epub(epub(["<p>x</p>"], "", encryption=fonts)).passages
    with pytest.raises(BadInput, match="DRM"):
        read_epub(epub(["<p>x</p>"], "", encryption=method.format("aes128")))


MAIL = """From: =?utf-8?b?5byg5LiJ?= <zhang@example.org>
To: rita@example.org
Subject: =?gbk?b?sfPM4g==?=
Date: Fri, 31 Dec 2022 23:30:00 -0500
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="x"

--x
Content-Type: text/plain; charset={charset}
Content-Transfer-Encoding: 8bit

{body}

--x
Content-Type: application/pdf
Content-Disposition: attachment; filename="a.pdf"

%PDF
--x--
"""


@pytest.mark.parametrize("charset", ["utf-8", "gbk", "big5"])
def test_a_mail_is_by_its_sender(charset: str) -> None:
    """Name, day where it was sent, and body in its own encoding; attachments are named."""
    data = MAIL.format(charset=charset, body="一二三。").encode(charset)
    document = read_mail(data)
    assert _said(document) == [("一二三。", ("张三",))]
    assert document.published_on == "2022-12-31"
    assert document.notes == ("the attachment a.pdf is not read",)


@pytest.mark.parametrize(
    "others",
    [
        "> Quoted.\n> More.",
        "-- \nZhang San, Director",
        "On Fri, 16 Dec 2022 at 17:04, Rita <r@e.org> wrote:\nHer words.",
        "在 2022年12月16日，Rita 写道：\n她的话。",
        "-----Original Message-----\nFrom: Rita\n\nHer words.",
    ],
)
def test_what_a_mail_quotes_is_not_the_senders(others: str) -> None:
    """Quotations, forwarded mail and signatures are kept as text and are no statements."""
    document = read_mail(MAIL.format(charset="utf-8", body=f"Mine.\n\n{others}").encode())
    assert _texts(document) == ["Mine."]
    assert others.splitlines()[-1] in document.text


def test_an_html_mail_without_its_quotation() -> None:
    """The shown text of an HTML body counts, and a quoted block is not the sender's."""
    body = "<p>Mine.</p><p style='display:none'>Not.</p><blockquote>Theirs.</blockquote>"
    data = f"From: a@b.c\nDate: Fri, 16 Dec 2022 17:04:16 +0000\nContent-Type: text/html\n\n{body}"
    assert _said(read_mail(data.encode())) == [("Mine.", ("a@b.c",))]
    assert read_mail(data.encode("utf-16")).encoding == "utf-16"


VTT = """WEBVTT - a title

NOTE
not said

1
00:01.000 --> 00:02.000 align:left
<v Ana>Hello, <i>all</i> &amp;

00:02.000 --> 00:03.000
<v Ana>friends.

00:03.000 --> 00:04.000
<v.loud 李雷>你好。</v> <v Ana>Bye.

00:20.000 --> 00:21.000
No voice.
"""


def test_each_voice_of_subtitles_is_an_author() -> None:
    """What one voice says without a pause is one passage; without a tag nobody is known."""
    document = read_subtitles(VTT)
    assert _said(document) == [
        ("Hello, all & friends.", ("Ana",)),
        ("你好。", ("李雷",)),
        ("Bye.", ("Ana",)),
        ("No voice.", ()),
    ]
    assert [p.line for p in document.passages] == [8, 14, 14, 17]


def test_cues_are_joined_as_the_language_wants() -> None:
    """Words get a space between cues, Chinese none; a dash begins another speaker's line."""
    srt = "1\n00:00:01,000 --> 00:00:02,000\n{}\n\n2\n00:00:02,000 --> 00:00:03,000\n{}\n"
    for one, two, said in [
        ("One", "two.", "One two."),
        ("一句", "话。", "一句话。"),
        ("- Yes?\n- No.", "Well.", "- Yes?\n- No. Well."),
    ]:
        assert is_subtitles(srt.format(one, two))
        assert _texts(read_subtitles(srt.format(one, two))) == [said]
