"""Which names a file gives, where they stand, and whom they mean, without making anybody."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ingest.authors import checked, named_in
from ingest.documents import Document, Passage, Rejected
from ingest.options import IngestOptions
from store.engine import Session
from store.errors import Ambiguous, BadInput
from store.identities import Coming, Named, find_named


@dataclass(frozen=True)
class NamePlan:
    """A name and how many statements it is given for.

    `origin` says where it stands: option, mapping (front matter), sidecar (or manifest), column,
    metadata (fields that a program filled in), byline or voice. `meaning` is known (`author_id`,
    None for one whom an earlier file would make), new (an author of the namespace), unresolved (an
    author of the work alone, until an admin decides who that is) or refused, with the `reason`.
    `who` is the author id, or tells apart within a plan who has none yet.
    """

    named: Named
    origin: str
    meaning: str
    statements: int
    author_id: str | None = None
    reason: str = ""
    who: str = ""


def plan_names(
    s: Session,
    document: Document,
    passages: Sequence[Passage],
    options: IngestOptions,
    work_id: str | None,
    earlier: Coming,
) -> tuple[NamePlan, ...]:
    """The distinct (name, origin) pairs of the passages, in their order.

    `work_id` is the work that the file is a version of, None for a new one; `earlier` are the
    authors that earlier files would make. A name may mean one whom a name before it makes.
    """
    coming = earlier.copy()
    used = Counter(
        (named, _origin(passage, document, options))
        for passage in passages
        for named in named_in(passage, options.namespace)
    )
    plans: list[NamePlan] = []
    for (named, origin), count in used.items():
        plan = NamePlan(named, origin, "new", count)
        try:
            who = find_named(s, checked(named), options.namespace, work_id, coming)
        except (Ambiguous, BadInput) as error:
            plans.append(replace(plan, meaning="refused", reason=str(error)))
            continue
        plans.append(_meant(plan, who, earlier, coming))
        _expect(coming, plans[-1], options.namespace)
    return tuple(plans)


def expect(
    coming: Coming, names: Iterable[NamePlan], passages: Iterable[Passage], namespace: str
) -> None:
    """Remember whom those names would make that the passages which go in have."""
    said = {named for passage in passages for named in named_in(passage, namespace)}
    for each in names:
        if each.named in said:
            _expect(coming, each, namespace)


def _expect(coming: Coming, plan: NamePlan, namespace: str) -> None:
    if plan.meaning == "new":
        coming.add(plan.who, plan.named.name, namespace)
    if plan.named.identifier is not None:
        coming.identified.setdefault(plan.named.identifier, plan.who)


def ids_of(names: Sequence[NamePlan]) -> dict[Named, str]:
    """The author ids by name; who is nobody yet has said nothing before, under any id."""
    return {each.named: each.who for each in names if each.meaning != "refused"}


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


def _meant(plan: NamePlan, who: str | None, earlier: Coming, coming: Coming) -> NamePlan:
    """The plan of a name that means `who`, None for nobody yet."""
    named = plan.named
    if who is None:
        meaning = "new" if named.vouched or named.identifier is not None else "unresolved"
        return replace(plan, meaning=meaning, who=f"{meaning} {named.identifier or named.name}")
    if who not in coming.authors:
        return replace(plan, meaning="known", author_id=who, who=who)
    return replace(plan, meaning="known" if who in earlier.authors else "new", who=who)
