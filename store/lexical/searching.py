"""Which statements have the words of a query, ranked by BM25."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BigInteger, Float, exists, select, text
from sqlalchemy.orm import Session

from store.lexical.naming import longest_names, nameable
from store.lexical.rows import dialect
from store.lexical.tokens import tokens
from store.schema import StatementRow
from store.statements.filtering import Filters, is_wanted, wanted_ids

POSTINGS = 200_000
"""How many places of its words a search looks at; the commonest words go first."""
_COMMON = 50_000

NAMES = 4
WIDEST = 20_000


@dataclass(frozen=True)
class LexicalHit:
    """A statement that has words of a query; `score` is its BM25, above zero."""

    statement_id: int
    score: float


def search_words(
    s: Session, query: str, k: int, filters: Filters, at_us: int, under: Sequence[str] = ()
) -> tuple[LexicalHit, ...]:
    """The `k` best of the statements that may be retrieved and meet the filters, equals by id.

    `under`: heading tokens that they must have (`named_headings`). Where the query's words stand
    in very many statements, its rarest ones decide.
    """
    wanted = _rarest(s, tokens(query))
    if not wanted:
        return ()
    sql, values = dialect(s).ranked(wanted, under)
    found = text(sql).columns(id=BigInteger, rank=Float).subquery("found")
    meets = exists().where(StatementRow.id == found.c.id, is_wanted(filters, at_us))
    rows = s.execute(
        select(found.c.id, found.c.rank).where(meets).order_by(found.c.rank).limit(k), values
    )
    hits = [LexicalHit(statement_id, -rank) for statement_id, rank in rows]
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.statement_id)))


def named_headings(s: Session, query: str) -> tuple[str, ...]:
    """The tokens of titles and headings that the query names, the longest first, NAMES at most.

    Of names within each other only the longest counts, and none that stands over very many
    statements: there it narrows nothing.
    """
    possible, found = nameable(query), dialect(s)
    known = found.known(s, possible) if possible else set()
    names = longest_names(tuple(token for token in possible if token in known))
    return tuple(name for name in names if found.count(s, name, WIDEST) < WIDEST)[:NAMES]


def ids_under(s: Session, heading: str, filters: Filters, at_us: int) -> NDArray[np.int64]:
    """The ids, ascending, of the statements under a heading (its token) that meet the filters."""
    sql, values = dialect(s).having([heading])
    under = text(sql).columns(id=BigInteger).bindparams(**values)
    return wanted_ids(s, filters, at_us, StatementRow.id.in_(under))


def _rarest(s: Session, words: Sequence[str]) -> list[str]:
    """Those of the words that some statement has, the commonest left out beyond POSTINGS."""
    found = dialect(s)
    counts = {word: found.count(s, word, _COMMON) for word in sorted(set(words))}
    rarest: list[str] = []
    total = 0
    for word in sorted(counts, key=lambda each: (counts[each], each)):
        total += counts[word]
        if counts[word] and (total <= POSTINGS or not rarest):
            rarest.append(word)
    return rarest
