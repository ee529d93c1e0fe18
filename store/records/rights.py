"""Who held the rights in what was answered from."""

from dataclasses import dataclass, field

from store.records.corpus import AuthorShare


@dataclass(frozen=True)
class Entitlement:
    """Who is paid if a cluster is: the author shares of one occurrence of verified date (empty: the
    author is unknown) and the (holder, ppm) grants in force for its work.
    """

    authors: tuple[AuthorShare, ...]
    grants: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Holdings:
    """Who held the rights in an answer's statements when it was posted, and what else was true
    then that policy acts on.

    `holders` maps an author to the holder that is this author; `grants` maps a statement to its
    (holder, ppm) grants in force, whose ppm sum to at most 1,000,000 (the rest is the authors').
    A statement without grants is its authors'. `own` are the authors that the asker is linked to,
    `erased` those whose name was erased, `unresolved` those whose name nobody vouches for; all are
    in `holders` too, and so are the authors of `verified`, who is entitled in a statement's
    cluster. `repeated` are the statements that this asker paid for the same question already,
    `copied` those that repeat what others said first and withdrew, `unsure` those recognised in a
    picture with little confidence, `common` those that are common knowledge.
    """

    holders: dict[str, str]
    grants: dict[int, tuple[tuple[str, int], ...]]
    disputed: frozenset[int]
    own: frozenset[str] = frozenset()
    repeated: frozenset[int] = frozenset()
    copied: frozenset[int] = frozenset()
    unsure: frozenset[int] = frozenset()
    common: frozenset[int] = frozenset()
    erased: frozenset[str] = frozenset()
    unresolved: frozenset[str] = frozenset()
    verified: dict[int, tuple[Entitlement, ...]] = field(default_factory=dict)
