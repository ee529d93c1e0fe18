"""Which cluster a new statement belongs to: that of the text it is a copy of, else one of its own.

A cluster is a star: everything in it was, when it came, an exact copy of a member or a near copy of
the first of them (`store.statements.priority`), withdrawn or not. It never chains from copy to
copy, and no two clusters become one because a text comes that is like both: it joins the nearer.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from store.clusters.keys import Keys, keys_of
from store.clusters.likeness import Likeness, is_copy, shared
from store.schema import ClusterKeyRow, EmbeddingRow, OccurrenceRow, StatementRow, WorkRow
from store.statements.priority import credit_order

CANDIDATES = 16
"""Clusters that a text is compared with at most, those with the most keys in common first."""

_BATCH = 1000


@dataclass(frozen=True)
class _Text:
    """A statement as it is compared; `vector` is None without one of the embedder."""

    text: Likeness
    vector: NDArray[np.float32] | None


def join_clusters(s: Session, fingerprint: str, ids: Collection[int]) -> int:
    """Put statements that were just added into the clusters of what they copy; how many were.

    They need their vectors of this embedder. Each is its own cluster before, and stays it without
    an original in its scope. The number of queries depends on how many are copies, not on `ids`.
    """
    rows = s.execute(
        select(StatementRow.id, StatementRow.scope, StatementRow.text, StatementRow.cluster_id)
        .where(StatementRow.id.in_(ids), StatementRow.text.is_not(None))
        .order_by(StatementRow.id)
    ).all()
    texts = _texts(s, fingerprint, ((row_id, text) for row_id, _, text, _ in rows))
    keys = {row_id: keys_of(scope, texts[row_id].text) for row_id, scope, _, _ in rows}
    known = _clusters_by_key(s, {key for each in keys.values() for key in each.all})
    firsts = _Firsts(s, fingerprint)
    firsts.read({cluster for each in keys.values() for cluster in _near(each, known)})
    new: list[dict[str, int]] = []
    joined = 0
    for row_id, _, _, own in rows:
        cluster = min(known[keys[row_id].exact], default=None) or _nearest(
            texts[row_id], _near(keys[row_id], known), firsts
        )
        if cluster is None:
            cluster = own
            firsts.texts[own] = texts[row_id]
        else:
            joined += 1
            move = update(StatementRow).where(StatementRow.id == row_id).values(cluster_id=cluster)
            s.execute(move)
            firsts.read([cluster])  # it may be this one from now on
        for key in keys[row_id].all:
            if cluster not in known[key]:
                known[key].add(cluster)
                new.append({"key": key, "cluster_id": cluster})
    if new:
        s.execute(insert(ClusterKeyRow), new)
    return joined


def add_all_keys(s: Session) -> None:
    """Enter every statement's keys for the cluster that it is in; what is there stays."""
    rows = select(StatementRow.id, StatementRow.scope, StatementRow.text, StatementRow.cluster_id)
    rows = rows.where(StatementRow.text.is_not(None)).order_by(StatementRow.id).limit(_BATCH)
    after = -1
    while batch := s.execute(rows.where(StatementRow.id > after)).all():
        pairs = {
            (key, cluster)
            for _, scope, text, cluster in batch
            for key in keys_of(scope, Likeness(text or "")).all
        }
        known = _clusters_by_key(s, {key for key, _ in pairs})
        new = [{"key": k, "cluster_id": c} for k, c in sorted(pairs) if c not in known[k]]
        if new:
            s.execute(insert(ClusterKeyRow), new)
        after = batch[-1].id


def _clusters_by_key(s: Session, keys: Collection[int]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    every = sorted(keys)
    for start in range(0, len(every), _BATCH):
        some = ClusterKeyRow.key.in_(every[start : start + _BATCH])
        rows = select(ClusterKeyRow.key, ClusterKeyRow.cluster_id).where(some)
        for key, cluster in s.execute(rows):
            found[key].add(cluster)
    return found


def _near(keys: Keys, known: dict[int, set[int]]) -> list[int]:
    """The clusters that may have a near copy, the likeliest first."""
    found = Counter(sorted(cluster for key in keys.all for cluster in known[key]))
    return [cluster for cluster, _ in found.most_common(CANDIDATES)]


def _nearest(new: _Text, clusters: Sequence[int], firsts: "_Firsts") -> int | None:
    """The cluster whose first text this is a copy of, the most alike of them, then the oldest."""
    copies = [
        (-shared(new.text, first.text), cluster)
        for cluster in clusters
        if (first := firsts.texts.get(cluster)) and _is_copy(new, first)
    ]
    return min(copies)[1] if copies else None


def _is_copy(one: _Text, other: _Text) -> bool:
    if one.vector is None or other.vector is None:
        return False
    return is_copy(one.text, other.text, float(one.vector @ other.vector))


class _Firsts:
    """By cluster its first statement, withdrawn or not, that still has a text."""

    def __init__(self, s: Session, fingerprint: str) -> None:
        self._s, self._fingerprint = s, fingerprint
        self.texts: dict[int, _Text] = {}

    def read(self, clusters: Collection[int]) -> None:
        """Read those of these clusters as they are now."""
        if not clusters:
            return
        # What was added a moment ago may stand nowhere yet.
        order = (OccurrenceRow.id.is_(None), *credit_order(), StatementRow.id)
        place = func.row_number().over(partition_by=StatementRow.cluster_id, order_by=order)
        ranked = (
            select(StatementRow.cluster_id, StatementRow.id, StatementRow.text, place.label("n"))
            .outerjoin(OccurrenceRow, OccurrenceRow.statement_id == StatementRow.id)
            .outerjoin(WorkRow, WorkRow.id == OccurrenceRow.work_id)
            .where(StatementRow.cluster_id.in_(clusters), StatementRow.text.is_not(None))
            .subquery()
        )
        rows = self._s.execute(select(ranked).where(ranked.c.n == 1)).all()
        texts = _texts(self._s, self._fingerprint, ((i, text) for _, i, text, _ in rows))
        self.texts |= {cluster: texts[i] for cluster, i, _, _ in rows}


def _texts(
    s: Session, fingerprint: str, rows: Iterable[tuple[int, str | None]]
) -> dict[int, _Text]:
    """By statement, with vectors also of those that were withdrawn and are in no index."""
    texts = dict(rows)
    vectors = select(EmbeddingRow.statement_id, EmbeddingRow.vector).where(
        EmbeddingRow.fingerprint == fingerprint, EmbeddingRow.statement_id.in_(texts)
    )
    found = {i: np.frombuffer(vector, dtype="<f4") for i, vector in s.execute(vectors)}
    return {i: _Text(Likeness(text or ""), found.get(i)) for i, text in texts.items()}
