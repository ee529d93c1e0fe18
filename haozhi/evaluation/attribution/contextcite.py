"""ContextCite (Cohen-Wang et al. 2024; PyPI `context_cite`) on the tokens that we attribute.

Nothing in the package is changed. It works on text, and text that is tokenised anew need not give
our tokens; so it reads an alphabet of one character per token, in which its tokens are ours for
every tokenizer. A source is a statement with what follows it in the prompt; the answer is ours. It
keeps each source with probability 1/2 and fits a LASSO to the log-odds of the whole answer.

Its draws repeat: of six sources there are 64 masks, and it draws up to 256. A mask runs the model
once, as the package runs it (alone, with the logits of every position and the loss), and is
answered from memory afterwards; the cost of ContextCite is calls x the mean cost of a real call.
"""

import contextlib
import io
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from haozhi.attribution.values import Scored
from haozhi.evaluation.attribution.posing import Spent, spending
from haozhi.evaluation.attribution.removal import blocks, opening
from haozhi.models.generator import Generator
from store.errors import UsageError

if TYPE_CHECKING:
    import torch

#: The character of token 0. No character from here on is a space, a brace or a surrogate.
FIRST = 0x10000


@dataclass(frozen=True)
class Cited:
    """What ContextCite finds, and what it costs.

    `weights[i]`: nats that statement i adds to the answer's log-odds. `distinct` of the `calls` ran
    the model; `call` is what one of them took on average, `cost` that times `calls`.
    """

    weights: tuple[float, ...]
    calls: int
    distinct: int
    call: Spent
    cost: Spent


def run_context_cite(
    generator: Generator, scored: Scored, ablations: Sequence[int] = (32, 256)
) -> dict[int, Cited]:
    """What it finds with each number of ablations; all draw the same masks first.

    UsageError: the package is not installed.
    """
    package, model = _package(), _Model(generator, scored)
    return {count: _run(package, model, scored, count) for count in sorted(ablations)}


def _package() -> Any:
    """The package. At import it asks nltk for data that we do not use; a failure is not shown."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            import context_cite
    except ModuleNotFoundError as error:
        raise UsageError("ContextCite is not installed: pip install haozhi[eval]") from error
    return context_cite


def _run(package: Any, model: "_Model", scored: Scored, count: int) -> Cited:
    sources = _Sources([_spell(ids) for ids in blocks(scored).values()])
    before = model.calls
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")  # of the torch functions that it calls by their old names
        citer = package.ContextCiter(
            model,
            _Alphabet(),
            sources.context,
            _spell(scored.prompt_ids[scored.tail_start :]),
            num_ablations=count,
            prompt_template=_spell(opening(scored)) + "{context}{query}",
            partitioner=sources,
        )
        # Its prompt is private, its answer public; both must be ours, token by token.
        assert citer._get_prompt_ids() == list(scored.prompt_ids), "another prompt than ours"
        assert citer.response == _spell(scored.answer_ids), "another answer than ours"
        found = citer.get_attributions(verbose=False)
    weights = dict(zip(blocks(scored), map(float, found), strict=True))
    calls, call = model.calls - before, model.mean
    return Cited(
        weights=tuple(weights[number] for number in range(len(scored.spans))),
        calls=calls,
        distinct=len(model.known),
        call=call,
        cost=Spent(calls * call.cpu_s, calls * call.wall_s),
    )


def _spell(ids: Sequence[int]) -> str:
    return "".join(chr(FIRST + token) for token in ids)


class _Alphabet:
    """A tokenizer, as far as the package uses one: one character is one token."""

    pad_token = ""
    padding_side = "left"

    def __call__(self, text: str, **_: Any) -> "_Spelled":
        return _Spelled(input_ids=self.encode(text))

    def encode(self, text: str, **_: Any) -> list[int]:
        """The tokens of spelled text."""
        return [ord(character) - FIRST for character in text]

    def decode(self, ids: Sequence[int]) -> str:
        """Spelled text."""
        return _spell(list(map(int, ids)))

    def apply_chat_template(self, messages: Sequence[Mapping[str, str]], **_: Any) -> str:
        """The prompt as it is: our opening and tail hold the model's chat turns already."""
        return messages[0]["content"]

    def pad(self, features: Sequence[Mapping[str, Sequence[int]]], **_: Any) -> dict[str, Any]:
        """A batch of one, which needs no padding."""
        import torch

        (alone,) = features
        return {name: torch.tensor([list(ids)]) for name, ids in alone.items()}


class _Spelled(dict[str, list[int]]):
    """The tokens of a text with their places in it."""

    def token_to_chars(self, token: int) -> SimpleNamespace:
        """Where the token stands."""
        return SimpleNamespace(start=token, end=token + 1)


class _Sources:
    """A partitioner: the sources stand in the prompt's order, with nothing between them."""

    def __init__(self, sources: Sequence[str]) -> None:
        self.sources = sources
        self.num_sources = len(sources)
        self.context = "".join(sources)

    def get_context(self, mask: Sequence[bool] | None = None) -> str:
        """The context with the sources that the mask keeps."""
        kept = [True] * self.num_sources if mask is None else mask
        return "".join(source for source, keep in zip(self.sources, kept, strict=True) if keep)


@dataclass
class _Model:
    """The generator's model, saying the answer; it runs once per prompt and remembers.

    `known` holds two rows per prompt: for each token of the answer its logit, and the logsumexp of
    all others, which is all that the package takes from the logits.
    """

    generator: Generator
    scored: Scored
    calls: int = 0
    known: "dict[tuple[int, ...], torch.Tensor]" = field(default_factory=dict)
    total: Spent = field(default_factory=Spent)

    @property
    def device(self) -> "torch.device":
        """Where it runs."""
        return self.generator.device

    @property
    def mean(self) -> Spent:
        """What a real call took on average."""
        real = len(self.known)
        return Spent(self.total.cpu_s / real, self.total.wall_s / real)

    def generate(self, input_ids: "torch.Tensor", **_: Any) -> "torch.Tensor":
        """The prompt and our answer."""
        return input_ids.new_tensor([[*input_ids[0].tolist(), *self.scored.answer_ids]])

    def __call__(self, input_ids: "torch.Tensor", **batch: "torch.Tensor") -> SimpleNamespace:
        """Logits [1, answer + 1, vocabulary] whose first rows predict the answer."""
        self.calls += 1
        prompt = tuple(input_ids[0].tolist())
        if prompt not in self.known:
            with spending() as spent:
                rows = self._real(input_ids=input_ids, **batch)
            self.known[prompt] = rows
            self.total.cpu_s += spent.cpu_s
            self.total.wall_s += spent.wall_s
        return SimpleNamespace(logits=self._logits(self.known[prompt]))

    def _real(self, **batch: "torch.Tensor") -> "torch.Tensor":
        """[2, answer]: per answer token its logit, and the logsumexp of all others."""
        answer = list(self.scored.answer_ids)
        logits = self.generator.model(**batch).logits[0, -len(answer) - 1 : -1].float()
        chosen = batch["labels"][0, -len(answer) :, None]
        own = logits.gather(-1, chosen)[:, 0]
        others = logits.scatter(-1, chosen, float("-inf")).logsumexp(-1)
        rows: torch.Tensor = own.new_tensor([own.tolist(), others.tolist()])
        return rows

    def _logits(self, rows: "torch.Tensor") -> "torch.Tensor":
        """Logits of which the package makes the same numbers as of the model's own."""
        vocabulary = self.generator.model.config.get_text_config().vocab_size
        logits = rows.new_full((1, rows.shape[1] + 1, vocabulary), float("-inf"))
        for place, token in enumerate(self.scored.answer_ids):
            logits[0, place, token] = rows[0, place]
            logits[0, place, (token + 1) % vocabulary] = rows[1, place]
        return logits
