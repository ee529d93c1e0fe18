"""Which names a file gives, where they stand, and whom they mean, without making anybody."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ingest.documents import Document, Passage, Rejected
from ingest.fields import check_name
from ingest.options import IngestOptions
from store.engine import Session
from store.errors import BadInput
from store.people import find_authors


@dataclass(frozen=True)
class Named:
    """A name and how many statements it is given for.

    `origin` says where it stands: option, metadata (front matter, fields of the file), byline,
    column or voice. `meaning` is known (an author of the namespace), new, or refused, with the
    `reason`; `author_id` is that of a known one.
    """

    name: str
    origin: str
    meaning: str
    statements: int
    author_id: str | None = None
    reason: str = ""


def plan_names(
    s: Session, document: Document, passages: Sequence[Passage], options: IngestOptions
) -> tuple[Named, ...]:
    """The distinct (name, origin) pairs of the passages, in their order."""
    used = Counter((name, _origin(p, document, options)) for p in passages for name in p.authors)
    found = {name: _meaning(s, name, options.namespace) for name in {name for name, _ in used}}
    return tuple(
        Named(name, origin, statements=count, **found[name])
        for (name, origin), count in used.items()
    )


def refused(names: Sequence[Named], passages: Sequence[Passage], path: str) -> tuple[Rejected, ...]:
    """The passages that go nowhere because of a name."""
    reasons = {each.name: each.reason for each in names if each.meaning == "refused"}
    lines = dict.fromkeys(
        Rejected(path, passage.line, reasons[name])
        for passage in passages
        for name in passage.authors
        if name in reasons
    )
    return tuple(lines)


def _origin(passage: Passage, document: Document, options: IngestOptions) -> str:
    if passage.voice:
        return "voice"
    if options.author is not None:
        return "option"
    return document.authors_from or "column"


def _meaning(s: Session, name: str, namespace: str) -> Mapping[str, str]:
    try:
        found = find_authors(s, check_name(name), namespace)
    except BadInput as error:
        return {"meaning": "refused", "reason": str(error)}
    if len(found) > 1:
        ids = ", ".join(each.id for each in found)
        reason = f"{len(found)} authors are called {name!r}, use an id: {ids}"
        return {"meaning": "refused", "reason": reason}
    if not found:
        return {"meaning": "new"}
    return {"meaning": "known", "author_id": found[0].id}
