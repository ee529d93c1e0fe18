"""The two kinds of FAISS index: exact up to `IVF_FROM` vectors, inverted lists above.

A bare flat index shifts its ids when one is removed, and an IVF index under an id map returned
wrong ids after removals: `IndexIDMap2` stands around `IndexFlatIP` only, IVF keeps ids itself. A
wrong id pays the wrong author.
"""

from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from store.vectors import Hit

IVF_FROM = 50_000
"""Vectors from which on lists are worth their training: exact search takes some 15 ms there."""
SAMPLE_PER_LIST = 40
"""Vectors that the centre of a list is trained on."""
RECALL = 0.97
"""Part of the true ten nearest that a search must find, measured when the index is built."""
_QUERIES, _NEAREST = 100, 10
_CLOSENESS = 0.9
"""Cosine of a measured query to the vector that it was made of."""


def lists_for(count: int) -> int:
    """How many lists an index of so many vectors has; 0: it is exact."""
    return int(2 ** round(np.log2(count) / 2)) if count >= IVF_FROM else 0


def make(dim: int, sample: NDArray[np.float32] | None, lists: int) -> Any:
    """An empty index; with lists it is trained on the sample."""
    if not lists or sample is None:
        return faiss.IndexIDMap2(faiss.IndexFlatIP(dim))
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
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Similarities and ids [q, k], -1 where nothing was found.

    With lists the nearest few are looked at (`set_probes`); among given ids all are, and so where
    too little was found: nothing that is asked for is missed because its list is far.
    """
    lists, selector = lists_of(index), None
    if among is not None:
        selector = faiss.IDSelectorBatch(among)
    else:
        found = index.search(queries, k)
        if not lists or found[1].min() >= 0:
            return found  # type: ignore[no-any-return]
    limits = _all_lists(lists, selector) if lists else faiss.SearchParameters(sel=selector)  # type: ignore[call-arg]
    return index.search(queries, k, params=limits)  # type: ignore[no-any-return]


def hits(similarities: NDArray[np.float32], ids: NDArray[np.int64]) -> tuple[Hit, ...]:
    """Nearest first, equals by id; -1 is nothing."""
    order = np.lexsort((ids, -similarities))
    pairs = zip(ids[order].tolist(), similarities[order].tolist(), strict=True)
    return tuple(Hit(i, similarity) for i, similarity in pairs if i >= 0)


def set_probes(index: Any, sample: NDArray[np.float32]) -> tuple[int, float]:
    """Look at as many lists as RECALL needs; returns these, and the recall@10 measured with them.

    Queries are vectors of the sample turned away at random, as questions lie beside texts.
    """
    random = np.random.default_rng(0)
    some = sample[random.permutation(len(sample))[:_QUERIES]]
    away = random.normal(size=some.shape).astype(np.float32)
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    queries = _CLOSENESS * some + np.sqrt(1 - _CLOSENESS**2).astype(np.float32) * away
    queries = np.ascontiguousarray(queries / np.linalg.norm(queries, axis=1, keepdims=True))
    _, exact = index.search(queries, _NEAREST, params=_all_lists(index.nlist, None))
    index.nprobe = 1
    while True:
        _, found = index.search(queries, _NEAREST)
        recall = np.mean([np.isin(e, f).mean() for e, f in zip(exact, found, strict=True)])
        if recall >= RECALL or index.nprobe == index.nlist:
            return int(index.nprobe), float(recall)
        index.nprobe = min(2 * index.nprobe, index.nlist)


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
