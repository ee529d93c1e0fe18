"""Deletions as they are written down."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Deletion:
    """What was deleted, for whom and why, and how far that is.

    `removed` counts by store; `left` statements still have their text. `finished_us` is None until
    everything was searched for in vain.
    """

    id: int
    kind: str
    subject: str
    requested_by: str
    reason: str
    created_us: int
    finished_us: int | None
    removed: Mapping[str, int]
    left: int
