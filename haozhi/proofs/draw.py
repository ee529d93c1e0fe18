"""Which answers of a period are audited: drawn by what nobody could foresee."""

from collections.abc import Sequence
from hashlib import sha256


def draw(previous_checkpoint_hash: str, answer_ids: Sequence[str], n: int) -> tuple[str, ...]:
    """The `n` answers with the smallest SHA-256(previous checkpoint's hash || answer id).

    The hash was signed before the answers were given, so that nobody can have aimed at the draw,
    and anybody with the ids can repeat it. Fewer ids than `n` are all drawn.
    """

    def lot(answer_id: str) -> bytes:
        return sha256(f"{previous_checkpoint_hash}{answer_id}".encode()).digest()

    return tuple(sorted(answer_ids, key=lot)[:n])
