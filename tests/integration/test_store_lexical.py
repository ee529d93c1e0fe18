"""The lexical index follows the rows, on both databases alike."""

import pytest
from sqlalchemy import Engine, text

from store import lexical
from store.clock import now_us
from store.database import check
from store.engine import read, write
from store.lexical import ids_under, named_headings, query_words, search_words
from store.statements import (
    Filters,
    NewStatement,
    add_statements,
    withdraw_statement,
)
from store.works import NewWork, add_work
from tests.lexicon import Written, write_works

PETS = Written(
    ("我家貓叫糰子。", "The cat sleeps.", "Two cats and a cat and a dog."),
    author="甲",
    title="Pets",
    headings=("The Verge", "House"),
    published_on="2023-09-26",
)
SEAS = Written(("The sea is deep.", "The tide turns twice a day."), author="Bo", title="海")


def _found(engine: Engine, query: str, k: int = 9, under: tuple[str, ...] = ()) -> list[int]:
    with read(engine) as s:
        hits = search_words(s, query_words(s, query), k, Filters(), now_us(), under)
    return [hit.statement_id for hit in hits]


def _differences(engine: Engine) -> list[tuple[str, str]]:
    with read(engine) as s:
        return [(each.code, each.subject) for each in lexical.verify(s)]


def test_words_are_found_from_the_commit_on(engine: Engine) -> None:
    """What `add_statements` stored is found by its words, in any script and width."""
    ((pet, cat, cats), (sea, _)) = write_works(engine, PETS, SEAS)
    assert _found(engine, "猫叫什么？") == [pet]
    assert _found(engine, "ＣＡＴ") == [cat, cats]
    assert _found(engine, "貓")[0] == pet
    assert _found(engine, "deep") == [sea]
    assert _found(engine, "nobody says this") == []
    assert _found(engine, "…") == []


def test_titles_headings_and_dates_are_found_too(engine: Engine) -> None:
    """A statement is found by where it stands; a date in any way of writing it."""
    (pets, seas) = write_works(engine, PETS, SEAS)
    assert set(_found(engine, "house")) == set(pets)
    assert set(_found(engine, "2023年9月26日")) == set(pets)
    assert set(_found(engine, "海")) == set(seas)


def test_both_databases_rank_alike(engine: Engine) -> None:
    """The scores are FTS5's BM25 on PostgreSQL too."""
    write_works(engine, PETS, SEAS, Written([f"The {n} is a number." for n in range(30)]))
    with read(engine) as s:
        words = query_words(s, "the tide and the cat: 7?")
        hits = search_words(s, words, 4, Filters(), now_us())
    scores = [round(hit.score, 3) for hit in hits]
    assert scores == [4.743, 3.291, 3.291, 1.974]


def test_a_withdrawn_statement_has_no_words(engine: Engine) -> None:
    """They go with the withdrawal, and nothing else does."""
    ((pet, cat, cats), _) = write_works(engine, PETS, SEAS)
    with write(engine) as s:
        withdraw_statement(s, cats)
    assert _found(engine, "cat") == [cat]
    assert _differences(engine) == []
    with read(engine) as s:
        words = s.scalars(text("SELECT count(*) FROM lexical")).one()
    assert (words, _found(engine, "猫")) == (4, [pet])


def test_a_text_is_found_by_every_title_that_it_stands_under(engine: Engine) -> None:
    """The same text in a second work adds that work's title."""
    (_, (sea, _)) = write_works(engine, PETS, SEAS)
    assert _found(engine, "almanac") == []
    write_works(engine, Written(("The sea is deep.",), title="Almanac"))
    assert _found(engine, "almanac") == [sea]
    assert _differences(engine) == []


def test_a_rolled_back_batch_leaves_no_words(engine: Engine) -> None:
    """Words and rows are one transaction."""
    work = NewWork("public", "1" * 64, 1, "t", "t", "text/plain", "utf-8", "test", "unwritten")
    new = [NewStatement("unwritten", "en", 0, 9)]

    def interrupted() -> None:
        with write(engine) as s:
            add_statements(s, add_work(s, work), "public", new)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert _differences(engine) == []
    assert _found(engine, "unwritten") == []


def test_verify_names_what_was_changed_behind_it(engine: Engine) -> None:
    """Missing, unknown and other words are differences until they are rebuilt."""
    ((pet, cat, _), _) = write_works(engine, PETS, SEAS)
    if engine.dialect.name == "sqlite":
        key, added = "rowid", "(rowid, words) VALUES (999, 'x')"
    else:
        key, added = "statement_id", "(statement_id, words, length) VALUES (999, 'x', 1)"
    with write(engine) as s:
        s.execute(text(f"DELETE FROM lexical WHERE {key} = {pet}"))
        s.execute(text(f"UPDATE lexical SET words = 'other' WHERE {key} = {cat}"))
        s.execute(text(f"INSERT INTO lexical {added}"))
    assert _differences(engine) == [
        ("words_missing", f"statement {pet}"),
        ("words_differ", f"statement {cat}"),
        ("words_unknown", "statement 999"),
    ]
    with write(engine) as s:
        assert lexical.rebuild(s) == 5
    assert _differences(engine) == []
    assert check(engine) == ()


def test_a_lost_index_is_drift(engine: Engine) -> None:
    """`haozhi db check` notices that the tables of the index are not the same; rebuild mends it."""
    write_works(engine, PETS, SEAS)
    with write(engine) as s:
        s.execute(text("DROP TABLE lexical"))
        create = (
            "CREATE VIRTUAL TABLE lexical USING fts5(words)"
            if engine.dialect.name == "sqlite"
            else "CREATE TABLE lexical (statement_id bigint PRIMARY KEY, words text)"
        )
        s.execute(text(create))
    assert check(engine) == ("the lexical index is not what it should be",)
    with write(engine) as s:
        assert lexical.rebuild(s) == 5
    assert check(engine) == ()


def test_purged_words_are_not_in_the_file(sqlite_engine: Engine) -> None:
    """After `purge` no page of the index holds what was withdrawn."""
    (_, (rare,)) = write_works(sqlite_engine, PETS, Written(("Zyzzyvas are weevils.",)))
    blocks = text("SELECT block FROM lexical_data")
    with write(sqlite_engine) as s:
        assert b"yzzyv" in b"".join(s.scalars(blocks))
        withdraw_statement(s, rare)
        lexical.purge(s)
        assert b"yzzyv" not in b"".join(s.scalars(blocks))


def test_headings_that_a_question_names(engine: Engine) -> None:
    """Titles and headings are recognised whole, and a search can stay under one of them."""
    (pets, _) = write_works(engine, PETS, Written(("A cat is a cat.",), headings=("Verge",)))
    with read(engine) as s:
        assert named_headings(s, "Does the verge say 海, or Pets?") == ("_the_verge", "_pets")
        assert named_headings(s, "Does it?") == ()
        assert ids_under(s, "_the_verge", Filters(), now_us()).tolist() == pets
        assert ids_under(s, "_the_verge", Filters(language="zh"), now_us()).tolist() == []
    assert _found(engine, "cat", under=("_the_verge",)) == pets[1:]


def test_the_commonest_words_are_not_looked_at(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where words stand in more statements than a search may look at, the rarest ones decide."""
    write_works(engine, Written([f"the common word {n % 3} {n}" for n in range(30)]))
    monkeypatch.setattr("store.lexical.searching.POSTINGS", 12)
    with read(engine) as s:
        assert query_words(s, "The common word 2 and 17?") == ("17", "2")
        assert query_words(s, "the common") == ("common",)
        assert query_words(s, "never said") == ()


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"language": "zh"}, {"b"}),
        ({"language": "en"}, {"a", "c"}),
        ({"licence": "cc-by-4.0"}, {"a"}),
        ({"published_from": "2001"}, {"b"}),
        ({"published_to": "2000-06"}, {"a"}),
        ({"published_from": "2000-01-01", "published_to": "2001-01-01"}, {"a", "b"}),
        ({"published_from": "2000-07", "language": "zh"}, {"b"}),
        ({"published_from": "2002"}, set()),
        ({}, {"a", "b", "c"}),
    ],
)
def test_filters_hold_before_ranking(
    engine: Engine, filters: dict[str, str], expected: set[str]
) -> None:
    """With a place for every match, exactly those that meet the filters come."""
    a, b, c = write_works(
        engine,
        Written(("word a",), published_on="2000-05-01", licence="CC-BY-4.0"),
        Written(("word b",), published_on="2001", language="zh"),
        Written(("word c",)),
    )
    names = {a[0]: "a", b[0]: "b", c[0]: "c"}
    with read(engine) as s:
        hits = search_words(s, ["word"], len(expected) or 1, Filters(**filters), now_us())
    assert {names[hit.statement_id] for hit in hits} == expected
