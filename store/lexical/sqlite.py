"""The lexical index as an FTS5 table: rowid is the statement, `words` its tokens and spaces."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

# `ascii` takes every other letter as it is; our tokens are folded already.
CREATE = (
    """CREATE VIRTUAL TABLE lexical USING fts5(words, tokenize = "ascii tokenchars '_'")""",
    "CREATE VIRTUAL TABLE lexical_terms USING fts5vocab(lexical, row)",
)
DROP = ("DROP TABLE IF EXISTS lexical_terms", "DROP TABLE IF EXISTS lexical")


def definitions(connection: Connection) -> tuple[str, ...]:
    """How the tables were created, to be compared with CREATE."""
    rows = connection.execute(
        text("SELECT sql FROM sqlite_master WHERE name IN ('lexical', 'lexical_terms')")
    )
    return tuple(rows.scalars())


def put(s: Session, words: Mapping[int, Sequence[str]]) -> None:
    """Write the tokens of statements that have none here."""
    s.execute(
        text("INSERT INTO lexical (rowid, words) VALUES (:id, :words)"),
        [{"id": statement_id, "words": " ".join(each)} for statement_id, each in words.items()],
    )


def remove(s: Session, ids: Sequence[int]) -> None:
    """Remove the tokens of these statements."""
    s.execute(text("DELETE FROM lexical WHERE rowid = :id"), [{"id": each} for each in ids])


def clear(s: Session) -> None:
    """Remove everything; row by row it would take minutes."""
    for statement in (*DROP, *CREATE):
        s.execute(text(statement))


def purge(s: Session) -> None:
    """Rewrite the index so that no removed token is left in the file's pages."""
    s.execute(text("INSERT INTO lexical (lexical) VALUES ('optimize')"))


def ids_between(s: Session, low: int, high: int) -> list[int]:
    """The statements from `low` up to and with `high` that have tokens here."""
    query = text("SELECT rowid FROM lexical WHERE rowid BETWEEN :low AND :high")
    return list(s.scalars(query, {"low": low, "high": high}))


def ids_among(s: Session, ids: Sequence[int]) -> list[int]:
    """Those of these statements that have tokens here."""
    query = text("SELECT rowid FROM lexical WHERE rowid IN (SELECT value FROM json_each(:ids))")
    return list(s.scalars(query, {"ids": json.dumps(list(ids))}))


def differing(s: Session, words: Mapping[int, Sequence[str]]) -> Iterator[int]:
    """Those of these statements that have other tokens here."""
    if not words:
        return
    query = text("SELECT rowid, words FROM lexical WHERE rowid BETWEEN :low AND :high")
    for statement_id, found in s.execute(query, {"low": min(words), "high": max(words)}):
        if statement_id in words and found != " ".join(words[statement_id]):
            yield statement_id


def known(s: Session, tokens: Sequence[str]) -> set[str]:
    """Those of the tokens that some statement has."""
    places = {f"t{number}": token for number, token in enumerate(tokens)}
    listed = ", ".join(f":{place}" for place in places)
    query = text(f"SELECT term FROM lexical_terms WHERE term IN ({listed})")
    return set(s.scalars(query, places))


def counts(s: Session, tokens: Sequence[str], most: int) -> dict[str, int]:
    """In how many statements each token stands, counted up to `most`."""
    places = {f"t{number}": _quoted(token) for number, token in enumerate(tokens)}
    found = "SELECT 1 FROM lexical WHERE lexical MATCH :{} LIMIT :most"
    columns = (f"(SELECT count(*) FROM ({found.format(place)}))" for place in places)
    row = s.execute(text(f"SELECT {', '.join(columns)}"), {**places, "most": most}).one()
    return dict(zip(tokens, row, strict=True))


def most_documents(s: Session) -> int:
    """At least the number of statements that have tokens, at no cost."""
    return s.scalar(text("SELECT rowid FROM lexical ORDER BY rowid DESC LIMIT 1")) or 0


def ranked(tokens: Sequence[str], under: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """A query of `id` and `rank`, the BM25 score below zero, and its parameters.

    The statements have one of `tokens` and all of `under`. Ordered by `rank` alone, FTS5 gives its
    rows one by one, so that what is not wanted is passed over at little cost.
    """
    wanted = [*map(_quoted, under), f"({' OR '.join(map(_quoted, tokens))})"]
    sql = "SELECT rowid AS id, rank FROM lexical WHERE lexical MATCH :q"
    return sql, {"q": " AND ".join(wanted)}


def having(tokens: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """A query of the ids of statements that have all of these tokens, and its parameters."""
    sql = "SELECT rowid AS id FROM lexical WHERE lexical MATCH :q"
    return sql, {"q": " AND ".join(map(_quoted, tokens))}


def _quoted(token: str) -> str:
    """A token as a string of FTS5's query language; no token holds a quotation mark."""
    return f'"{token}"'
