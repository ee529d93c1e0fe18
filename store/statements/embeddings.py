"""Vectors of statements as rows: the truth that the index file is built from."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, and_, insert, select
from sqlalchemy.orm import Session

from store.schema import EmbeddingRow, StatementRow
from store.statements.visibility import is_standing
from store.vectors import check_vectors

_LITTLE_ENDIAN_F32 = np.dtype("<f4")


def put_embeddings(
    s: Session, fingerprint: str, ids: Sequence[int], vectors: NDArray[np.float32]
) -> None:
    """Store vectors [len(ids), dim] of one embedder; statements that have one keep theirs.

    Raises ValueError unless every row is finite, float32 and of L2 norm 1 (within 1e-3).
    """
    check_vectors(vectors, len(ids))
    there = set(
        s.scalars(
            select(EmbeddingRow.statement_id).where(
                EmbeddingRow.fingerprint == fingerprint, EmbeddingRow.statement_id.in_(ids)
            )
        )
    )
    rows = [
        {
            "statement_id": statement_id,
            "fingerprint": fingerprint,
            "dim": vectors.shape[1],
            "vector": vector.astype(_LITTLE_ENDIAN_F32).tobytes(),
        }
        for statement_id, vector in zip(ids, vectors, strict=True)
        if statement_id not in there
    ]
    if rows:
        s.execute(insert(EmbeddingRow), rows)


def iter_embeddings(
    s: Session, fingerprint: str, batch: int = 2_000, ids: Sequence[int] | None = None
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    """The ids [n] and vectors [n, dim] of standing statements, ascending, `batch` at a time.

    `ids` limits it to these statements.
    """
    query = select(EmbeddingRow.statement_id, EmbeddingRow.vector).where(_belongs(fingerprint))
    if ids is not None:
        query = query.where(EmbeddingRow.statement_id.in_(ids))
    query = query.order_by(EmbeddingRow.statement_id).limit(batch)
    after = -1
    while True:
        rows = s.execute(query.where(EmbeddingRow.statement_id > after)).all()
        if not rows:
            return
        found = np.array([row[0] for row in rows], dtype=np.int64)
        flat = np.frombuffer(b"".join(row[1] for row in rows), dtype=_LITTLE_ENDIAN_F32)
        yield found, flat.reshape(len(rows), -1).astype(np.float32)
        after = int(found[-1])


def missing_embeddings(s: Session, fingerprint: str) -> tuple[tuple[int, str], ...]:
    """Id and text of the standing statements without a vector of this embedder, by id."""
    rows = s.execute(
        select(StatementRow.id, StatementRow.text)
        .outerjoin(
            EmbeddingRow,
            and_(
                EmbeddingRow.statement_id == StatementRow.id,
                EmbeddingRow.fingerprint == fingerprint,
            ),
        )
        .where(EmbeddingRow.statement_id.is_(None), is_standing())
        .order_by(StatementRow.id)
    )
    return tuple((statement_id, text) for statement_id, text in rows if text is not None)


def embedded_ids(s: Session, fingerprint: str) -> NDArray[np.int64]:
    """The ids that belong in the index: standing statements with a vector, ascending."""
    query = select(EmbeddingRow.statement_id).where(_belongs(fingerprint))
    return np.array(s.scalars(query.order_by(EmbeddingRow.statement_id)).all(), dtype=np.int64)


def _belongs(fingerprint: str) -> ColumnElement[bool]:
    """The condition that an EmbeddingRow belongs in the index (joins StatementRow)."""
    return and_(
        EmbeddingRow.fingerprint == fingerprint,
        EmbeddingRow.statement_id == StatementRow.id,
        is_standing(),
    )
