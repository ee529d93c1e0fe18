"""An item put to the model as the product does: its prompt, and the answer that the model gives."""

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from haozhi.answering.candidates import free_answer
from haozhi.answering.prompt import Prompt, build_prompt
from haozhi.attribution.values import Scored
from haozhi.evaluation.attribution.items import Item
from haozhi.models.generation import Sampling
from haozhi.models.generator import Generator
from haozhi.prompts import Template, load_template
from haozhi.questions import kind_of
from ingest.ports import Embedder

ANSWER_TOKENS = 32
_FEWEST_TOKENS = 8
"""A statement cut shorter says nothing."""


@dataclass(frozen=True)
class Cuts:
    """How short evaluation makes things, in tokens: each statement, and the whole prompt."""

    statement: int = 40
    prompt: int = 300


@dataclass(frozen=True)
class Posed:
    """What every method sees. Statement i of the item is statement i of `scored`, best first.

    `similarities[i]` is its cosine similarity to the question; `text` is the model's own answer.
    """

    item: Item
    similarities: tuple[float, ...]
    template: Template
    prompt: Prompt
    scored: Scored
    text: str

    @property
    def key(self) -> str:
        """Names the tokens: equal prompt, spans and answer, equal key."""
        return hashlib.sha256(repr(self.scored).encode()).hexdigest()[:16]


@dataclass
class Spent:
    """Seconds that something took: of this process on all its threads, and on the wall."""

    cpu_s: float = 0.0
    wall_s: float = 0.0


@contextmanager
def spending() -> Iterator[Spent]:
    """Measures its block. On a busy machine only the processor's seconds can be compared."""
    spent, cpu, wall = Spent(), time.process_time(), time.perf_counter()
    yield spent
    spent.cpu_s, spent.wall_s = time.process_time() - cpu, time.perf_counter() - wall


def pose(generator: Generator, embedder: Embedder, item: Item, cuts: Cuts) -> Posed | None:
    """The item in the product's prompt with the model's own greedy answer.

    Statements are cut to equal lengths until the prompt is short enough, and stand in the order of
    similarity as retrieval puts them. None: the question leaves too little room for statements, or
    the model says nothing.
    """
    template = load_template(generator.name, item.language, kind_of(item.question))
    statements = _cut(generator, template, item, cuts)
    if statements is None:
        return None
    vectors, asked = embedder.passages(statements), embedder.queries([item.question])
    similarities = (vectors @ asked[0]).tolist()
    order = sorted(range(len(statements)), key=lambda i: (-similarities[i], i))
    ordered = item.ordered(order, statements)
    prompt = _prompt(generator, template, ordered.question, ordered.statements)
    answer = _answer(generator, template, prompt)
    if not answer:
        return None
    scored = Scored(prompt.ids, answer, tuple(s for s in prompt.spans if s), prompt.tail_start)
    ranked = tuple(similarities[i] for i in order)
    return Posed(ordered, ranked, template, prompt, scored, generator.decode(answer).strip())


def answer_again(generator: Generator, posed: Posed) -> Spent:
    """The seconds of the answer's own prefill and decoding; afterwards its prompt is still kept."""
    generator.kept.clear()
    with spending() as spent:
        _answer(generator, posed.template, posed.prompt)
    return spent


def _answer(generator: Generator, template: Template, prompt: Prompt) -> tuple[int, ...]:
    found = free_answer(
        generator,
        prompt,
        template,
        max_new_tokens=ANSWER_TOKENS,
        sampling=Sampling(),
        cancelled=lambda: False,
    )
    return next((candidate.ids for candidate in found), ())


def _prompt(
    generator: Generator, template: Template, question: str, statements: Sequence[str]
) -> Prompt:
    return build_prompt(generator, template, question, statements, max_new_tokens=ANSWER_TOKENS)


def _cut(generator: Generator, template: Template, item: Item, cuts: Cuts) -> list[str] | None:
    """The statements at the greatest length at which the prompt is short enough."""
    for most in range(cuts.statement, _FEWEST_TOKENS - 1, -1):
        found = [_shortened(generator, text, most) for text in item.statements]
        prompt = _prompt(generator, template, item.question, found)
        if len(prompt.ids) <= cuts.prompt:
            return found if all(prompt.spans) else None
    return None


def _shortened(generator: Generator, text: str, most: int) -> str:
    ids = generator.encode(text)
    if len(ids) <= most:
        return text
    return generator.decode(ids[:most]).rstrip("\N{REPLACEMENT CHARACTER}").rstrip()
