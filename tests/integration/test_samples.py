"""The sample corpus that ships with the project."""

from sqlalchemy import Engine, text

from haozhi.samples import sample_paths
from ingest.pipeline import ingest
from store.engine import read
from store.statements import counts, find_by_text
from tests.ingesting import SmallE5

SUMS = ("1 + 1 = 2", "2 + 1 = 3", "5 + 4 = 9", "3 + 1 = 4", "1 + 3 = 4", "7 + 2 = 9")


def test_the_samples_go_in_whole(sqlite_engine: Engine) -> None:
    """Nothing is rejected or doubled; beside the sums there is enough in each language by many."""
    report = ingest(sample_paths(), engine=sqlite_engine, embedder=SmallE5())
    assert (report.works, report.duplicates, report.rejected) == (len(sample_paths()), 0, ())
    with read(sqlite_engine) as s:
        languages = s.scalars(text("SELECT language FROM statements")).all()
        assert languages.count("zh") >= 18
        assert languages.count("en") - len(SUMS) >= 18
        assert counts(s).authors >= 14
        shares = s.execute(text("SELECT occurrence_id, sum(ppm) FROM occurrence_shares GROUP BY 1"))
        assert {total for _, total in shares} == {10**6}
        assert s.scalar(text("SELECT count(DISTINCT occurrence_id) FROM occurrence_shares")) == (
            counts(s).occurrences
        )
        assert all(find_by_text(s, sum_, "public") for sum_ in SUMS)


def test_each_record_is_one_statement(sqlite_engine: Engine) -> None:
    """A sample's line or row is one sentence, so that what a person reads is what gets cited."""
    ingest(sample_paths(), engine=sqlite_engine, embedder=SmallE5())
    with read(sqlite_engine) as s:
        doubled = s.execute(
            text("SELECT work_id, line FROM occurrences GROUP BY 1, 2 HAVING count(*) > 1")
        ).all()
    assert doubled == []
