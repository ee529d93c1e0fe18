"""Real models, loaded once, and worlds of statements over temporary data folders."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from haozhi.app import App
from haozhi.models.embedders import load_embedder
from haozhi.models.generator import load_generator
from haozhi.settings import load_settings
from tests.asking import MakeWorld, Models, Said, make_world


@pytest.fixture(scope="session")
def models(model_dir: Path) -> Models:
    """The bilingual defaults."""
    settings = load_settings(model_dir=model_dir)
    return Models(load_embedder(settings), load_generator(settings))


@pytest.fixture(scope="session")
def world(models: Models, tmp_path_factory: pytest.TempPathFactory) -> MakeWorld:
    """Makes an app in which these statements, and no others, were said."""

    def make(said: Sequence[Said]) -> App:
        return make_world(tmp_path_factory.mktemp("world") / "data", models, said)

    return make
