"""Rights in works, as an admin sees and changes them; works, holders and authors go by name."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace

from haozhi.withdraw import statement_named
from store import rights
from store.clock import now_us
from store.engine import Engine, Session, read, write
from store.errors import BadInput
from store.people import author_names, get_author
from store.rights import Grant, Holder, NewGrant
from store.works import Work, get_work, set_evidence

#: What a grant can say of each use, and which of its columns must allow it.
USES = {
    "answer": ("may_retrieve", "may_generate"),
    "display": ("may_display",),
    "train": ("may_train",),
}


@dataclass(frozen=True)
class WorkRights:
    """A work and its grants, oldest first, as of `at_us`.

    `uses` says of each use whether the work is `free` (no grants), `granted`, `forbidden` or
    `not_granted` (none in force); `holders` are those of the grants by id, `names` the names of the
    authors among them by author id.
    """

    work: Work
    grants: tuple[Grant, ...]
    holders: Mapping[str, Holder]
    names: Mapping[str, str]
    uses: Mapping[str, str]
    at_us: int

    def label(self, holder_id: str) -> str:
        """What the holder of a grant is called; the id where there is no name."""
        holder = self.holders[holder_id]
        return holder.label or self.names.get(holder.author_id or "") or holder.id


def get_rights(engine: Engine, work: str) -> WorkRights:
    """The rights in a work (id, title or path). NotFound, Ambiguous."""
    with read(engine) as session:
        return _rights(session, get_work(session, work))


def add_holder(engine: Engine, name: str) -> Holder:
    """A new holder that is no author. BadInput: the name is blank, or somebody has it already."""
    with write(engine) as session:
        if rights.find_holders(session, name):
            raise BadInput(f"there is a holder called {name!r} already")
        return rights.get_holder(session, rights.add_holder(session, name))


def grant(engine: Engine, asked: NewGrant, by: str) -> WorkRights:
    """Add a grant that names its work and holder by id or name; returns the work's rights.

    Without a start it is in force from now on. NotFound, Ambiguous; BadInput as `add_grant`, or it
    would be over before now.
    """
    now, until = now_us(), asked.valid_until_us
    if asked.valid_from_us is None and until is not None and until <= now:
        raise BadInput(
            "the last day (--until) is over: name one to come, or a first day (--from) before it"
        )
    with write(engine) as session:
        work = get_work(session, asked.work_id)
        holder = rights.get_holder(session, asked.holder_id)
        start = now if asked.valid_from_us is None else asked.valid_from_us
        named = replace(asked, work_id=work.id, holder_id=holder.id, valid_from_us=start)
        rights.add_grant(session, named, by)
        return _rights(session, work)


def end_grant(engine: Engine, grant_id: int, by: str) -> None:
    """End a grant now. NotFound; BadInput: it has ended."""
    with write(engine) as session:
        rights.end_grant(session, grant_id, by)


def record_evidence(
    engine: Engine, work: str, kind: str, published_on: str | None, by: str
) -> WorkRights:
    """Record how a work's date is known. NotFound, Ambiguous; BadInput as `set_evidence`."""
    with write(engine) as session:
        found = get_work(session, work)
        set_evidence(session, found.id, kind, published_on, by)
        return _rights(session, get_work(session, found.id))


def mark_common(engine: Engine, statement: str, by: str) -> tuple[int, bool]:
    """Mark a public statement (id or exact text) as common knowledge; its id, and if it was new."""
    with write(engine) as session:
        statement_id = statement_named(session, statement)
        return statement_id, rights.mark_common(session, statement_id, by)


def link(engine: Engine, asker_id: str, author: str, by: str) -> tuple[str, bool]:
    """Say that an asker is an author (id or name); the author's id, and whether that was new."""
    with write(engine) as session:
        author_id = get_author(session, author).id
        return author_id, rights.link_asker(session, asker_id, author_id, by)


def unlink(engine: Engine, asker_id: str, author: str, by: str) -> tuple[str, bool]:
    """Say that an asker is not an author after all; the author's id, and whether it was linked."""
    with write(engine) as session:
        author_id = get_author(session, author).id
        return author_id, rights.unlink_asker(session, asker_id, author_id, by)


def day_start_us(date: str) -> int:
    """The first microsecond of a day (YYYY-MM-DD) in UTC. BadInput: it is no such day."""
    try:
        day = dt.datetime.strptime(date, "%Y-%m-%d").replace(tzinfo=dt.UTC)
    except ValueError:
        day = None
    if day is None or day.year == dt.MAXYEAR:
        raise BadInput(f"{date[:40]!r} is not a day: write YYYY-MM-DD")
    return int(day.timestamp()) * 1_000_000


def day_end_us(date: str) -> int:
    """The first microsecond after a day (YYYY-MM-DD) in UTC. BadInput: it is no such day."""
    return day_start_us(date) + 86_400_000_000


def _rights(session: Session, work: Work) -> WorkRights:
    grants = rights.list_grants(session, work.id)
    holders = rights.get_holders(session, {each.holder_id for each in grants})
    authors = {each.author_id for each in holders.values() if each.author_id}
    at_us = now_us()
    return WorkRights(
        work=work,
        grants=grants,
        holders=holders,
        names=author_names(session, authors),
        uses={use: rights.allowance(grants, at_us, *needs) for use, needs in USES.items()},
        at_us=at_us,
    )
