"""The two kinds of FAISS index: exact up to `IVF_FROM` vectors, inverted lists above.

A bare flat index shifts its ids when one is removed, and an IVF index under an id map returned
wrong ids after removals: `IndexIDMap2` stands around `IndexFlatIP` only, IVF keeps ids itself. A
wrong id pays the wrong author.
"""

from collections.abc import Sequence
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from store.vectors import Draw, Hit

IVF_FROM = 50_000
"""Vectors from which on lists are worth their training: exact search takes some 15 ms there."""
SAMPLE_PER_LIST = 100
"""Vectors that the centre of a list is trained on. Of 40 the centres are worse: among a million
made vectors a search then needed five times as many lists for the same recall."""
RECALL = 0.975
"""Part of the true ten nearest that a search must find, measured when the index is built."""
QUERIES, _NEAREST = 400, 10
_CLOSENESS = 0.9
"""Cosine of a measured query to the vector that it was made of."""

_Found = tuple[NDArray[np.float32], NDArray[np.int64]]


def lists_for(count: int) -> int:
    """How many lists an index of so many vectors has; 0: it is exact."""
    return int(2 ** round(np.log2(count) / 2)) if count >= IVF_FROM else 0


def exact(dim: int) -> Any:
    """An empty index that looks at all."""
    return faiss.IndexIDMap2(faiss.IndexFlatIP(dim))


def empty(dim: int, lists: int, draw: Draw) -> tuple[Any, NDArray[np.float32] | None]:
    """An empty index of so many lists, trained on vectors that are drawn, and queries [q, dim].

    Without lists it is exact, and there are none. The queries (`set_probes`) are drawn, too, and
    turned away at random to the cosine _CLOSENESS, as questions lie beside texts.
    """
    if not lists:
        return exact(dim), None
    sample = draw(SAMPLE_PER_LIST * lists + QUERIES)
    index = _trained(lists, sample[: max(lists, len(sample) - QUERIES)])
    return index, _turned(sample[-QUERIES:])


def _trained(lists: int, sample: NDArray[np.float32]) -> Any:
    dim = sample.shape[1]
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(dim), dim, lists, faiss.METRIC_INNER_PRODUCT)
    index.cp.spherical, index.cp.min_points_per_centroid = True, 1
    index.cp.max_points_per_centroid = 4 * SAMPLE_PER_LIST
    index.train(sample)
    return index


def lists_of(index: Any) -> int:
    """How many lists an index has; 0 for an exact one."""
    return int(index.nlist) if isinstance(index, faiss.IndexIVFFlat) else 0


def ids_of(index: Any) -> NDArray[np.int64]:
    """All ids, in no order."""
    if not lists_of(index):
        flat: NDArray[np.int64] = faiss.vector_to_array(index.id_map)
        return flat
    found = [_list(index, number)[0] for number in range(index.nlist)]
    return np.concatenate(found)


def vectors_of(index: Any, ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """The vectors [n, dim] of these ids, which are there."""
    if not lists_of(index):
        flat: NDArray[np.float32] = index.reconstruct_batch(ids)
        return flat
    found = np.empty((len(ids), index.d), dtype=np.float32)
    if not len(ids):
        return found
    order = np.argsort(ids)
    ascending = ids[order]
    for number in range(index.nlist):
        here, vectors = _list(index, number)
        places = np.searchsorted(ascending, here)
        places[places == len(ids)] = 0
        wanted = np.flatnonzero(ascending[places] == here)
        found[order[places[wanted]]] = vectors[wanted]
    return found


def search(
    index: Any, queries: NDArray[np.float32], k: int, among: NDArray[np.int64] | None
) -> _Found:
    """Similarities and ids [q, k], -1 where nothing was found.

    With lists the nearest few are looked at (`set_probes`); among given ids all are, and so where
    too little was found: nothing that is asked for is missed because its list is far.
    """
    selector = None if among is None else faiss.IDSelectorBatch(among)
    if selector is None:
        found: _Found = index.search(queries, k)
        if np.minimum.reduce(found[1], axis=None) >= 0 or not lists_of(index):
            return found
    lists = lists_of(index)
    limits = _all_lists(lists, selector) if lists else faiss.SearchParameters(sel=selector)  # type: ignore[call-arg]
    return index.search(queries, k, params=limits)  # type: ignore[no-any-return]


def hits(similarities: Sequence[float], ids: Sequence[int]) -> tuple[Hit, ...]:
    """Nearest first, equals by id; -1 is nothing."""
    found = sorted(map(Hit, ids, similarities), key=_order)
    return tuple([hit for hit in found if hit[0] >= 0])


def _order(hit: Hit) -> tuple[float, int]:
    return -hit[1], hit[0]


def _turned(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    away = np.random.default_rng(0).normal(size=vectors.shape)
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    found = _CLOSENESS * vectors + np.sqrt(1 - _CLOSENESS**2) * away
    unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit.astype(np.float32)


def set_probes(index: Any, queries: NDArray[np.float32]) -> tuple[int, float]:
    """Look at as many lists as RECALL needs; returns these, and the recall@10 with them.

    The queries [q, dim] must not be made of vectors that the lists were trained on: those lie
    nearer to the centre of their list than others do, and find with fewer.
    """
    _, order = index.quantizer.search(queries, index.nlist)
    places = np.sort(np.nonzero(order[:, None] == _nearest_lists(index, queries)[..., None])[2])
    index.nprobe = int(places[int(np.ceil(RECALL * len(places))) - 1]) + 1
    return index.nprobe, float((places < index.nprobe).mean())


def _nearest_lists(index: Any, queries: NDArray[np.float32]) -> NDArray[np.int64]:
    """The lists [q, n] in which the true n = _NEAREST nearest of each query are."""
    count = min(_NEAREST, index.ntotal)
    best = np.full((len(queries), count), -np.inf, dtype=np.float32)
    where = np.zeros(best.shape, dtype=np.int64)
    for number in range(index.nlist):
        scores = np.hstack([best, queries @ _list(index, number)[1].T])
        lists = np.pad(where, ((0, 0), (0, scores.shape[1] - count)), constant_values=number)
        first = np.argpartition(-scores, count - 1, axis=1)[:, :count]
        best, where = (np.take_along_axis(each, first, axis=1) for each in (scores, lists))
    return where


def _all_lists(lists: int, selector: Any) -> Any:
    named = {} if selector is None else {"sel": selector}
    return faiss.SearchParametersIVF(nprobe=lists, **named)  # type: ignore[call-arg]


def _list(index: Any, number: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """A copy of the ids [n], and the vectors [n, dim] where they are, of a list."""
    lists = index.invlists
    size = lists.list_size(number)
    if not size:
        return np.empty(0, dtype=np.int64), np.empty((0, index.d), dtype=np.float32)
    ids = faiss.rev_swig_ptr(lists.get_ids(number), size).copy()
    codes = faiss.rev_swig_ptr(lists.get_codes(number), size * index.code_size)
    return ids, codes.view(np.float32).reshape(size, index.d)
