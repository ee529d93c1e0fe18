"""Which statements have the words of a query, ranked by BM25."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BigInteger, Float, exists, select, text
from sqlalchemy.orm import Session

from store.lexical.naming import longest_names, nameable
from store.lexical.rows import dialect
from store.lexical.tokens import tokens
from store.schema import StatementRow
from store.statements.filtering import Filters, is_wanted, wanted_ids

POSTINGS = 50_000
"""Places of its words that a search looks at: some 100 ms of work among a million statements."""
COMMON = 20_000
"""A word in so many statements is left out where there is a rarer one."""

NAMES = 4
WIDEST = 20_000


@dataclass(frozen=True)
class LexicalHit:
    """A statement that has words of a query; `score` is its BM25, above zero."""

    statement_id: int
    score: float


def query_words(s: Session, query: str) -> tuple[str, ...]:
    """The distinct tokens to search for, rarest first where they were counted.

    Where its words stand in very many statements, its rarest ones decide, POSTINGS places together
    and at least one of them.
    """
    words, found = sorted(set(tokens(query))), dialect(s)
    if not words or len(words) * found.most_documents(s) <= POSTINGS:
        return tuple(words)
    counts = found.counts(s, words, COMMON)
    rarest = sorted((word for word in words if counts[word]), key=lambda word: counts[word])
    totals = accumulate(counts[word] for word in rarest if counts[word] < COMMON)
    return tuple(rarest[: max(1, bisect_right(list(totals), POSTINGS))])


def search_words(
    s: Session,
    words: Sequence[str],
    k: int,
    filters: Filters,
    at_us: int,
    under: Sequence[str] = (),
) -> tuple[LexicalHit, ...]:
    """The `k` best of the statements that may be retrieved and meet the filters, equals by id.

    They have one of the words (`query_words`) and all of the heading tokens `under`
    (`named_headings`).
    """
    if not words:
        return ()
    sql, values = dialect(s).ranked(words, under)
    found = text(sql).columns(id=BigInteger, rank=Float).subquery("found")
    meets = exists().where(StatementRow.id == found.c.id, is_wanted(s, filters, at_us))
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
    wide = found.counts(s, names, WIDEST) if names else {}
    return tuple(name for name in names if wide[name] < WIDEST)[:NAMES]


def ids_under(s: Session, heading: str, filters: Filters, at_us: int) -> NDArray[np.int64]:
    """The ids, ascending, of the statements under a heading (its token) that meet the filters."""
    sql, values = dialect(s).having([heading])
    under = text(sql).columns(id=BigInteger).bindparams(**values)
    return wanted_ids(s, filters, at_us, StatementRow.id.in_(under))
