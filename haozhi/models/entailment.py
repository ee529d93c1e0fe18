"""Natural-language inference: a cross-encoder says whether one text follows from another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from haozhi.models.device import choose_device
from haozhi.models.resolve import resolve_model
from haozhi.settings import Settings
from store.errors import ModelMissing

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

BATCH = 16


class Entailment(Protocol):
    """Says whether texts follow from others."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float | None]]:
        """For each (premise, hypothesis): the probability that it follows, and that it cannot be.

        Both 0..1; the second is None for a model that does not tell denial from silence.
        """


@dataclass(frozen=True)
class CrossEncoderEntailment:
    """Any sentence-transformers cross-encoder with a label per outcome, by their places."""

    model: "CrossEncoder"
    entails: int
    denies: int | None

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float | None]]:
        """See `Entailment.read`."""
        if not pairs:
            return []
        found = self.model.predict(
            list(pairs), batch_size=BATCH, apply_softmax=True, show_progress_bar=False
        )
        return [
            (float(row[self.entails]), None if self.denies is None else float(row[self.denies]))
            for row in found
        ]


def load_entailment(name: str, settings: Settings) -> CrossEncoderEntailment:
    """Load a cross-encoder, a Hugging Face id or a local folder; takes seconds.

    ModelMissing says what is missing, or that the model's labels do not say which is entailment.
    """
    import torch
    from sentence_transformers import CrossEncoder

    folder = resolve_model(name, settings)
    torch.set_num_threads(settings.threads)
    model = CrossEncoder(str(folder), device=str(choose_device(settings.device)))
    labels = {str(label).lower(): int(i) for i, label in model.config.id2label.items()}
    if "entailment" not in labels:
        raise ModelMissing(f"{name} names no label entailment, only {', '.join(labels)}")
    return CrossEncoderEntailment(model.eval(), labels["entailment"], labels.get("contradiction"))
