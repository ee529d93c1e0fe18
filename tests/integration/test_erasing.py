"""Erasing an author: the person's name goes; ids, totals, roots and proofs stay as they were."""

from pathlib import Path

import pytest
from sqlalchemy import insert, select

from haozhi.correcting import refund_entry
from haozhi.disputing import close_dispute
from haozhi.erasing import erase
from ingest.pipeline import resume
from store.authors import get_author_state, list_authors
from store.engine import Engine, Session, database_path, read, write
from store.erasures import Erased
from store.errors import Ambiguous, BadInput, NotFound
from store.job_files import list_files, put_file
from store.job_names import BLANKED
from store.jobs import add_job, cancel_job, list_jobs
from store.payouts import Payee, set_payee
from store.people import add_author, get_author
from store.records.corpus import AuthorShare
from store.rights import link_asker
from store.schema import AuthorAliasRow, AuthorIdentifierRow, Base, EntryRow, ErasureRow, JobRow
from store.statements import NewStatement, add_statements, visible_ids
from store.vectors.faiss_index import FaissIndex
from store.works import NewWork, add_work
from tests.disputing import OF_A, assert_whole, balances, close, dispute, key_of
from tests.ingesting import SmallE5
from tests.signed_books import SignedBooks, export, make_books
from tests.stored_books import NOW, Corpus, add_corpus, settle

ALIAS, ORCID, ASKER = "团子-Erasable", "0000-0001-5109-3700", "asker-of-dumpling"
PAYEE, ACCOUNT = "D. Erasable", "DE02120300000000202051"


@pytest.fixture
def corpus(engine: Engine) -> Corpus:
    """Statements by A, who has every kind of row that names a person, by B and by nobody known."""
    found = add_corpus(engine)
    with write(engine) as s:
        name_fully(s, found.a)
    return found


def name_fully(s: Session, author_id: str) -> None:
    """Give an author a telling alias, an identifier, an asker, a bank account and a failed job."""
    job = add_job(s, "ingest", None, {"paths": ["/p"], "options": {"author": ALIAS, "sync": False}})
    reasons = [{"line": 3, "reason": f"2 authors are called {ALIAS!r}, use an id"}]
    told = {"action": "rejected", "rejected": [*reasons, {"line": 4, "reason": "no text"}]}
    put_file(s, job.id, "/p", "failed", result=told | {"notes": [f"by {ALIAS}", "that note"]})
    put_file(s, job.id, "/q", "failed", result={"action": "rejected"})
    s.get_one(JobRow, job.id).error = f"2 authors are called {ALIAS!r}"
    alias = {"author_id": author_id, "namespace": "test", "alias": ALIAS, "alias_key": ALIAS}
    s.execute(insert(AuthorAliasRow).values(**alias, confirmed=True, created_us=NOW))
    found = {"scheme": "orcid", "value": ORCID, "author_id": author_id}
    s.execute(insert(AuthorIdentifierRow).values(**found))
    link_asker(s, ASKER, author_id, "root")
    holder_id = get_author(s, author_id).holder_id
    set_payee(s, Payee(holder_id, "EUR", PAYEE, ACCOUNT, None, None, "DE", "none", "x", NOW))


def test_every_row_that_names_the_person_is_gone(engine: Engine, corpus: Corpus) -> None:
    """Name, aliases, identifiers, bank data and asker links are deleted and counted."""
    done = erase(engine, "A", by="root")
    assert (done.author_id, done.erased) == (corpus.a, Erased(1, 1, 1, 1, 1, 1, 1))
    with read(engine) as s:
        assert get_author(s, corpus.a).name is None
        for name in ("A", ALIAS):
            with pytest.raises(NotFound):
                get_author(s, name)
        rows = [row for t in Base.metadata.sorted_tables for row in s.execute(select(t))]
    telling = {ALIAS, ORCID, ASKER, PAYEE, ACCOUNT}
    assert not [row for row in rows if any(each in str(row) for each in telling)]


@pytest.mark.usefixtures("corpus")
def test_a_job_without_the_name_is_not_resumed(engine: Engine) -> None:
    """What a job told of others stays; going on without the name would credit somebody else."""
    erase(engine, "A", by="root")
    with read(engine) as s:
        (job,) = list_jobs(s, "ingest", 2)
        files = {file.path: file.result for file in list_files(s, job.id)}
    assert (job.payload, job.error) == ({"paths": ["/p"]}, BLANKED)
    assert files["/p"]["rejected"] == [
        {"line": 3, "reason": BLANKED},
        {"line": 4, "reason": "no text"},
    ]
    assert (files["/p"]["notes"], files["/q"]) == ([BLANKED, "that note"], {"action": "rejected"})
    for _ in range(2):
        with pytest.raises(BadInput, match="an author who was erased: ingest its files anew"):
            resume(job.id, engine=engine, embedder=SmallE5())
    with write(engine) as s:
        assert cancel_job(s, job.id).state == "cancelled"


def test_the_deleted_bytes_are_not_in_the_file(sqlite_engine: Engine) -> None:
    """SQLite overwrites what it deletes, in the file and in its log: nothing is left to read."""
    corpus = add_corpus(sqlite_engine)
    with write(sqlite_engine) as s:
        name_fully(s, corpus.a)
    file = database_path(sqlite_engine)
    assert file is not None
    erase(sqlite_engine, "A", by="root")
    content = b"".join(path.read_bytes() for path in file.parent.glob("haozhi.db*"))
    assert not [t for t in ("Erasable", ORCID, ASKER, ACCOUNT) if t.encode() in content]
    assert corpus.a.encode() in content


def test_books_roots_and_proofs_are_what_they_were(engine: Engine, tmp_path: Path) -> None:
    """Root, entries and the exported bytes of a closed period are the same before and after."""
    books = make_books(engine, tmp_path / "data", periods=1, answers=2)
    before = exported(books, tmp_path / "before"), chain(engine)
    erase(engine, "A", by="root")
    after = exported(books, tmp_path / "after"), chain(engine)
    assert after == before
    assert len(before[0]) >= 4
    assert balances(engine, books.corpus)["A"] == 8000


def exported(books: SignedBooks, folder: Path) -> dict[str, bytes]:
    """The files of A's export for period 1, which verify."""
    assert export(books, folder, 1) == ()
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def chain(engine: Engine) -> tuple[str, ...]:
    """The hashes of all entries, oldest first."""
    with read(engine) as s:
        return tuple(s.scalars(select(EntryRow.hash).order_by(EntryRow.seq)))


def test_what_admins_wrote_with_the_name_in_it_is_told(engine: Engine, corpus: Corpus) -> None:
    """Grounds and notes are part of the books and stay, so an admin is told where to look."""
    for number in (1, 2, 3):
        settle(engine, corpus, number)
    grounds = (f"{ALIAS.upper()}先说的", "an aside, not by that author", "AA, BA")
    first, *_ = (dispute(engine, OF_A, n, ground=g) for n, g in enumerate(grounds, start=1))
    close_dispute(engine, first.id, winner=None, by="root", note="it was A, not B")
    refund_entry(engine, key_of(2), 100, name="x", by="root", note="团子-Ｅrasable 说的")
    done = erase(engine, "A", by="root")
    assert done.still_named == (f"dispute {first.id}", f"entry refund:x:{key_of(2)}")
    assert erase(engine, corpus.a, by="root").still_named is None


def test_later_money_is_unclaimed(engine: Engine, corpus: Corpus) -> None:
    """What was earned stays in the account; what is earned later waits as unclaimed."""
    settle(engine, corpus, 1)
    erase(engine, "A", by="root")
    settle(engine, corpus, 2)
    found = balances(engine, corpus)
    assert (found["A"], found["B"], found["unclaimed"]) == (4000, 7000, 1000 + 5000)
    opened = dispute(engine, OF_A, 2)
    close(engine, opened, "B")
    assert balances(engine, corpus)["B"] == 11_000
    assert_whole(engine)


def test_erasing_twice_says_so(engine: Engine, corpus: Corpus) -> None:
    """The second time, by id, there is nothing to delete, and the first request stands."""
    erase(engine, "A", by="root")
    again = erase(engine, corpus.a, by="somebody else")
    assert (again.author_id, again.erased) == (corpus.a, None)
    with read(engine) as s:
        assert s.get_one(ErasureRow, corpus.a).requested_by == "root"


def test_only_a_known_author_can_be_erased(engine: Engine, corpus: Corpus) -> None:
    """A name nobody or several have, or no name of who asks, changes nothing."""
    with write(engine) as s:
        other = add_author(s, "A", "elsewhere")
    for author, by, error in (("Z", "x", NotFound), ("A", "x", Ambiguous), (other, " ", BadInput)):
        with pytest.raises(error):
            erase(engine, author, by=by)
    with read(engine) as s:
        assert s.scalars(select(ErasureRow)).all() == []
        assert get_author_state(s, corpus.a).author.name == "A"


def test_what_the_author_said_stays_unless_it_is_withdrawn(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """Statements stay; asked to, those that A alone says are withdrawn, shared ones are not."""
    shared, both = said_elsewhere(engine, corpus)
    own = corpus.statements[0].statement_id
    erase(engine, "A", by="root")
    with read(engine) as s:
        assert visible_ids(s, [own, shared, both]) == {own, shared, both}
    index = FaissIndex(tmp_path / "index", "none", 4)
    done = erase(engine, corpus.a, by="root", index=index)
    assert (done.erased, done.statements_withdrawn, done.vectors_removed) == (None, 1, 0)
    with read(engine) as s:
        others = [added.statement_id for added in corpus.statements[1:]]
        assert visible_ids(s, [own, shared, both, *others]) == {shared, both, *others}
    assert erase(engine, corpus.a, by="root", index=index).statements_withdrawn == 0


def said_elsewhere(engine: Engine, corpus: Corpus) -> tuple[int, int]:
    """A statement of A that somebody unknown says too, and one of A and B together."""
    text = "7 + 1 = 8\n8 + 1 = 9\n7 + 1 = 8\n"
    work = NewWork("public", "1" * 64, 30, "more", "more", "text/plain", "utf-8", "test", text)
    by_a = (AuthorShare(corpus.a, 1_000_000),)
    by_both = (AuthorShare(corpus.a, 500_000), AuthorShare(corpus.b, 500_000))
    with write(engine) as s:
        new = [
            NewStatement("7 + 1 = 8", "en", 0, 9, by_a),
            NewStatement("8 + 1 = 9", "en", 10, 19, by_both),
            NewStatement("7 + 1 = 8", "en", 20, 29, ()),
        ]
        added = add_statements(s, add_work(s, work), "public", new)
    return added[0].statement_id, added[1].statement_id


def test_authors_are_listed_and_shown(engine: Engine, corpus: Corpus) -> None:
    """Oldest first and in pages, with what each has, owes and can be found with."""
    settle(engine, corpus, 1)
    erase(engine, "A", by="root")
    with read(engine) as s:
        a, b = list_authors(s, 10)
        assert (a.author.id, a.author.name) == (corpus.a, None)
        assert (b.author.id, b.author.name, b.erased_us) == (corpus.b, "B", None)
        assert list_authors(s, 1, after=corpus.a) == (b,)
        with pytest.raises(NotFound, match="no author has the id 'Z'"):
            list_authors(s, 1, after="Z")
        state = get_author_state(s, corpus.a)
    assert state.erased_us == a.erased_us is not None
    assert (state.works, state.statements) == (1, 1)
    assert (state.balance_micro, state.owed_micro) == (4000, 0)
