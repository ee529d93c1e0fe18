"""The lexical index as a tsvector per statement with a GIN index, and FTS5's BM25 over it.

`to_tsvector` would cut our tokens anew: the vector is written as a literal, each token with its
places, of which PostgreSQL keeps 256.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

_TABLE = """CREATE TABLE lexical (
  statement_id bigint PRIMARY KEY, words tsvector NOT NULL, length integer NOT NULL
)"""
_INDEX = "CREATE INDEX ix_lexical_words ON lexical USING gin (words) WITH (fastupdate = off)"
CREATE = (_TABLE, _INDEX)
DROP = ("DROP TABLE IF EXISTS lexical",)

_EXPECTED = (
    "ix_lexical_words gin",
    "lexical.length integer not null",
    "lexical.statement_id bigint not null",
    "lexical.words tsvector not null",
    "lexical_pkey btree",
)

# FTS5's constants and formula, so that both databases rank alike.
_K1, _B = 1.2, 0.75
_RANKED = f"""
WITH stats AS (
  SELECT count(*)::float8 AS documents, avg(length)::float8 AS length FROM lexical
), idf AS (
  SELECT token, greatest(ln((documents - docs + 0.5) / (docs + 0.5)), 1e-6) AS idf FROM (
    SELECT token, documents, (
      SELECT count(*) FROM lexical WHERE words @@ query::tsquery
    ) AS docs
    FROM unnest(CAST(:tokens AS text[]), CAST(:quoted AS text[])) AS t (token, query), stats
  ) AS counted
)
SELECT statement_id AS id, -sum(
  idf * cardinality(positions) * ({_K1} + 1)
  / (cardinality(positions) + {_K1} * (1 - {_B} + {_B} * lexical.length / stats.length))
) AS rank
FROM lexical CROSS JOIN stats CROSS JOIN LATERAL unnest(words) AS w (lexeme, positions, weights)
JOIN idf ON idf.token = w.lexeme
WHERE words @@ CAST(:wanted AS tsquery)
GROUP BY statement_id
"""


def definitions(connection: Connection) -> tuple[str, ...]:
    """What there is, CREATE's statements when it is all that it should be."""
    columns = connection.execute(
        text(
            "SELECT 'lexical.' || attname || ' ' || format_type(atttypid, atttypmod)"
            " || CASE WHEN attnotnull THEN ' not null' ELSE '' END FROM pg_attribute"
            " WHERE attrelid = to_regclass('lexical') AND attnum > 0 AND NOT attisdropped"
        )
    )
    indexes = connection.execute(
        text(
            "SELECT c.relname || ' ' || amname FROM pg_index i"
            " JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = c.relam"
            " WHERE indrelid = to_regclass('lexical')"
        )
    )
    found = tuple(sorted((*columns.scalars(), *indexes.scalars())))
    return CREATE if found == _EXPECTED else found


def put(s: Session, words: Mapping[int, Sequence[str]]) -> None:
    """Write the tokens of statements that have none here."""
    s.execute(
        text(
            "INSERT INTO lexical (statement_id, words, length)"
            " VALUES (:id, CAST(:words AS tsvector), :length)"
        ),
        [
            {"id": statement_id, "words": _vector(each), "length": len(each)}
            for statement_id, each in words.items()
        ],
    )


def remove(s: Session, ids: Sequence[int]) -> None:
    """Remove the tokens of these statements."""
    s.execute(text("DELETE FROM lexical WHERE statement_id = ANY(:ids)"), {"ids": list(ids)})


def clear(s: Session) -> None:
    """Remove everything."""
    s.execute(text("DELETE FROM lexical"))


def purge(s: Session) -> None:
    """Nothing to do here: PostgreSQL's own vacuum frees what was removed."""


def ids_between(s: Session, low: int, high: int) -> list[int]:
    """The statements from `low` up to and with `high` that have tokens here."""
    query = text("SELECT statement_id FROM lexical WHERE statement_id BETWEEN :low AND :high")
    return list(s.scalars(query, {"low": low, "high": high}))


def ids_among(s: Session, ids: Sequence[int]) -> list[int]:
    """Those of these statements that have tokens here."""
    query = text("SELECT statement_id FROM lexical WHERE statement_id = ANY(:ids)")
    return list(s.scalars(query, {"ids": list(ids)}))


def differing(s: Session, words: Mapping[int, Sequence[str]]) -> Iterator[int]:
    """Those of these statements that have other tokens here."""
    query = text(
        "SELECT id FROM lexical JOIN unnest(CAST(:ids AS bigint[]), CAST(:words AS text[]),"
        " CAST(:lengths AS integer[])) AS t (id, vector, size) ON id = statement_id"
        " WHERE words <> CAST(vector AS tsvector) OR length <> size"
    )
    lists = list(words.values())
    yield from s.scalars(
        query,
        {"ids": list(words), "words": list(map(_vector, lists)), "lengths": list(map(len, lists))},
    )


def known(s: Session, tokens: Sequence[str]) -> set[str]:
    """Those of the tokens that some statement has."""
    query = text(
        "SELECT token FROM unnest(CAST(:tokens AS text[]), CAST(:quoted AS text[]))"
        " AS t (token, query)"
        " WHERE EXISTS (SELECT 1 FROM lexical WHERE words @@ query::tsquery)"
    )
    return set(s.scalars(query, {"tokens": list(tokens), "quoted": list(map(_quoted, tokens))}))


def counts(s: Session, tokens: Sequence[str], most: int) -> dict[str, int]:
    """In how many statements each token stands, counted up to `most`."""
    query = text(
        "SELECT token, (SELECT count(*) FROM"
        " (SELECT 1 FROM lexical WHERE words @@ query::tsquery LIMIT :most) AS found)"
        " FROM unnest(CAST(:tokens AS text[]), CAST(:quoted AS text[])) AS t (token, query)"
    )
    quoted = list(map(_quoted, tokens))
    rows = s.execute(query, {"tokens": list(tokens), "quoted": quoted, "most": most})
    return dict(rows.all())


def most_documents(s: Session) -> int:
    """At least the number of statements that have tokens, at no cost."""
    return s.scalar(text("SELECT max(statement_id) FROM lexical")) or 0


def ranked(tokens: Sequence[str], under: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """A query of `id` and `rank`, the BM25 score below zero, and its parameters.

    The statements have one of `tokens` and all of `under`.
    """
    every = [*tokens, *under]
    wanted = [*map(_quoted, under), f"({' | '.join(map(_quoted, tokens))})"]
    quoted = list(map(_quoted, every))
    return _RANKED, {"tokens": every, "quoted": quoted, "wanted": " & ".join(wanted)}


def having(tokens: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """A query of the ids of statements that have all of these tokens, and its parameters."""
    sql = "SELECT statement_id AS id FROM lexical WHERE words @@ CAST(:wanted AS tsquery)"
    return sql, {"wanted": " & ".join(map(_quoted, tokens))}


def _vector(words: Sequence[str]) -> str:
    places: dict[str, list[str]] = defaultdict(list)
    for place, word in enumerate(words, start=1):
        places[word].append(str(place))
    return " ".join(f"{_quoted(word)}:{','.join(each[:256])}" for word, each in places.items())


def _quoted(token: str) -> str:
    """A token as tsvector and tsquery literals have it; no token holds a quotation mark."""
    return f"'{token}'"
