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


@pytest.fixture(scope="module")
def use(model_dir: Path) -> SentenceEmbedder:
    """The fast embedder of many languages."""
    return load_embedder(load_settings(model_dir=model_dir, embedder="builtin:use-multilingual"))


@pytest.mark.parametrize("name", ["e5", "minilm", "use"])
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
@pytest.mark.parametrize("name", ["e5", "use"])
def test_a_question_is_nearest_to_its_answer(
    name: str, request: pytest.FixtureRequest, question: str, answer: str
) -> None:
    """In Chinese and in English the answering statement beats unrelated ones."""
    embedder: Embedder = request.getfixturevalue(name)
    others = ["The tide turns twice a day.", "茶要用八十度的水泡。", "5 + 4 = 9"]
    scores = embedder.passages([answer, *others]) @ embedder.queries([question])[0]
    assert scores.argmax() == 0


def test_the_fast_embedder_reads_both_languages(use: SentenceEmbedder) -> None:
    """A text and its translation are nearer to each other than either is to another text."""
    texts = ["The cat sleeps on the sofa.", "猫在沙发上睡觉。", "明天的会议取消了。"]
    vectors = use.passages(texts)
    assert vectors[0] @ vectors[1] > 2 * max(vectors[0] @ vectors[2], vectors[1] @ vectors[2])


def test_a_passage_is_not_embedded_like_a_query(e5: SentenceEmbedder) -> None:
    """The two sides of e5 use different prefixes."""
    assert not np.allclose(e5.passages(["猫"]), e5.queries(["猫"]), atol=1e-3)


def test_threads_do_not_change_vectors(e5: SentenceEmbedder, model_dir: Path) -> None:
    """Three threads that share the weights give each text the vector that one gives it."""
    texts = [f"{'猫' * n} {n} cats." for n in range(41)]
    three = load_embedder(load_settings(model_dir=model_dir, threads=3))
    assert np.allclose(three.passages(texts), e5.passages(texts), atol=1e-5)
    assert np.allclose(three.queries(texts[:2]), e5.queries(texts[:2]), atol=1e-5)


def test_batches_do_not_change_vectors(e5: SentenceEmbedder, use: SentenceEmbedder) -> None:
    """A text has one vector, alone or among others, so that a re-embedded store is the same."""
    texts = ["1 + 1 = 2", "我家猫叫团子。" * 9]
    assert np.array_equal(e5.passages(texts)[0], e5.passages(texts[:1])[0])
    assert np.allclose(use.passages(texts)[0], use.passages(texts[:1])[0], atol=1e-5)


def test_fingerprints_tell_embedders_apart(
    e5: SentenceEmbedder, minilm: SentenceEmbedder, use: SentenceEmbedder
) -> None:
    """Vectors of two embedders never mix: their fingerprints differ."""
    assert len({e5.fingerprint, minilm.fingerprint, use.fingerprint}) == 3
