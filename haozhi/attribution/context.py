"""What attribution is asked about: an answer's segments over the statements of its context."""

from dataclasses import dataclass

from haozhi.attribution.support import SegmentSupport
from haozhi.attribution.values import Scored
from store.records.corpus import AuthorShare


@dataclass(frozen=True)
class Case:
    """Everything that the shares of one answer depend on.

    `positions` (in the context), `statement_ids`, `authors` and `players` run over the statements
    that are in the prompt, as `scored.spans` do; `players[i]` numbers the player of statement i.
    `segments[k]` are the half-open answer tokens of segment k, `weights_ppb[k]` its weight and
    `support[k]` what backs or denies it.
    """

    scored: Scored
    positions: tuple[int, ...]
    statement_ids: tuple[int, ...]
    authors: tuple[tuple[AuthorShare, ...], ...]
    players: tuple[int, ...]
    segments: tuple[tuple[int, int], ...]
    weights_ppb: tuple[int, ...]
    support: tuple[SegmentSupport, ...]


def player_key(statement_id: int, authors: tuple[AuthorShare, ...]) -> str:
    """Names the author-share vector; a statement whose author is unknown plays alone."""
    if not authors:
        return f"unknown:{statement_id}"
    return ",".join(f"{a.author_id}:{a.ppm}" for a in sorted(authors, key=lambda a: a.author_id))


def authors_of(key: str) -> tuple[AuthorShare, ...]:
    """The author shares that a player's key names, as they were when the answer was given."""
    if key.startswith("unknown:"):
        return ()
    parts = (part.rsplit(":", 1) for part in key.split(","))
    return tuple(AuthorShare(author, int(ppm)) for author, ppm in parts)
