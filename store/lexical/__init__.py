"""The lexical index: the words of standing statements, in the database and in their transaction.

SQL rows are the truth; `refresh` follows every change of them, `verify` compares and `rebuild`
makes everything anew. A change of `store.lexical.tokens` needs a migration that rebuilds.
"""

from store.lexical import schema
from store.lexical.rows import having, present, purge, rebuild, refresh, verify
from store.lexical.searching import (
    LexicalHit,
    ids_under,
    named_headings,
    query_words,
    search_words,
)
from store.lexical.tokens import tokens

__all__ = [
    "LexicalHit",
    "having",
    "ids_under",
    "named_headings",
    "present",
    "purge",
    "query_words",
    "rebuild",
    "refresh",
    "schema",
    "search_words",
    "tokens",
    "verify",
]
