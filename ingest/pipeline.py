"""Files become statements in the store, so that a kill at any moment loses and doubles nothing.

The rows and vectors of a batch are committed together, and a work is ready with its last batch.
Running the same file again goes on from there, because storing a span twice changes nothing.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from ingest.archives import Source, sources_in
from ingest.authors import equal_shares, resolve_names
from ingest.batches import OnBatch, Progress, Run, embed_missing, store_statements
from ingest.cutting import cut
from ingest.documents import Document, Passage, Rejected
from ingest.files import files_in, read_bytes, shown
from ingest.options import IngestOptions, check_options
from ingest.ports import Embedder
from ingest.readers import read_document
from store.engine import Engine, Session, read, write
from store.errors import BadInput
from store.statements import NewStatement
from store.works import NewWork, add_work, find_work, get_work_text


@dataclass(frozen=True)
class IngestReport:
    """What one run did.

    works: files that were stored to the end. statements: texts that the scope did not have yet.
    duplicates: further places where a text of the scope stands, plus files that were stored before.
    rejected: files, and lines of files that otherwise went in, each with the reason.
    """

    works: int = 0
    statements: int = 0
    duplicates: int = 0
    rejected: tuple[Rejected, ...] = ()

    def __add__(self, other: "IngestReport") -> "IngestReport":
        return IngestReport(
            works=self.works + other.works,
            statements=self.statements + other.statements,
            duplicates=self.duplicates + other.duplicates,
            rejected=self.rejected + other.rejected,
        )


def _ignore(*_: object) -> None:
    """Nobody is told."""


_AS_THE_FILES_SAY = IngestOptions()


def ingest(
    paths: Iterable[Path],
    *,
    engine: Engine,
    embedder: Embedder,
    options: IngestOptions = _AS_THE_FILES_SAY,
    on_batch: OnBatch = _ignore,
    progress: Progress = _ignore,
) -> IngestReport:
    """Store the statements of files and of all files in folders, and embed what has no vector.

    A file that cannot be used is rejected and the next one goes in. Raises UsageError, NotFound,
    Ambiguous or BadInput for the options and StoreBusy, StoreReadOnly or StoreFull for the store;
    what was committed before stays, and the next run goes on from there.
    """
    with read(engine) as s:
        options = check_options(s, options)
    run = Run(engine, embedder, options, on_batch, progress)
    embed_missing(run)
    report = IngestReport()
    for path in files_in(paths):
        for source in _sources(path):
            if isinstance(source, Source):
                report += _ingest_source(run, source)
            else:
                report += IngestReport(rejected=(source,))
    return report


def _sources(path: Path) -> Iterator[Source | Rejected]:
    """The file, or the files of an archive; those that cannot be read with the reason."""
    try:
        yield from sources_in(shown(path), read_bytes(path))
    except BadInput as error:
        yield Rejected(shown(path), None, str(error))


def _ingest_source(run: Run, source: Source) -> IngestReport:
    try:
        return _ingest_file(run, source)
    except BadInput as error:
        return IngestReport(rejected=(Rejected(source.path, None, str(error)),))


def _ingest_file(run: Run, source: Source) -> IngestReport:
    byte_hash = hashlib.sha256(source.data).hexdigest()
    with read(run.engine) as s:
        work = find_work(s, run.options.scope, byte_hash)
    if work is not None and work.state != "ingesting":
        return IngestReport(duplicates=1)
    document = read_document(source.path, source.data)
    return _ingest_document(
        run,
        document,
        NewWork(
            scope=run.options.scope,
            byte_hash=byte_hash,
            byte_count=len(source.data),
            path=source.path,
            title=run.options.title or document.title or PurePath(source.path).stem,
            media_type=document.media_type,
            encoding=document.encoding,
            namespace=run.options.namespace,
            text=document.text,
            published_on=run.options.published_on or document.published_on,
            licence=run.options.licence,
        ),
    )


def _ingest_document(run: Run, document: Document, work: NewWork) -> IngestReport:
    options = run.options
    cuts = list(cut(_by_given_author(document, options), speaker_lines=options.speaker_lines))
    with write(run.engine) as s:
        ids, refused = resolve_names(s, cuts, options.namespace, work.path)
        statements = _with_authors(cuts, ids, work.text, options)
        work_id = _begin(s, work) if statements else ""
    rejected = document.rejected + refused
    if not statements:
        nothing = Rejected(work.path, None, "there is no statement in it")
        return IngestReport(rejected=rejected or (nothing,))
    stored = store_statements(run, work_id, work.path, statements)
    return IngestReport(
        works=1,
        statements=sum(item.is_new for item in stored),
        duplicates=sum(item.occurrence_is_new and not item.is_new for item in stored),
        rejected=rejected,
    )


def _begin(s: Session, work: NewWork) -> str:
    """The id of the work, which an interrupted run may have stored already."""
    found = find_work(s, work.scope, work.byte_hash)
    if found is None:
        return add_work(s, work)
    if get_work_text(s, found.id) != work.text:
        raise BadInput(f"begun as work {found.id} by a version of haozhi that read it differently")
    return found.id


def _with_authors(
    cuts: Iterable[Passage], ids: Mapping[str, str], text: str, options: IngestOptions
) -> list[NewStatement]:
    """The statements whose authors are all among the ids by name."""
    unknown = () if options.author_id is None else (options.author_id,)
    return [
        NewStatement(
            text=text[c.start : c.end],
            language=c.language,
            start=c.start,
            end=c.end,
            authors=equal_shares([ids[name] for name in c.authors] or (() if c.voice else unknown)),
            page=c.page,
            line=c.line,
            published_on=options.published_on or c.published_on,
        )
        for c in cuts
        if all(name in ids for name in c.authors)
    ]


def _by_given_author(document: Document, options: IngestOptions) -> Document:
    """The document with the author that the options name instead of those that it names.

    A voice of its own within the work keeps its author, and stays unknown without one.
    """
    if options.author is None and options.author_id is None:
        return document
    authors = () if options.author is None else (options.author,)
    passages = tuple(p if p.voice else replace(p, authors=authors) for p in document.passages)
    return replace(document, passages=passages)
