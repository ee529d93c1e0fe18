"""A made case put to the model as the product does, up to the case that attribution is asked about.

What is not done here is to store and search: the statements are all retrieved, each copy in the
place of the cluster that it belongs to.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from haozhi.answering.backing import back
from haozhi.answering.prompt import Prompt, build_prompt
from haozhi.answering.segments import worded
from haozhi.attribution.context import Case
from haozhi.attribution.support import SupportStatement
from haozhi.attribution.values import Scored
from haozhi.evaluation.made.case import MadeCase, Saying
from haozhi.models.embedders import load_embedder
from haozhi.models.generator import Generator, load_generator
from haozhi.prompts import Template, load_template
from haozhi.questions import kind_of
from haozhi.retrieve import search_text
from haozhi.settings import Settings
from ingest.ports import Embedder
from store.clusters.forms import exact_form
from store.clusters.likeness import Likeness, is_copy
from store.records.corpus import AuthorShare

_WHOLE_PPM = 1_000_000
_ANSWER_TOKENS = 64


@dataclass(frozen=True)
class Parts:
    """The models that a made case is put to."""

    generator: Generator
    embedder: Embedder


def load_parts(settings: Settings) -> Parts:
    """The models that settings name; takes seconds. ModelMissing says how to install one."""
    return Parts(load_generator(settings), load_embedder(settings))


@dataclass(frozen=True)
class Retrieved:
    """What stands for its cluster: `number` in the case, and its cosine with the question."""

    number: int
    saying: Saying
    similarity: float


@dataclass(frozen=True)
class Posed:
    """A case in its prompt; `found` are the statements, best first, as the prompt's spans are."""

    made: MadeCase
    found: tuple[Retrieved, ...]
    template: Template
    prompt: Prompt

    @property
    def authors(self) -> tuple[str, ...]:
        """The author of each statement found."""
        return tuple(each.saying.author for each in self.found)


def pose(parts: Parts, made: MadeCase, shuffle: int = 0) -> Posed:
    """The prompt of a case with all its statements, one per cluster, the best next to the question.

    `shuffle` other than 0: in the random order of this seed. AssertionError: a statement does not
    fit the window.
    """
    found = _retrieved(parts.embedder, made)
    if shuffle:
        found = tuple(random.Random(shuffle).sample(found, len(found)))
    template = load_template(parts.generator.name, made.language, kind_of(made.question))
    texts = [each.saying.text for each in found]
    asked = search_text(made.question)
    prompt = build_prompt(parts.generator, template, asked, texts, max_new_tokens=_ANSWER_TOKENS)
    assert all(prompt.spans), made.id
    return Posed(made, found, template, prompt)


def case_of(parts: Parts, posed: Posed) -> Case:
    """What attribution is asked about when the model gave the case's answer.

    Statement ids are the numbers of the case's sayings, author ids its authors.
    """
    made, generator = posed.made, parts.generator
    said = worded(generator, generator.encode(posed.template.quote + made.answer))
    players = list(dict.fromkeys(posed.authors))
    return Case(
        scored=Scored(
            posed.prompt.ids,
            said.ids,
            tuple(span for span in posed.prompt.spans if span),
            posed.prompt.tail_start,
        ),
        positions=tuple(range(len(posed.found))),
        statement_ids=tuple(each.number for each in posed.found),
        authors=tuple((AuthorShare(author, _WHOLE_PPM),) for author in posed.authors),
        players=tuple(players.index(author) for author in posed.authors),
        segments=tuple((s.token_start, s.token_end) for s in said.segments),
        weights_ppb=tuple(s.weight_ppb for s in said.segments),
        support=back(
            made.question,
            said.texts,
            [SupportStatement(each.number, each.saying.text) for each in posed.found],
            [each.similarity for each in posed.found],
        ),
    )


def _retrieved(embedder: Embedder, made: MadeCase) -> tuple[Retrieved, ...]:
    """The first of each cluster, the most similar to the question first."""
    vectors = embedder.passages([saying.text for saying in made.sayings])
    similarities = vectors @ embedder.queries([search_text(made.question)])[0]
    found = [
        Retrieved(number, made.sayings[number], float(similarities[number]))
        for number in _firsts([saying.text for saying in made.sayings], vectors)
    ]
    return tuple(sorted(found, key=lambda each: (-each.similarity, each.number)))


def _firsts(texts: Sequence[str], vectors: "np.typing.NDArray[np.float32]") -> list[int]:
    """The texts that copy no earlier one, as the store decides it."""
    alike = [Likeness(text) for text in texts]
    firsts: list[int] = []
    for new in range(len(texts)):
        if not any(
            exact_form(texts[new]) == exact_form(texts[old])
            or is_copy(alike[new], alike[old], float(vectors[new] @ vectors[old]))
            for old in firsts
        ):
            firsts.append(new)
    return firsts
