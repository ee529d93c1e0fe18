"""Which names a file gives, where they stand, and whom they mean, without making anybody."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.authors import checked, named_in
from ingest.documents import Document, Passage, Rejected
from ingest.options import IngestOptions
from store.engine import Session
from store.errors import Ambiguous, BadInput
from store.identities import Named, find_named


@dataclass(frozen=True)
class NamePlan:
    """A name and how many statements it is given for.

    `origin` says where it stands: option, mapping (front matter), sidecar (or manifest), column,
    metadata (fields that a program filled in), byline or voice. `meaning` is known (`author_id`),
    new (an author of the namespace), unresolved (an author of the work alone, until an admin
    decides who that is) or refused, with the `reason`.
    """

    named: Named
    origin: str
    meaning: str
    statements: int
    author_id: str | None = None
    reason: str = ""


def plan_names(
    s: Session,
    document: Document,
    passages: Sequence[Passage],
    options: IngestOptions,
    work_id: str | None,
) -> tuple[NamePlan, ...]:
    """The distinct (name, origin) pairs of the passages, in their order.

    `work_id` is the work that the file is a version of, None for a new one.
    """
    used = Counter(
        (named, _origin(passage, document, options))
        for passage in passages
        for named in named_in(passage, options.namespace)
    )
    return tuple(
        _plan(s, named, options.namespace, work_id, NamePlan(named, origin, "new", count))
        for (named, origin), count in used.items()
    )


def ids_of(names: Sequence[NamePlan]) -> dict[Named, str]:
    """The author ids by name; who is nobody yet has said nothing before, under any id."""
    return {
        each.named: each.author_id or f"new {each.named.name}"
        for each in names
        if each.meaning != "refused"
    }


def refused(
    names: Sequence[NamePlan], passages: Sequence[Passage], namespace: str, path: str
) -> tuple[Rejected, ...]:
    """The passages that go nowhere because of a name."""
    reasons = {each.named: each.reason for each in names if each.meaning == "refused"}
    lines = dict.fromkeys(
        Rejected(path, passage.line, reasons[named])
        for passage in passages
        for named in named_in(passage, namespace)
        if named in reasons
    )
    return tuple(lines)


def _origin(passage: Passage, document: Document, options: IngestOptions) -> str:
    if passage.voice:
        return "voice"
    if options.author is not None:
        return "option"
    return document.authors_from or "column"


def _plan(
    s: Session, named: Named, namespace: str, work_id: str | None, plan: NamePlan
) -> NamePlan:
    try:
        found = find_named(s, checked(named), namespace, work_id)
    except (Ambiguous, BadInput) as error:
        return replace(plan, meaning="refused", reason=str(error))
    if found is not None:
        return replace(plan, meaning="known", author_id=found)
    is_known = named.vouched or named.identifier is not None
    return replace(plan, meaning="new" if is_known else "unresolved")
