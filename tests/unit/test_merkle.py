"""RFC 6962 trees give the published roots and proofs, and prove nothing that is not so."""

from time import perf_counter

import pytest

from haozhi.proofs.merkle import (
    EMPTY_ROOT,
    build_tree,
    consistency,
    includes,
    inclusion,
    rest,
    root,
)
from haozhi.proofs.verify import both_roots, root_over

#: Leaves, roots and proofs of Certificate Transparency's reference tests.
LEAVES = [
    bytes.fromhex(each)
    for each in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
L1 = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
L4 = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
L6 = "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f"
N23 = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
N45 = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"
N67 = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
N4567 = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
INCLUSION = [
    (0, 1, []),
    (0, 8, [L1, N23, N4567]),
    (5, 8, [L4, N67, ROOTS[4]]),
    (2, 3, [ROOTS[2]]),
    (1, 5, [ROOTS[1], N23, L4]),
]
CONSISTENCY = [
    (1, 1, []),
    (1, 8, [L1, N23, N4567]),
    (6, 8, [N45, N67, ROOTS[4]]),
    (2, 5, [N23, L4]),
    (6, 7, [N45, L6, ROOTS[4]]),
]
TREE = build_tree(LEAVES)


@pytest.mark.parametrize("size", range(9))
def test_roots_are_the_published_ones(size: int) -> None:
    """Every size up to eight has its published root, also as part of a later tree."""
    assert root(TREE, size).hex() == ROOTS[size]
    assert root(build_tree(LEAVES[:size])).hex() == ROOTS[size]


@pytest.mark.parametrize(("index", "size", "path"), INCLUSION)
def test_inclusion_proofs_are_the_published_ones(index: int, size: int, path: list[str]) -> None:
    """The same hashes in the same order, and they verify."""
    found = inclusion(TREE, index, size)
    assert [each.hex() for each in found] == path
    assert includes(LEAVES[index], index, size, found, root(TREE, size))


@pytest.mark.parametrize(("old", "new", "path"), CONSISTENCY)
def test_consistency_proofs_are_the_published_ones(old: int, new: int, path: list[str]) -> None:
    """The same hashes in the same order, and they lead to both roots."""
    found = consistency(TREE, old, new)
    assert [each.hex() for each in found] == path
    roots = [root(TREE, old), root(TREE, new)]
    assert both_roots(old, new, found, roots[0]) == roots
    assert found == []  # all of it was needed


def test_the_empty_tree_is_the_hash_of_nothing() -> None:
    """No leaves: a root, no inclusion, and every tree extends it without a proof."""
    assert root(build_tree([])) == EMPTY_ROOT
    assert consistency(TREE, 0) == []
    assert rest(build_tree([]), []) == [EMPTY_ROOT]
    with pytest.raises(ValueError, match="no leaf 0"):
        inclusion(build_tree([]), 0)


def test_a_node_is_never_taken_for_a_leaf() -> None:
    """The two prefixes keep apart what is hashed: an inner node as leaf data has another hash."""
    pair = bytes.fromhex(ROOTS[1] + L1)
    assert root(build_tree([pair])) != root(TREE, 2)


@pytest.mark.parametrize("wrong", [-1, 9])
def test_sizes_that_the_tree_never_had_are_refused(wrong: int) -> None:
    """A size below zero or above the tree's is an error, not a proof."""
    with pytest.raises(ValueError, match="8 leaves"):
        root(TREE, wrong)


def test_a_million_leaves_take_seconds() -> None:
    """The tree of a million entries, its root and a proof are there in a few seconds."""
    leaves = [number.to_bytes(32, "big") for number in range(1_000_000)]
    started = perf_counter()
    tree = build_tree(leaves)
    path = inclusion(tree, 777_777)
    assert perf_counter() - started < 20  # 1.3 s on an idle core
    assert includes(leaves[777_777], 777_777, 1_000_000, path, root(tree))
    few = [(index, build_tree([leaves[index]]).levels[0]) for index in (0, 777_777)]
    assert root_over(few, 0, 1_000_000, iter(rest(tree, [0, 777_777]))) == root(tree)
