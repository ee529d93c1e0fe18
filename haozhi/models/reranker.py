"""Rerankers: a cross-encoder reads query and statement together, slower and better than vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from haozhi.models.device import choose_device
from haozhi.models.resolve import resolve_model
from haozhi.settings import Settings

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

BATCH = 16


class Reranker(Protocol):
    """Says how well statements answer a query."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """A finite number per text, more for a better one, on no fixed scale."""


@dataclass(frozen=True)
class CrossEncoderReranker:
    """Any sentence-transformers cross-encoder with one output."""

    model: "CrossEncoder"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `Reranker.scores`."""
        if not texts:
            return []
        pairs = [(query, text) for text in texts]
        found = self.model.predict(pairs, batch_size=BATCH, show_progress_bar=False)
        return [float(score) for score in found]


def load_reranker(name: str, settings: Settings) -> CrossEncoderReranker:
    """Load a cross-encoder, a Hugging Face id or a local folder; takes seconds.

    ModelMissing says what is missing.
    """
    import torch
    from sentence_transformers import CrossEncoder

    folder = resolve_model(name, settings)
    torch.set_num_threads(settings.threads)
    device = str(choose_device(settings.device))
    model = CrossEncoder(str(folder), num_labels=1, device=device)
    return CrossEncoderReranker(model.eval())
