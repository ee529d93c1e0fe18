"""Works whose files are no longer in the folders that are ingested."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ingest.documents import Rejected
from ingest.files import is_folder, place, shown
from ingest.options import IngestOptions
from ingest.plans import Counts, FilePlan
from store.engine import Engine, read, write
from store.versions import places, remove_work
from store.works import Work, list_under


@dataclass
class Seen:
    """What a run has met: what could not be read, and works by their bytes."""

    closed: set[str] = field(default_factory=set)
    works: set[str] = field(default_factory=set)

    def add(self, plan: FilePlan) -> None:
        """A file was planned.

        A work from its place that is not the plan's has lost that place to the bytes of another.
        """
        if plan.action == "rejected":
            self.closed.add(place(plan.path))
        if plan.there is not None:
            self.works.add(plan.there.id)

    def reject(self, rejected: Rejected) -> None:
        """A file, archive or folder could not be read, so that it is not known what is in it."""
        self.closed.add(place(rejected.path))

    def has(self, work: Work) -> bool:
        """Whether its file is there, under whatever name, or may be."""
        source = work.source or ""
        above = (source[:i] for i, c in enumerate(source) if c == os.sep)
        closed = source in self.closed or not self.closed.isdisjoint(above)
        return closed or work.id in self.works


def plan_removals(
    engine: Engine, options: IngestOptions, paths: Sequence[Path], seen: Seen
) -> Iterator[FilePlan]:
    """A plan for each work from a file in one of the folders that was not met there."""
    folders = [place(shown(path)) for path in paths if is_folder(path)]
    with read(engine) as s:
        found = {
            work.id: work
            for folder in folders
            for work in list_under(s, options.scope, options.namespace, folder)
            if not seen.has(work)
        }
        counts = {i: sum(place.stands for place in places(s, i)) for i in found}
    for work_id, work in found.items():
        yield FilePlan(work.source or "", "removed", work, counts=Counts(removed=counts[work_id]))


def remove(engine: Engine, work_id: str) -> int:
    """Withdraw what stands in the work of a removed file; returns how many statements stood."""
    with write(engine) as s:
        return remove_work(s, work_id)
