"""The setting of a statement: embedded with it, the same from files and from rows, and prompted."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Engine

from ingest.pipeline import ingest
from ingest.setting import WEIGHT, embed, embed_stored, setting_text
from store.clock import now_us
from store.engine import read, write
from store.lexical import search_words
from store.statements import Filters, find_by_text, missing_embeddings, withdraw_statement
from store.statements.setting import Setting, settings_of

NOTES = """# Marie Curie

## Early life

Marie Curie was born in Warsaw. Her father taught physics. She moved to Paris in 1891.

## 晚年

居里夫人在巴黎教书。她一直住在巴黎。
"""
SHE = "Marie Curie / Early life: Marie Curie was born in Warsaw. Her father taught physics."


class Heard:
    """Hears what it is asked to embed."""

    dim = 2

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self.texts: list[str] = []

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return np.array([[1.0, 0.0]] * len(texts), dtype=np.float32).reshape(-1, 2)

    queries = passages


class Turned:
    """Whatever has a second line lies at a right angle to what has none."""

    fingerprint, dim = "turned", 2

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [[0.0, 1.0] if "\n" in text else [1.0, 0.0] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(-1, 2)

    queries = passages


def _ingested(engine: Engine, folder: Path, heard: Heard) -> None:
    path = folder / "curie.md"
    path.write_text(NOTES, encoding="utf-8")
    ingest([path], engine=engine, embedder=heard)


def test_pronouns_are_embedded_in_their_setting(engine: Engine, tmp_path: Path) -> None:
    """Title, headings and up to two sentences before; what speaks for itself stands alone."""
    heard = Heard("one")
    _ingested(engine, tmp_path, heard)
    assert heard.texts[5:] == [
        "Marie Curie / Early life: Marie Curie was born in Warsaw.\nHer father taught physics.",
        f"{SHE}\nShe moved to Paris in 1891.",
        "Marie Curie / 晚年: 居里夫人在巴黎教书。\n她一直住在巴黎。",
    ]


def test_a_vector_is_of_the_statement_and_in_part_of_its_setting() -> None:
    """The mean of both, weighted, of length 1; another statement's is untouched."""
    setting = Setting("Notes", (), ("Bo writes.",))
    one, other = embed(Turned(), ["She sings.", "Ann sings."], [setting, setting])
    assert np.allclose(one, np.array([1 - WEIGHT, WEIGHT]) / np.hypot(1 - WEIGHT, WEIGHT))
    assert other.tolist() == [1.0, 0.0]


def test_rows_are_embedded_again_as_they_were(engine: Engine, tmp_path: Path) -> None:
    """Another embedder is given, from the rows, what the first was given from the file."""
    one, other = Heard("one"), Heard("other")
    _ingested(engine, tmp_path, one)
    with read(engine) as s:
        missing = missing_embeddings(s, "other")
    embed_stored(engine, other, missing)
    assert other.texts == one.texts


def test_a_setting_in_the_prompt_leaves_out_what_may_not_be_used(
    engine: Engine, tmp_path: Path
) -> None:
    """A sentence that was withdrawn is in no setting from then on."""
    _ingested(engine, tmp_path, Heard("one"))
    with write(engine) as s:
        said, before = (
            find_by_text(s, text, "public")
            for text in ("She moved to Paris in 1891.", "Her father taught physics.")
        )
        assert said is not None
        assert before is not None
        assert setting_text(settings_of(s, [said.id], now_us())[said.id]) == SHE
        withdraw_statement(s, before.id)
        (setting,) = settings_of(s, [said.id], now_us()).values()
        assert setting.before == ("Marie Curie was born in Warsaw.",)


def test_records_keep_their_own_titles(engine: Engine, tmp_path: Path) -> None:
    """A row is found by its source and title, and a pronoun in it is understood under them."""
    rows = [
        {"text": "She moved to Paris.", "source": "The Verge", "title": "Marie Curie"},
        {"text": "A cat sleeps.", "title": "Pets"},
    ]
    path = tmp_path / "notes.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    heard = Heard("one")
    ingest([path], engine=engine, embedder=heard)
    assert heard.texts[2:] == ["notes / The Verge / Marie Curie\nShe moved to Paris."]
    with read(engine) as s:
        found = search_words(s, ["curie"], 9, Filters(), now_us())
        said = find_by_text(s, "She moved to Paris.", "public")
    assert said is not None
    assert [hit.statement_id for hit in found] == [said.id]
