"""How authors stand to a claim: stated, first stated, derived, unknown; told in both languages."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from haozhi.erasing import erase
from haozhi.language import Language
from haozhi.provenance import Standing, explain, opened, relations_of
from haozhi.questions import Relation
from store.engine import read, write
from store.people import add_author
from store.records.answers import Answer, Segment
from store.records.corpus import AuthorShare
from store.statements import NewStatement, add_statements
from store.works import NewWork, add_work
from tests.books import a_refusal, an_answer

#: Text, author (None: unknown) and date.
Row = tuple[str, str | None, str | None]
TWICE: tuple[Row, ...] = (("1 + 1 = 2", "A", "2001-05"), ("1 + 1 等于 2", "乙", "1999"))
UNDATED: tuple[Row, ...] = (("1 + 1 = 2", "A", None), ("5 + 4 = 9", "B", "1990"))
STEPS: tuple[Row, ...] = (("1 + 1 = 2", "A", "2001"), ("2 + 1 = 3", None, None))


def _answer(engine: Engine, rows: tuple[Row, ...], claim: str, language: Language) -> Answer:
    """A `who` answer that is the claim, over statements in this order."""
    text = "\n".join(each for each, _, _ in rows)
    with write(engine) as s:
        authors = {name: add_author(s, name, "test") for _, name, _ in rows if name}
        new = [
            NewStatement(
                each,
                "en",
                text.index(each),
                text.index(each) + len(each),
                (AuthorShare(authors[name], 1_000_000),) if name else (),
                published_on=date,
            )
            for each, name, date in rows
        ]
        work = NewWork("public", "1" * 64, 9, "p", "p", "text/plain", "utf-8", "test", text)
        added = add_statements(s, add_work(s, work), "public", new)
    answer = an_answer(kind="who", claim=claim, fee_micro=0, text=claim, language=language)
    players = [f"{authors[n]}:1000000" if n else f"unknown:{i}" for i, (_, n, _) in enumerate(rows)]
    context = tuple(
        replace(
            entry, statement_id=one.statement_id, occurrence_id=one.occurrence_id, player=player
        )
        for entry, one, player in zip(answer.context, added, players, strict=False)
    )
    asked = f"{claim.split('=')[0].strip()} = ?"
    segments = (Segment(0, 0, len(claim), 0, 4, 10**9),)
    return replace(answer, context=context, segments=segments, options={"asked": asked})


@pytest.mark.parametrize(
    ("rows", "claim", "standings"),
    [
        (TWICE, "1 + 1 = 2", ["stated", "first_stated"]),
        (TWICE[:1], "1 + 1 = 2", ["first_stated"]),
        (UNDATED, "1 + 1 = 2", ["stated"]),
        (STEPS, "1 + 1 + 1 = 3", ["derived", "derived"]),
        (UNDATED, "1 + 1 + 1 = 3", []),
    ],
)
def test_the_standing_of_each_statement(
    sqlite_engine: Engine, rows: tuple[Row, ...], claim: str, standings: list[Standing]
) -> None:
    """Of dated ones that say it the earliest came first; nobody said what only follows."""
    answer = _answer(sqlite_engine, rows, claim, "en")
    with read(sqlite_engine) as s:
        found = relations_of(s, answer)
    ids = [entry.statement_id for entry in answer.context]
    assert [found[i] for i in ids if i in found] == standings


@pytest.mark.parametrize(
    ("rows", "claim", "relation", "language", "sentence"),
    [
        (TWICE, "1 + 1 = 2", "first", "en", "乙 (1 + 1 等于 2) stated it first."),
        (TWICE, "1 + 1 = 2", "first", "zh", "最早说这句话的是乙（1 + 1 等于 2）。"),
        (TWICE, "1 + 1 = 2", "said", "en", "乙 (1 + 1 等于 2) and A (1 + 1 = 2) said so."),
        (TWICE, "1 + 1 = 2", "said", "zh", "乙（1 + 1 等于 2）和A（1 + 1 = 2）说过这句话。"),
        (UNDATED, "1 + 1 = 2", "first", "en", "A (1 + 1 = 2) said so; who was first is unknown,"),
        (UNDATED, "1 + 1 = 2", "first", "zh", "没有已知日期，最先由谁提出未知。"),
        (STEPS, "1 + 1 + 1 = 3", "said", "en", "it follows from A (1 + 1 = 2) and an unknown "),
        (STEPS, "1 + 1 + 1 = 3", "credit", "zh", "它由A（1 + 1 = 2）和未知作者（2 + 1 = 3）推出"),
        (STEPS, "1 + 1 + 1 = 3", "first", "en", "Who first said this is unknown: no stored"),
        (STEPS, "1 + 1 + 1 = 3", "first", "zh", "最先由谁提出未知：库中没有陈述直接这样说"),
    ],
)
def test_the_sentence_that_answers_who(
    sqlite_engine: Engine,
    rows: tuple[Row, ...],
    claim: str,
    relation: Relation,
    language: Language,
    sentence: str,
) -> None:
    """Names with what they said, in the asker's language; what is unknown is called that."""
    answer = _answer(sqlite_engine, rows, claim, language)
    with read(sqlite_engine) as s:
        told = explain(s, answer, relations_of(s, answer), relation)
    assert sentence in told


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_claim_that_nothing_supports_names_nobody(
    sqlite_engine: Engine, language: Language
) -> None:
    """A refused claim has no relation, and the sentence says that no statement says it."""
    answer = replace(a_refusal(), kind="who", claim="1 + 1 = 3", language=language)
    with read(sqlite_engine) as s:
        assert relations_of(s, answer) == {}
        told = explain(s, answer, {}, "said")
    assert ("no stored statement" in told.lower()) == (language == "en")
    assert ("库中没有陈述" in told) == (language == "zh")


@pytest.mark.parametrize(
    ("language", "opening"),
    [("en", "A (1 + 1 = 2) and B"), ("zh", "A（1 + 1 = 2）和B")],
)
def test_the_sentence_goes_with_the_name(
    sqlite_engine: Engine, language: Language, opening: str
) -> None:
    """What is stored of a `who` answer names nobody: an erased name is not shown again."""
    rows: tuple[Row, ...] = (("1 + 1 = 2", "A", None), ("2 + 1 = 3", "B", None))
    answer = _answer(sqlite_engine, rows, "1 + 1 + 1 = 3", language)
    with read(sqlite_engine) as s:
        relations = {str(i): standing for i, standing in relations_of(s, answer).items()}
        kept = {"relations": relations, "relation_asked": "said"}
        stored = replace(answer, options=answer.options | kept)
        shown = opened(s, stored)
    assert opening in shown.text
    assert [shown.text[g.start : g.end] for g in shown.segments] == [stored.text]
    erase(sqlite_engine, "A", by="root")
    with read(sqlite_engine) as s:
        after = opened(s, stored).text
    assert opening not in after
    assert "B" in after
