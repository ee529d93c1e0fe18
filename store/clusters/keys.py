"""Keys by which a text finds the clusters that it may belong to; the only user of datasketch.

Two texts that share the part J of their features have at least one key of a band in common with
probability 1 - (1 - J**ROWS)**BANDS: .986 for .5, .22 for .2, .001 for .03.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from store.clusters.forms import exact_form
from store.clusters.likeness import LEAST_WORDS, Likeness

if TYPE_CHECKING:
    from datasketch import MinHash

BANDS, ROWS = 32, 3


@dataclass(frozen=True)
class Keys:
    """The keys of a text in its scope (signed, 64 bits each).

    `exact` is that of all its exact copies; near copies are likely to have some of `all`.
    """

    exact: int
    all: frozenset[int]


def keys_of(scope: str, text: Likeness) -> Keys:
    """The keys of a text; a short text has the exact one alone."""
    exact = _key(scope, b"exact", exact_form(text.text).encode())
    bands = _bands(scope, text) if text.size >= LEAST_WORDS else ()
    return Keys(exact, frozenset((exact, *bands)))


def _bands(scope: str, text: Likeness) -> Iterator[int]:
    signature = _empty().copy()
    signature.update_batch([feature.encode() for feature in sorted(text.features)])
    hashes = signature.hashvalues.astype("<u4")
    for band in range(BANDS):
        part = hashes[band * ROWS : (band + 1) * ROWS].tobytes()
        yield _key(scope, str(band).encode(), part)


@cache
def _empty() -> "MinHash":
    from datasketch import MinHash  # takes seconds

    return MinHash(num_perm=BANDS * ROWS, seed=1, scheme="affine32")


def _key(scope: str, kind: bytes, rest: bytes) -> int:
    whole = b"\0".join((scope.encode(), kind, rest))
    return int.from_bytes(hashlib.blake2b(whole, digest_size=8).digest(), "big", signed=True)
