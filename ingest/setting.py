"""A statement that opens with a pronoun is embedded, and shown to the model, with its setting.

`She moved to Paris in 1891.` says nothing of who she is; the title of the work and the sentences
before do. A statement that speaks for itself is embedded as it is: its setting would only move it
towards its neighbours (docs/design.md has the figures).
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ingest.ports import Embedder
from store.engine import Engine, read
from store.statements import NewStatement
from store.statements.setting import MOST_BEFORE, Setting, settings_of

FORMAT = "setting1"
"""Part of an embedder's fingerprint: it changes whenever a statement's vector would."""

WEIGHT = 0.3
"""Part of a vector that is that of the statement in its setting, the rest that of it alone."""

LONGEST = 200
"""Code points of a setting; what is nearest to the statement stays."""

OPENING = re.compile(
    r"[\s\"'“‘「『(（]*(?:(?:he|she|it|they|his|her|its|their|this|these|that|those|such)\b"
    r"|他|她|它|牠|祂|其(?!他|它|余|餘|实|實)|此(?!外)|[该該][\u4e00-\u9fff]"
    r"|[这這那][一些里裡裏样樣种種位个個座项項部是也使让讓])",
    re.IGNORECASE,
)


def needs_setting(text: str) -> bool:
    """Whether it opens with a pronoun or a word that points back, in English or Chinese."""
    return OPENING.match(text) is not None


def setting_text(setting: Setting) -> str:
    """A setting as one line, cut to LONGEST; '' when there is nothing to say."""
    path = " / ".join(part for part in (setting.title, *setting.headings) if part)
    before = " ".join(" ".join(text.split()) for text in setting.before)
    line = ": ".join(part for part in (path[:LONGEST], before[-LONGEST:]) if part)
    return " ".join(line.split())


def with_setting(text: str, setting: Setting | None) -> str:
    """What is embedded for a statement: the line of its setting before it, if it needs one."""
    if setting is None or not needs_setting(text):
        return text
    line = setting_text(setting)
    return f"{line}\n{text}" if line else text


def embed(
    embedder: Embedder, texts: Sequence[str], settings: Sequence[Setting | None]
) -> NDArray[np.float32]:
    """The vectors of statements, [len(texts), dim]; WEIGHT of one that needs its setting is that of
    both together.
    """
    vectors = embedder.passages(texts)
    both = {
        n: with_setting(text, setting)
        for n, (text, setting) in enumerate(zip(texts, settings, strict=True))
    }
    both = {n: text for n, text in both.items() if text != texts[n]}
    if both:
        mixed = vectors.copy()
        rows = list(both)
        mixed[rows] = (1 - WEIGHT) * vectors[rows] + WEIGHT * embedder.passages(list(both.values()))
        mixed[rows] /= np.linalg.norm(mixed[rows], axis=1, keepdims=True)
        return mixed
    return vectors


def embed_stored(
    engine: Engine, embedder: Embedder, rows: Sequence[tuple[int, str]]
) -> NDArray[np.float32]:
    """The vectors of stored statements, given as id and text, in their order."""
    with read(engine) as s:
        settings = settings_of(s, [i for i, text in rows if needs_setting(text)])
    return embed(embedder, [text for _, text in rows], [settings.get(i) for i, _ in rows])


def in_setting(title: str, statements: Sequence[NewStatement]) -> list[NewStatement]:
    """The statements of a work, which come in their order, each that needs a setting with it."""
    return [
        replace(item, setting=_setting(title, item, statements[max(0, n - MOST_BEFORE) : n]))
        if needs_setting(item.text)
        else item
        for n, item in enumerate(statements)
    ]


def _setting(title: str, item: NewStatement, before: Sequence[NewStatement]) -> Setting:
    texts = tuple(each.text for each in before if each.headings == item.headings)
    return Setting(title, item.headings, texts)
