"""What a person says about the files they bring in."""

from dataclasses import dataclass, replace

from ingest.authors import DEFAULT_NAMESPACE
from ingest.fields import check_date, check_name
from store.engine import Session
from store.errors import Ambiguous, NotFound, UsageError
from store.people import find_authors, get_author
from store.terms import check_licence
from store.text import check_text
from store.unresolved import is_of_work


@dataclass(frozen=True)
class IngestOptions:
    """`author` (a name within `namespace`) or `author_id` beats what the files say.

    `speaker_lines` reads `A said: "…"` as a statement by A, and a speaker beats both. `title`,
    `published_on` (YYYY, YYYY-MM or YYYY-MM-DD) and `licence` (an SPDX expression) are those of
    every work. In a namespace other than the default one every name is vouched for. `sync`: the
    works of files that are gone from a folder are removed.
    """

    author: str | None = None
    author_id: str | None = None
    namespace: str = DEFAULT_NAMESPACE
    scope: str = "public"
    speaker_lines: bool = False
    title: str | None = None
    published_on: str | None = None
    licence: str | None = None
    sync: bool = False


def check_options(s: Session, options: IngestOptions) -> IngestOptions:
    """The options with name and date in normal form.

    Raises UsageError for a blank title or namespace and for both an author and an id, NotFound for
    an unknown id, Ambiguous for a name that several authors have, BadInput for a value that cannot
    be used.
    """
    for text in (options.namespace, options.scope, options.title):
        check_text(text or "")
    if options.title is not None and not options.title.strip():
        raise UsageError("the title is blank: leave it out for the one that each file has")
    if not options.namespace.strip():
        raise UsageError("the namespace is blank: leave it out for the default one")
    if is_of_work(options.namespace):
        raise UsageError(f"namespace {options.namespace!r} is of names that nobody vouches for")
    date = None if options.published_on is None else check_date(options.published_on)
    licence = None if options.licence is None else check_licence(options.licence)
    author = _check_author(s, options)
    return replace(options, author=author, published_on=date, licence=licence)


def _check_author(s: Session, options: IngestOptions) -> str | None:
    if options.author_id is not None:
        if options.author is not None:
            raise UsageError("give an author by name or by id, not both")
        if get_author(s, options.author_id).id != options.author_id:
            raise NotFound(f"no author has the id {options.author_id!r}")
    if options.author is None:
        return None
    name = check_name(options.author)
    found = find_authors(s, name, options.namespace)
    if len(found) > 1:
        raise Ambiguous(
            f"{len(found)} authors are called {name!r}, use an id", [a.id for a in found]
        )
    return name
