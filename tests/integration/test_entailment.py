"""A cross-encoder of inference made here with random weights: its path is real, its taste not."""

import json
from pathlib import Path

import pytest
from sentence_transformers import CrossEncoder
from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

from haozhi.app import open_app
from haozhi.models.entailment import load_entailment
from haozhi.settings import load_settings
from store.errors import ModelMissing

PAIRS = [("a cat", "an animal"), ("猫叫", "狗"), ("b", "b")]


def a_model(place: Path, labels: list[str]) -> Path:
    """A model folder as the hub would have it."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz猫狗叫"]
    place.mkdir(exist_ok=True)
    (place / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        id2label=dict(enumerate(labels)),
        label2id={label: i for i, label in enumerate(labels)},
    )
    BertForSequenceClassification(config).save_pretrained(place)
    BertTokenizer(str(place / "vocab.txt")).save_pretrained(place)
    return place


@pytest.mark.parametrize(
    "labels", [["contradiction", "entailment"], ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"]]
)  # fmt: skip
def test_outcomes_are_found_by_their_names(tmp_path: Path, labels: list[str]) -> None:
    """Models order their labels as they like; the probabilities are the cross-encoder's own."""
    folder = a_model(tmp_path / "nli", labels)
    found = load_entailment(str(folder), load_settings(device="cpu")).read(PAIRS)
    own = CrossEncoder(str(folder), device="cpu").predict(PAIRS, apply_softmax=True)
    lower = [label.lower() for label in labels]
    for (entails, denies), row in zip(found, own, strict=True):
        assert entails == pytest.approx(row[lower.index("entailment")], abs=1e-6)
        assert denies == pytest.approx(row[lower.index("contradiction")], abs=1e-6)


def test_a_model_without_denials_leaves_them_unknown(tmp_path: Path) -> None:
    """Two labels tell entailment only: that it was not denied is not known."""
    folder = a_model(tmp_path / "nli", ["entailment", "not_entailment"])
    nli = load_entailment(str(folder), load_settings(device="cpu"))
    assert all(denies is None and 0 < entails < 1 for entails, denies in nli.read(PAIRS))
    assert nli.read([]) == []


def test_labels_that_say_nothing_are_refused_in_one_line(tmp_path: Path) -> None:
    """LABEL_0 may mean anything: the model is not used, and the line names its labels."""
    folder = a_model(tmp_path / "nli", ["LABEL_0", "LABEL_1"])
    with pytest.raises(ModelMissing, match="names no label entailment, only label_0, label_1"):
        load_entailment(str(folder), load_settings(device="cpu"))


def test_no_inference_unless_settings_name_a_model(tmp_path: Path) -> None:
    """It is off by default, loaded when named, and a missing one is named in one line."""
    url = f"sqlite:///{tmp_path}/haozhi.db"
    assert open_app(load_settings(data_dir=tmp_path, database_url=url)).nli is None
    folder = a_model(tmp_path / "nli", ["contradiction", "entailment", "neutral"])
    named = load_settings(data_dir=tmp_path, database_url=url, nli=str(folder), device="cpu")
    assert open_app(named).nli is not None
    assert json.loads((folder / "config.json").read_text("utf-8"))["id2label"]["1"] == "entailment"
    with pytest.raises(ModelMissing, match="no model folder"):
        load_entailment("/nowhere/at/all", load_settings())
