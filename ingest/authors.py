"""From names as written to author shares."""

from collections.abc import Iterable, Sequence

from ingest.documents import Passage, Rejected
from ingest.fields import check_name
from store.engine import Session
from store.errors import Ambiguous, BadInput
from store.people import resolve_author
from store.records.corpus import AuthorShare

_WHOLE_PPM = 1_000_000


def equal_shares(author_ids: Iterable[str]) -> tuple[AuthorShare, ...]:
    """Equal parts of 1,000,000 ppm for the distinct authors; the first get what does not divide."""
    distinct = tuple(dict.fromkeys(author_ids))
    if not distinct:
        return ()
    part, rest = divmod(_WHOLE_PPM, len(distinct))
    return tuple(AuthorShare(a, part + (i < rest)) for i, a in enumerate(distinct))


def resolve_names(
    s: Session, passages: Sequence[Passage], namespace: str, path: str
) -> tuple[dict[str, str], tuple[Rejected, ...]]:
    """The author ids by name, and the passages that go nowhere because of a name.

    A name met for the first time becomes an author. One that cannot be used or that several authors
    have is in no id, and each passage that has it is rejected.
    """
    ids: dict[str, str] = {}
    problems: dict[str, str] = {}
    for name in dict.fromkeys(name for passage in passages for name in passage.authors):
        try:
            ids[name] = resolve_author(s, check_name(name), namespace)
        except (Ambiguous, BadInput) as error:
            problems[name] = str(error)
    rejected = dict.fromkeys(
        Rejected(path, passage.line, problems[name])
        for passage in passages
        for name in passage.authors
        if name in problems
    )
    return ids, tuple(rejected)
