"""Statements: one distinct text within a scope, where it stands, who said it, and its vectors."""

from store.statements.adding import add_statements, add_texts
from store.statements.boxes import boxes_of
from store.statements.embeddings import (
    embedded_ids,
    iter_embeddings,
    missing_embeddings,
    put_embeddings,
)
from store.statements.filtering import Filters, is_wanted, wanted_ids
from store.statements.neighbours import neighbours
from store.statements.new import AddedStatement, NewStatement
from store.statements.priority import first_dated, representatives
from store.statements.reading import (
    Counts,
    counts,
    deleted_hashes,
    find_by_text,
    get_statements,
    known_hashes,
    languages,
    visible_ids,
)
from store.statements.withdrawing import withdraw_statement, withdraw_statements_of
from store.text import normalise, statement_hash

__all__ = [
    "AddedStatement",
    "Counts",
    "Filters",
    "NewStatement",
    "add_statements",
    "add_texts",
    "boxes_of",
    "counts",
    "deleted_hashes",
    "embedded_ids",
    "find_by_text",
    "first_dated",
    "get_statements",
    "is_wanted",
    "iter_embeddings",
    "known_hashes",
    "languages",
    "missing_embeddings",
    "neighbours",
    "normalise",
    "put_embeddings",
    "representatives",
    "statement_hash",
    "visible_ids",
    "wanted_ids",
    "withdraw_statement",
    "withdraw_statements_of",
]
