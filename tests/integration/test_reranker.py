"""A cross-encoder from a folder, made here with random weights: its path is real, its taste not."""

from pathlib import Path

import pytest
from sentence_transformers import CrossEncoder
from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

from haozhi.app import open_app
from haozhi.models.reranker import load_reranker
from haozhi.settings import load_settings
from store.errors import ModelMissing


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder as the hub would have it."""
    place = tmp_path_factory.mktemp("reranker")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz猫叫"]
    (place / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    tokenizer = BertTokenizer(str(place / "vocab.txt"))
    config = BertConfig(
        vocab_size=len(words), hidden_size=8, num_hidden_layers=1, num_attention_heads=1,
        intermediate_size=8,
    )  # fmt: skip
    config.num_labels = 1
    BertForSequenceClassification(config).save_pretrained(place)
    tokenizer.save_pretrained(place)
    return place


def test_a_reranker_gives_every_text_a_number(folder: Path) -> None:
    """One score per text, the same as the cross-encoder's own, and none for none."""
    reranker = load_reranker(str(folder), load_settings(device="cpu"))
    texts = ["a cat", "猫叫", "b"]
    scores = reranker.scores("cat", texts)
    own = CrossEncoder(str(folder), num_labels=1, device="cpu").predict([("cat", t) for t in texts])
    assert scores == pytest.approx(own.tolist(), abs=1e-6)
    assert reranker.scores("cat", []) == []


def test_no_reranker_unless_settings_name_one(tmp_path: Path, folder: Path) -> None:
    """It is off by default, loaded when named, and a missing one is named in one line."""
    url = f"sqlite:///{tmp_path}/haozhi.db"
    assert open_app(load_settings(data_dir=tmp_path, database_url=url)).reranker is None
    named = load_settings(data_dir=tmp_path, database_url=url, reranker=str(folder), device="cpu")
    assert open_app(named).reranker is not None
    with pytest.raises(ModelMissing, match="no model folder"):
        load_reranker("/nowhere/at/all", load_settings())
