"""The composition root: builds the real parts from settings, each when it is first needed."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from haozhi.settings import Settings
from store.database import is_current, upgrade
from store.engine import Engine, database_path, is_missing, make_engine
from store.errors import UsageError

if TYPE_CHECKING:
    from haozhi.models.entailment import Entailment
    from haozhi.models.generator import Generator
    from haozhi.models.reranker import Reranker
    from haozhi.ranking import Near
    from ingest.ports import Embedder
    from store.vectors import VectorIndex


@dataclass(frozen=True)
class App:
    """Settings and a migrated database; models and index load on first use."""

    settings: Settings
    engine: Engine

    @cached_property
    def embedder(self) -> "Embedder":
        """The embedder that settings name. ModelMissing: it is not installed."""
        from haozhi.models.embedders import load_embedder

        return load_embedder(self.settings)

    @cached_property
    def index(self) -> "VectorIndex":
        """The vector index, equal to the database. IndexMissing: another embedder made it."""
        from store.vectors.catch_up import catch_up
        from store.vectors.faiss_index import FaissIndex

        index = FaissIndex(self.settings.index_dir, self.embedder.fingerprint, self.embedder.dim)
        catch_up(self.engine, index)
        return index

    @cached_property
    def near(self) -> "Near":
        """The embedder and its index."""
        from haozhi.ranking import Near

        return Near(self.embedder, self.index)

    @cached_property
    def reranker(self) -> "Reranker | None":
        """The cross-encoder that settings name, if any. ModelMissing: it is not there."""
        from haozhi.models.reranker import load_reranker

        name = self.settings.reranker
        return load_reranker(name, self.settings) if name else None

    @cached_property
    def nli(self) -> "Entailment | None":
        """The model of inference that settings name, if any. ModelMissing: it is not there."""
        from haozhi.models.entailment import load_entailment

        name = self.settings.nli
        return load_entailment(name, self.settings) if name else None

    @cached_property
    def generator(self) -> "Generator":
        """The decoder that settings name. ModelMissing: it is not installed."""
        from haozhi.models.generator import load_generator

        return load_generator(self.settings)


@contextmanager
def open_to_plan(settings: Settings) -> Iterator[Engine]:
    """The database that settings name, to look at; one that is not there yet is empty for now.

    UsageError: it is older than this version of haozhi.
    """
    engine = make_engine(settings.database_url)
    if is_current(engine):
        yield engine
        return
    if not is_missing(database_path(engine)):
        raise UsageError("the database is older than this haozhi: run `haozhi db upgrade` first")
    with tempfile.TemporaryDirectory(prefix="haozhi-plan-") as folder:
        empty = make_engine(f"sqlite:///{folder}/haozhi.db")
        upgrade(empty)
        yield empty
        empty.dispose()


def open_app(settings: Settings) -> App:
    """An app over the database that settings name, brought up to date if it is not."""
    engine = make_engine(settings.database_url)
    if not is_current(engine):
        upgrade(engine)
    return App(settings, engine)
