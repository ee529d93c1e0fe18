"""Prompts as data: one per model, language and kind of question, in the TOML files beside this."""

import hashlib
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from haozhi.language import Language
from haozhi.questions import Kind


@dataclass(frozen=True)
class Template:
    """The words around statements, question and answer.

    The prompt is `before`, the statements each followed by `between`, then `after` with
    `{question}` filled in; a statement that needs its setting has it in front, in `setting`; `chat`
    puts it into the model's chat turns, if it has them. `ends` ends a free answer. Quoted
    statements are opened by `quote`, each ended by `stop` where it has no full stop, joined by
    `join`; a worked sum is closed by `conclude` with its `{result}`. `ways` are the ways of
    answering, tried in this order.
    """

    before: str
    between: str
    setting: str
    after: str
    ends: str
    quote: str
    stop: str
    join: str
    conclude: str
    ways: tuple[str, ...]
    chat: bool

    @property
    def fingerprint(self) -> str:
        """Names the wording and the ways: equal templates, equal fingerprint."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]


def load_template(model: str, language: Language, kind: Kind) -> Template:
    """The template for a model's name: the default one, with what the model's own file changes."""
    name = model.removeprefix("builtin:").rsplit("/", 1)[-1].lower()
    own = name if files(__name__).joinpath(f"{name}.toml").is_file() else "default"
    chosen: dict[str, Any] = {}
    for table in ("common", f"{language}-{kind}"):
        chosen |= _read("default").get(table, {}) | _read(own).get(table, {})
    words = {field.name: chosen[field.name] for field in fields(Template)}
    return Template(**words | {"ways": tuple(chosen["ways"])})


@cache
def _read(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text("utf-8"))
