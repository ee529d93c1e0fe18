"""Planning a file: it is read and compared with what is stored; nothing is written."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from ingest.archives import Source
from ingest.authors import named_in
from ingest.cutting import cut
from ingest.documents import Document, Rejected
from ingest.files import may_hold, place
from ingest.mapping import Fields, fields_beside, hash_of, with_fields
from ingest.options import IngestOptions
from ingest.planned_names import expect, ids_of, plan_names, refused
from ingest.plans import Counts, Earlier, FilePlan, shares_of
from ingest.readers import Step, read_document
from store.deletions.blanking import blank
from store.engine import Engine, Session, read
from store.errors import BadInput
from store.resolution import canonical
from store.statements import deleted_hashes, known_hashes, statement_hash
from store.versions import Place, places
from store.works import NewWork, Work, find_at, find_work

DELETED = "its work was deleted, and the same bytes do not come back"
NO_STATEMENT = "there is no statement in it"
_BATCH = 1000


def plan_file(
    engine: Engine, options: IngestOptions, source: Source, step: Step, earlier: Earlier
) -> FilePlan:
    """What ingesting the file would do now; remembers in `earlier` what it would store.

    `step` is called now and then. The plan of a file that cannot be read has the reason.
    """
    byte_hash = hashlib.sha256(source.data).hexdigest()
    try:
        with read(engine) as s:
            there = find_work(s, options.scope, byte_hash)
        fields = fields_beside(Path(source.path))
        if there is not None and there.state in ("ready", "withdrawn"):
            plan = FilePlan(source.path, _same(there, place(source.path), byte_hash), there)
            if plan.action != "unchanged" or there.beside_hash == hash_of(fields):
                _remember_move(plan, earlier)
                return plan
        elif byte_hash in earlier.files:
            return FilePlan(source.path, "duplicate", same_as=earlier.files[byte_hash])
        step()
        document = _told(read_document(source.path, source.data, step=step), fields)
    except BadInput as error:
        rejected = Rejected(source.path, None, str(error))
        return FilePlan(source.path, "rejected", rejected=(rejected,))
    work = replace(_work(options, source, byte_hash, document), beside_hash=hash_of(fields))
    with read(engine) as s:
        plan = _planned(s, options, document, work, there, earlier)
        if plan.action != "rejected":
            plan = replace(plan, counts=_counts(s, plan, earlier))
            earlier.files[byte_hash] = source.path
            _remember_move(plan, earlier)
            expect(earlier.authors, plan.names, plan.passages, options.namespace)
    return plan


def _remember_move(plan: FilePlan, earlier: Earlier) -> None:
    """A work is no longer found where it lay once a file elsewhere has its bytes."""
    there = plan.there
    follows = there is not None and plan.action in ("moved", "changed", "resumed")
    if there is not None and follows and there.source != place(plan.path):
        earlier.moved.add(there.id)


def _same(there: Work, source: str, byte_hash: str) -> str:
    """What a file is whose bytes are those of a work."""
    if there.state == "withdrawn":
        return "deleted"
    if there.source == source:
        return "unchanged"
    is_moved = there.source is not None and not may_hold(there.source, byte_hash)
    return "moved" if is_moved else "duplicate"


def _told(document: Document, fields: Fields) -> Document:
    """The document as what stands beside its file says, where the file itself says nothing."""
    told = with_fields(document, fields)
    is_told = told.authors_from == "mapping" != document.authors_from
    return replace(told, authors_from="sidecar") if is_told else told


def find_before(s: Session, work: NewWork, moved: Collection[str] = ()) -> Work | None:
    """The work whose file lay where this one lies, or None; none of `moved` lies there now."""
    if work.source is None:
        return None
    return find_at(s, work.scope, work.namespace, work.source, moved)


def _work(options: IngestOptions, source: Source, byte_hash: str, document: Document) -> NewWork:
    return NewWork(
        scope=options.scope,
        byte_hash=byte_hash,
        byte_count=len(source.data),
        path=source.path,
        title=options.title or document.title or PurePath(source.path).stem,
        media_type=document.media_type,
        encoding=document.encoding,
        namespace=options.namespace,
        text=document.text,
        raw=None if "\0" in (document.raw or "") else document.raw,
        published_on=options.published_on or document.published_on,
        licence=options.licence or document.licence,
        # Names that cannot be shown are not told apart: such a file has no next version.
        source=None if "\ufffd" in source.path else place(source.path),
    )


def _planned(
    s: Session,
    options: IngestOptions,
    document: Document,
    work: NewWork,
    there: Work | None,
    earlier: Earlier,
) -> FilePlan:
    """The plan, but for the counts of new statements and duplicates."""
    cuts = list(cut(_by_given_author(document, options), speaker_lines=options.speaker_lines))
    begun = there is not None and there.state == "ingesting"
    there = there or find_before(s, work, earlier.moved)
    work_id = there.id if there else None
    names = plan_names(s, document, cuts, options, work_id, earlier.authors)
    ids = ids_of(names)
    plan = FilePlan(
        work.path,
        "resumed" if begun else "changed" if there else "new",
        there,
        work=work,
        document=document,
        passages=tuple(p for p in cuts if ids.keys() >= {*named_in(p, options.namespace)}),
        names=names,
        rejected=document.rejected + refused(names, cuts, options.namespace, work.path),
    )
    plan = _without_deleted(s, plan, work)
    if not plan.passages:
        nothing = (Rejected(work.path, None, NO_STATEMENT),)
        return replace(plan, action="rejected", rejected=plan.rejected or nothing)
    plan = replace(plan, unnamed=sum(not shares_of(p, ids, options) for p in plan.passages))
    if there is None:
        return plan
    known = canonical(s, {*ids.values(), *filter(None, [options.author_id])}, there.id)
    return _beside(
        plan,
        places(s, there.id),
        [frozenset(known[a.author_id] for a in shares_of(p, ids, options)) for p in plan.passages],
    )


def _without_deleted(s: Session, plan: FilePlan, work: NewWork) -> FilePlan:
    """What was deleted does not come back with another file, nor with the text around it."""
    hashes = [statement_hash(plan.text(passage)) for passage in plan.passages]
    deleted: set[str] = set()
    for start in range(0, len(hashes), _BATCH):
        deleted |= deleted_hashes(s, work.scope, hashes[start : start + _BATCH])
    if not deleted:
        return plan
    said = list(zip(hashes, plan.passages, strict=True))
    spans = [(p.start, p.end) for digest, p in said if digest in deleted]
    passages = tuple(passage for digest, passage in said if digest not in deleted)
    return replace(
        plan, passages=passages, work=replace(work, text=blank(work.text, spans), raw=None)
    )


def _beside(plan: FilePlan, before: Sequence[Place], authors: Sequence[frozenset[str]]) -> FilePlan:
    """The plan with what stays: the same text by the same authors, in the order of the work."""
    free: dict[tuple[str, frozenset[str]], list[int]] = defaultdict(list)
    for each in reversed(before):
        free[each.hash, each.authors].append(each.occurrence_id)
    kept: dict[int, int] = {}
    for index, passage in enumerate(plan.passages):
        if same := free.get((statement_hash(plan.text(passage)), authors[index])):
            kept[index] = same.pop()
    stays = set(kept.values())
    removed = sum(each.stands and each.occurrence_id not in stays for each in before)
    return replace(plan, kept=kept, counts=Counts(unchanged=len(kept), removed=removed))


def _counts(s: Session, plan: FilePlan, earlier: Earlier) -> Counts:
    """The counts, with which of the passages that do not stay are new to the scope."""
    assert plan.work is not None
    arriving = [p for index, p in enumerate(plan.passages) if index not in plan.kept]
    hashes = [statement_hash(plan.text(passage)) for passage in arriving]
    new: set[str] = set(hashes) - earlier.statements
    for start in range(0, len(hashes), _BATCH):
        new -= known_hashes(s, plan.work.scope, hashes[start : start + _BATCH])
    earlier.statements.update(hashes)
    return replace(plan.counts, new=len(new), duplicate=len(hashes) - len(new))


def _by_given_author(document: Document, options: IngestOptions) -> Document:
    """The document with the author that the options name instead of those that it names.

    A voice of its own within the work keeps its author, and stays unknown without one.
    """
    if options.author is None and options.author_id is None:
        return document
    authors = () if options.author is None else (options.author,)
    passages = tuple(
        p if p.voice else replace(p, authors=authors, identifiers=(), mapped=True)
        for p in document.passages
    )
    return replace(document, passages=passages)
