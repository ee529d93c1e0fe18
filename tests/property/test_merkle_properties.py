"""Trees and proofs of every shape agree with the definition, read naively from RFC 6962."""

from collections.abc import Sequence
from hashlib import sha256

from hypothesis import assume, given
from hypothesis import strategies as st

from haozhi.proofs.merkle import build_tree, consistency, includes, inclusion, rest, root
from haozhi.proofs.verify import both_roots, root_over

LEAVES = [str(number).encode() for number in range(70)]
TREE = build_tree(LEAVES)
SIZES = st.integers(1, len(LEAVES))


def split(leaves: Sequence[bytes]) -> int:
    """The largest power of two smaller than the number of leaves."""
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return k


def mth(leaves: Sequence[bytes]) -> bytes:
    """MTH of section 2.1."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\0" + leaves[0]).digest()
    k = split(leaves)
    return sha256(b"\1" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH of section 2.1.1."""
    if len(leaves) == 1:
        return []
    k = split(leaves)
    if m < k:
        return [*path(m, leaves[:k]), mth(leaves[k:])]
    return [*path(m - k, leaves[k:]), mth(leaves[:k])]


def subproof(m: int, leaves: Sequence[bytes], whole: bool = True) -> list[bytes]:
    """SUBPROOF of section 2.1.2."""
    if m == len(leaves):
        return [] if whole else [mth(leaves)]
    k = split(leaves)
    if m <= k:
        return [*subproof(m, leaves[:k], whole), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), mth(leaves[:k])]


@given(SIZES, st.data())
def test_trees_and_proofs_are_those_of_the_definition(size: int, data: st.DataObject) -> None:
    """Root, inclusion and consistency of every size equal the recursive definition."""
    index = data.draw(st.integers(0, size - 1))
    old = data.draw(st.integers(1, size))
    assert root(TREE, size) == mth(LEAVES[:size])
    assert inclusion(TREE, index, size) == path(index, LEAVES[:size])
    assert consistency(TREE, old, size) == subproof(old, LEAVES[:size])


@given(SIZES, st.data())
def test_only_the_leaf_at_its_place_is_included(size: int, data: st.DataObject) -> None:
    """A proof holds for one leaf, index, size and root, and for no other."""
    index = data.draw(st.integers(0, size - 1))
    other = data.draw(st.integers(-1, size))
    proof = inclusion(TREE, index, size)
    assert includes(LEAVES[index], index, size, proof, root(TREE, size))
    assume(other != index)
    assert not includes(LEAVES[index], other, size, proof, root(TREE, size))
    assert not includes(LEAVES[other % 70], index, size, proof, root(TREE, size))
    assert not includes(LEAVES[index], index, size, [*proof, bytes(32)], root(TREE, size))
    assert not includes(LEAVES[index], index, size, proof[:-1], root(TREE, size)) or not proof


@given(SIZES, st.data())
def test_a_changed_leaf_breaks_consistency(size: int, data: st.DataObject) -> None:
    """After any old leaf changes no proof that the new tree can give leads to the old root."""
    old = data.draw(st.integers(1, size))
    changed = data.draw(st.integers(0, old - 1))
    leaves = [*LEAVES[:changed], b"another", *LEAVES[changed + 1 : size]]
    later = build_tree(leaves)
    proof = consistency(later, old)
    found = both_roots(old, size, proof, root(TREE, old))
    assert found != [root(TREE, old), root(later)]


@given(SIZES, st.data())
def test_many_leaves_share_one_proof(size: int, data: st.DataObject) -> None:
    """The subtrees without the leaves, and the leaves, give the root, whichever leaves they are."""
    indices = sorted(data.draw(st.sets(st.integers(0, size - 1))))
    leaves = [(index, sha256(b"\0" + LEAVES[index]).digest()) for index in indices]
    proof = rest(TREE, indices, size)
    remaining = iter(proof)
    assert root_over(leaves, 0, size, remaining) == root(TREE, size)
    assert list(remaining) == []
    if leaves:
        wrong = [(leaves[0][0], bytes(32)), *leaves[1:]]
        assert root_over(wrong, 0, size, iter(proof)) != root(TREE, size)
