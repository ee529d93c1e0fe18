"""A plan: what ingesting a file would change. A dry run shows it, a real one carries it out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ingest.authors import equal_shares, named_in
from ingest.boxes import rectangles
from ingest.documents import Document, Passage, Rejected
from ingest.headings import outline_of
from ingest.options import IngestOptions
from ingest.planned_names import NamePlan
from ingest.setting import in_setting
from store.identities import Coming, Named
from store.records.corpus import AuthorShare
from store.statements import NewStatement
from store.works import NewWork, Work


@dataclass(frozen=True)
class Counts:
    """Of the statements of a file: texts that the scope lacks, texts that it has from elsewhere,
    what stays in its work as it is, and what the version before had and this one has not.
    """

    new: int = 0
    duplicate: int = 0
    unchanged: int = 0
    removed: int = 0


@dataclass(frozen=True)
class Earlier:
    """What earlier files of a dry run would have stored: paths by hash of the bytes, hashes of
    statements, authors, and ids of works that follow their bytes to another place.
    """

    files: dict[str, str] = field(default_factory=dict)
    statements: set[str] = field(default_factory=set)
    authors: Coming = field(default_factory=Coming)
    moved: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class FilePlan:
    """What becomes of a file.

    `action` is new, changed (the next version of `there`), resumed (`there` was begun), unchanged
    (`there` has these bytes), moved (they are gone from where they lay), duplicate (`there`, or a
    file at `same_as`, has them), deleted (`there` had them, and was deleted), removed (the file of
    `there` is gone) or rejected. `passages` become statements; `kept` maps the index of one to the
    occurrence that stays. `unnamed` counts those without an author.
    """

    path: str
    action: str
    there: Work | None = None
    same_as: str = ""
    work: NewWork | None = None
    document: Document | None = None
    passages: tuple[Passage, ...] = ()
    kept: Mapping[int, int] = field(default_factory=dict)
    counts: Counts = Counts()
    names: tuple[NamePlan, ...] = ()
    unnamed: int = 0
    rejected: tuple[Rejected, ...] = ()

    def text(self, passage: Passage) -> str:
        """What one of its passages says."""
        assert self.work is not None
        return self.work.text[passage.start : passage.end]


def shares_of(
    passage: Passage, ids: Mapping[Named, str], options: IngestOptions
) -> tuple[AuthorShare, ...]:
    """Equal parts for those whom its names mean, else for the author given by id."""
    given = () if options.author_id is None or passage.voice else (options.author_id,)
    named = [ids[each] for each in named_in(passage, options.namespace)]
    return equal_shares(named or given)


def statements_of(
    plan: FilePlan, ids: Mapping[Named, str], options: IngestOptions
) -> list[NewStatement]:
    """What becomes of the passages, in their order, once every name means somebody."""
    assert plan.document is not None
    assert plan.work is not None
    outline = outline_of(plan.document)
    statements = [
        NewStatement(
            text=plan.text(p),
            language=p.language,
            start=p.start,
            end=p.end,
            authors=shares_of(p, ids, options),
            page=p.page,
            line=p.line,
            published_on=options.published_on or p.published_on,
            headings=(*outline.at(p.start), *p.headings),
            boxes=rectangles(plan.document.boxes, p.start, p.end),
            confidence_ppm=None if p.confidence is None else round(p.confidence * 1_000_000),
        )
        for p in plan.passages
    ]
    return in_setting(plan.work.title, statements)
