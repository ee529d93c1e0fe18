"""From names as written to author shares."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ingest.documents import Passage, Rejected
from ingest.fields import check_name
from store.engine import Session
from store.errors import Ambiguous, BadInput
from store.identities import Named, author_named, parse_identifier
from store.records.corpus import AuthorShare

DEFAULT_NAMESPACE = "default"
"""Where names go for which nobody has given a namespace; a file's own names match nothing in it."""

_WHOLE_PPM = 1_000_000


def equal_shares(author_ids: Iterable[str]) -> tuple[AuthorShare, ...]:
    """Equal parts of 1,000,000 ppm for the distinct authors; the first get what does not divide."""
    distinct = tuple(dict.fromkeys(author_ids))
    if not distinct:
        return ()
    part, rest = divmod(_WHOLE_PPM, len(distinct))
    return tuple(AuthorShare(a, part + (i < rest)) for i, a in enumerate(distinct))


def named_in(passage: Passage, namespace: str) -> tuple[Named, ...]:
    """Whom a passage names, in its order.

    A name is vouched for when a person gave it, or has given all of the files a namespace.
    """
    vouched = passage.mapped or namespace != DEFAULT_NAMESPACE
    identifiers = passage.identifiers or ("",) * len(passage.authors)
    return tuple(
        Named(name, parse_identifier(identifier) if identifier else None, vouched)
        for name, identifier in zip(passage.authors, identifiers, strict=True)
    )


def resolve_names(
    s: Session, passages: Sequence[Passage], namespace: str, work_id: str, path: str
) -> tuple[dict[Named, str], tuple[Rejected, ...]]:
    """The author ids by name, and the passages of a work that go nowhere because of a name.

    A name met for the first time becomes an author. One that cannot be used or that several authors
    have is in no id, and each passage that has it is rejected.
    """
    ids: dict[Named, str] = {}
    problems: dict[Named, str] = {}
    for named in dict.fromkeys(n for passage in passages for n in named_in(passage, namespace)):
        try:
            ids[named] = author_named(s, checked(named), namespace, work_id)
        except (Ambiguous, BadInput) as error:
            problems[named] = str(error)
    rejected = dict.fromkeys(
        Rejected(path, passage.line, problems[named])
        for passage in passages
        for named in named_in(passage, namespace)
        if named in problems
    )
    return ids, tuple(rejected)


def checked(named: Named) -> Named:
    """The same with the name as it is stored. Raises BadInput for a name that cannot be used."""
    return replace(named, name=check_name(named.name))
