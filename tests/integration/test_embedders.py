"""Embedders: unit float32 vectors that put a question near its answer."""

from pathlib import Path

import numpy as np
import pytest

from haozhi.models.embedders import SentenceEmbedder, load_embedder
from haozhi.settings import load_settings
from ingest.ports import Embedder


@pytest.fixture(scope="module")
def e5(model_dir: Path) -> SentenceEmbedder:
    """The bilingual default embedder."""
    return load_embedder(load_settings(model_dir=model_dir, embedder="builtin:e5-small"))


@pytest.fixture(scope="module")
def minilm(model_dir: Path) -> SentenceEmbedder:
    """The English embedder, an ordinary sentence-transformers folder."""
    return load_embedder(load_settings(model_dir=model_dir, embedder="builtin:minilm"))


@pytest.mark.parametrize("name", ["e5", "minilm"])
def test_vectors_are_unit_float32_rows(name: str, request: pytest.FixtureRequest) -> None:
    """Passages and queries are [n, dim] float32 rows of norm 1, also for none and an empty text."""
    embedder: Embedder = request.getfixturevalue(name)
    texts = ["1 + 1 = 2", "我家猫叫团子。", ""]
    for vectors in (embedder.passages(texts), embedder.queries(texts)):
        assert vectors.shape == (3, embedder.dim)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert embedder.passages([]).shape == (0, embedder.dim)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("我的猫叫什么？", "我家猫叫团子。"),
        ("Where was Marie Curie born?", "Curie came from Warsaw."),
    ],
)
def test_a_question_is_nearest_to_its_answer(
    e5: SentenceEmbedder, question: str, answer: str
) -> None:
    """In Chinese and in English the answering statement beats unrelated ones."""
    others = ["The tide turns twice a day.", "茶要用八十度的水泡。", "5 + 4 = 9"]
    scores = e5.passages([answer, *others]) @ e5.queries([question])[0]
    assert scores.argmax() == 0


def test_a_passage_is_not_embedded_like_a_query(e5: SentenceEmbedder) -> None:
    """The two sides of e5 use different prefixes."""
    assert not np.allclose(e5.passages(["猫"]), e5.queries(["猫"]), atol=1e-3)


def test_threads_do_not_change_vectors(e5: SentenceEmbedder, model_dir: Path) -> None:
    """Three threads that share the weights give each text the vector that one gives it."""
    texts = [f"{'猫' * n} {n} cats." for n in range(41)]
    three = load_embedder(load_settings(model_dir=model_dir, threads=3))
    assert np.allclose(three.passages(texts), e5.passages(texts), atol=1e-5)
    assert np.allclose(three.queries(texts[:2]), e5.queries(texts[:2]), atol=1e-5)


def test_batches_do_not_change_vectors(e5: SentenceEmbedder) -> None:
    """A text has one vector, alone or among others, so that a re-embedded store is the same."""
    together = e5.passages(["1 + 1 = 2", "我家猫叫团子。" * 9])
    assert np.array_equal(together[0], e5.passages(["1 + 1 = 2"])[0])


def test_fingerprints_tell_embedders_apart(e5: SentenceEmbedder, minilm: SentenceEmbedder) -> None:
    """Vectors of two embedders never mix: their fingerprints differ."""
    assert e5.fingerprint != minilm.fingerprint
