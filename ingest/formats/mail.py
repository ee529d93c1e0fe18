"""Mail: what the sender wrote, not what they quote or forward; attachments are named in notes."""

import email.policy
import email.utils
import re
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage

from ingest.decoding import declared_charset, decode
from ingest.documents import Document
from ingest.drafts import Draft
from ingest.formats.blocks import blocks_of, remove_invisible
from ingest.formats.html import parse_html
from store.errors import BadInput

_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]{1,40}):[ \t]?")
_CERTAIN = frozenset(
    ("received", "return-path", "message-id", "mime-version", "delivered-to", "date")
)
_QUOTE = re.compile(r"\s*(?:>|\|\s)")
# From here on somebody else speaks, or nobody.
_NOT_THEIRS = re.compile(
    r"-- |_{20,}\s*|"
    r"-{2,}\s*(?:Original Message|Forwarded message|原始邮件|转发邮件|原始郵件)\s*-{2,}.*|"
    r"Begin forwarded message:.*|在.{4,80}写道[:：]\s*|On .{6,120} wrote:\s*|"
    r"(?:From|发件人)\s*[:：].+",
)


def is_mail(text: str) -> bool:
    """Whether a text begins with the headers of a mail: From, and one that only mail has."""
    names = set()
    for line in text[:20_000].replace("\r\n", "\n").split("\n"):
        if not line:
            break
        match = _HEADER.match(line)
        if match:
            names.add(match[1].lower())
        elif not names or line[:1] not in " \t":
            return False
    return "from" in names and bool(names & _CERTAIN)


def read_mail(data: bytes) -> Document:
    """A message, its passages by the name (else the address) in `From`, on the day it was sent."""
    text, encoding = _as_bytes(data)
    message = email.message_from_bytes(text, _class=EmailMessage, policy=email.policy.default)
    draft = Draft()
    body = message.get_body(("plain", "html"))
    for part in message.walk():
        if part.is_attachment():
            draft.notes.append(
                f"the attachment {part.get_filename() or 'without a name'} is not read"
            )
    if isinstance(body, EmailMessage):
        _write(draft, _body_text(body).splitlines())
    senders = email.utils.getaddresses([str(message.get("From", ""))])
    document = draft.finish(
        title=str(message.get("Subject", "")),
        authors=tuple(name or address for name, address in senders),
        published_on=_day(message),
    )
    return replace(document, encoding=encoding)


def _as_bytes(data: bytes) -> tuple[bytes, str]:
    """The message in an encoding that its ASCII structure can be read in, and the one it was in."""
    try:
        text, encoding = decode(data)
    except BadInput:  # parts in several encodings
        return data, ""
    return (text.encode(), encoding) if encoding.startswith("utf-") else (data, encoding)


def _write(draft: Draft, lines: list[str]) -> None:
    """Paragraphs of the sender; quotations, and all behind a signature or forward, are asides."""
    ended = False
    paragraph: list[str] = []
    for line in [*lines, ""]:
        ended = ended or _NOT_THEIRS.fullmatch(line) is not None
        if not ended and line.strip() and not _QUOTE.match(line):
            paragraph.append(line.strip())
            continue
        draft.add("\n".join(paragraph))
        paragraph = []
        draft.aside(line)


def _body_text(part: EmailMessage) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    if part.get_content_type() != "text/html":
        text = decode(content, part.get_content_charset())[0]
        flowed = part.get_param("format") == "flowed"
        return re.sub(r"(?<=[^ \n-]) \r?\n(?!>)", " ", text) if flowed else text
    page = parse_html(decode(content, part.get_content_charset() or declared_charset(content))[0])
    remove_invisible(page)
    for quotation in list(page.iter("blockquote")):
        quotation.drop_tree()
    return "\n".join(_lines(page))


def _lines(page: object) -> Iterator[str]:
    for block in blocks_of(page):
        yield block.text
        yield ""


def _day(message: EmailMessage) -> str | None:
    """The day on which it was sent where it was sent."""
    try:
        sent = email.utils.parsedate_to_datetime(str(message.get("Date", "")))
    except (ValueError, TypeError, IndexError):
        return None
    return sent.date().isoformat()
