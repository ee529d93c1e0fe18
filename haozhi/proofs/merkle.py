"""RFC 6962 trees: built once, then roots and proofs for every size that the tree has had.

What is proven is checked by `verify.py`, which shares no code with this module but the hash of two
nodes. A tree is kept as levels, each the concatenation of the hashes of its whole subtrees, so a
million leaves are a million small hashes and 64 MB.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

_HASH_BYTES = 32
#: The root of the tree without leaves.
EMPTY_ROOT = sha256(b"").digest()


@dataclass(frozen=True)
class Tree:
    """`levels[k]` has the roots of its whole subtrees of 2^k leaves, 32 bytes each, in order."""

    levels: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self.levels[0]) // _HASH_BYTES


def build_tree(leaves: Iterable[bytes]) -> Tree:
    """The tree over the data of these leaves, in this order."""
    level = b"".join(sha256(b"\0" + data).digest() for data in leaves)
    levels = [level]
    while len(level) >= 2 * _HASH_BYTES:
        pairs = range(0, len(level) - 2 * _HASH_BYTES + 1, 2 * _HASH_BYTES)
        level = b"".join(sha256(b"\1" + level[i : i + 2 * _HASH_BYTES]).digest() for i in pairs)
        levels.append(level)
    return Tree(tuple(levels))


def root(tree: Tree, size: int | None = None) -> bytes:
    """The root over the first `size` leaves, by default all. ValueError: there are not so many."""
    size = _known_size(tree, size)
    return _root(tree, 0, size) if size else EMPTY_ROOT


def inclusion(tree: Tree, index: int, size: int | None = None) -> list[bytes]:
    """The proof that leaf `index` (from 0) is in the tree of `size`: siblings from the leaf up.

    ValueError: there is no such leaf at this size.
    """
    size = _known_size(tree, size)
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
    path, start = [], 0
    while size > 1:
        left = _left_size(size)
        if index < start + left:
            path.append(_root(tree, start + left, size - left))
            size = left
        else:
            path.append(_root(tree, start, left))
            start, size = start + left, size - left
    return path[::-1]


def consistency(tree: Tree, old: int, new: int | None = None) -> list[bytes]:
    """The proof that the tree of `new` leaves begins with that of `old`; none for an old size of 0.

    ValueError: the sizes do not ascend up to that of the tree.
    """
    new = _known_size(tree, new)
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} does not extend one of {old}")
    path, start, whole = [], 0, True
    while 0 < old < new:
        left = _left_size(new)
        if old <= left:
            path.append(_root(tree, start + left, new - left))
            new = left
        else:
            path.append(_root(tree, start, left))
            start, old, new, whole = start + left, old - left, new - left, False
    if not whole:  # the verifier knows the old root, but no part of it
        path.append(_root(tree, start, old))
    return path[::-1]


def rest(tree: Tree, indices: Sequence[int], size: int | None = None) -> list[bytes]:
    """The proof that many leaves are in the tree at once: the largest subtrees without any of them,
    left to right. With no indices it is the root. `indices` ascend.
    """
    size = _known_size(tree, size)
    if not size:
        return [EMPTY_ROOT]
    found: list[bytes] = []
    todo = [(0, size, indices)]
    while todo:
        start, size, wanted = todo.pop()
        if not wanted:
            found.append(_root(tree, start, size))
        elif size > 1:
            left = _left_size(size)
            cut = bisect_left(wanted, start + left)
            todo.append((start + left, size - left, wanted[cut:]))
            todo.append((start, left, wanted[:cut]))
    return found


def includes(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether the tree of this root and size has the leaf data at the index (RFC 6962, 2.1.1)."""
    if not 0 <= index < size:
        return False
    found = sha256(b"\0" + leaf).digest()
    steps, start = [], 0
    while size > 1:
        left = _left_size(size)
        is_left = index < start + left
        steps.append(is_left)
        start, size = (start, left) if is_left else (start + left, size - left)
    if len(steps) != len(path) or any(len(each) != _HASH_BYTES for each in path):
        return False
    for is_left, sibling in zip(reversed(steps), path, strict=True):
        found = sha256(b"\1" + (found + sibling if is_left else sibling + found)).digest()
    return found == root


def _root(tree: Tree, start: int, size: int) -> bytes:
    """The root of a subtree, from the largest whole subtrees that it is made of."""
    parts = []
    while size:
        height = size.bit_length() - 1
        at = (start >> height) * _HASH_BYTES
        parts.append(tree.levels[height][at : at + _HASH_BYTES])
        start, size = start + (1 << height), size - (1 << height)
    found = parts.pop()
    while parts:
        found = sha256(b"\1" + parts.pop() + found).digest()
    return found


def _left_size(size: int) -> int:
    """RFC 6962 splits a tree at the largest power of two below its size."""
    return 1 << (size - 1).bit_length() - 1


def _known_size(tree: Tree, size: int | None) -> int:
    if size is None:
        return tree.size
    if not 0 <= size <= tree.size:
        raise ValueError(f"the tree has {tree.size} leaves, not {size}")
    return size
