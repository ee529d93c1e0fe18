"""Ways of answering: the model's own words, or stored statements that the model picks.

A small model often cannot put the right statement into words of its own but knows which one
answers. In the way `quote` it may only continue with whole statements; it ranks them by their
log-probability, and sequences of them by beam search.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from haozhi.answering.backing import verdicts
from haozhi.answering.prompt import Prompt
from haozhi.attribution.support import SupportStatement
from haozhi.models.generator import Generator, Sampling, generate
from haozhi.models.prefix import prefill, score
from haozhi.prompts import Template
from haozhi.sums import asked_sum, equations_in

#: Statements quoted in one answer, and sequences of them that the beam keeps.
MOST_QUOTES = 3
BEAM = 4


@dataclass(frozen=True)
class Candidate:
    """An answer that could be given: its tokens, and how it came about."""

    ids: tuple[int, ...]
    way: str


def free_answer(
    generator: Generator,
    prompt: Prompt,
    template: Template,
    *,
    max_new_tokens: int,
    sampling: Sampling,
    cancelled: Callable[[], bool],
) -> Iterator[Candidate]:
    """What the model says by itself; nothing when it says nothing."""
    ids = generate(
        generator,
        prompt.ids,
        max_new_tokens=max_new_tokens,
        sampling=sampling,
        ends=lambda text: template.ends in text.lstrip() and bool(text.strip()),
        cancelled=cancelled,
    )
    text = generator.decode(ids)
    kept = text.lstrip().split(template.ends)[0]
    while ids and len(generator.decode(ids).strip()) > len(kept.strip()):
        ids.pop()
    if kept.strip() and ids:
        yield Candidate(tuple(ids), "free")


def quoted_answers(
    generator: Generator,
    prompt: Prompt,
    template: Template,
    question: str,
    statements: Sequence[SupportStatement],
    similarities: Sequence[float],
) -> Iterator[Candidate]:
    """Quotations of statements, the likeliest first: the steps of a sum, or what answers a fact."""
    texts = [statement.text for statement in statements]
    quotes = Quotes(generator, prompt, template, texts)
    asked = asked_sum(question)
    if asked:
        sequences = quotes.searched(min(len(asked) // 2, MOST_QUOTES, len(texts)))
    else:
        sequences = quotes.ranked(verdicts(question, texts, similarities))
    for sequence in sequences:
        yield Candidate(tuple(generator.encode(quotes.text(sequence))), "quote")


class Quotes:
    """Sequences of statements (by number) as answers to one prompt, ranked by the model."""

    def __init__(
        self, generator: Generator, prompt: Prompt, template: Template, statements: Sequence[str]
    ) -> None:
        """Runs the prompt once."""
        self._generator, self._template, self._statements = generator, template, statements
        self._prefix = prefill(generator, prompt.ids[:-1])
        self._last = prompt.ids[-1]

    def searched(self, length: int) -> list[Sequence[int]]:
        """Sequences of this many different statements by beam search, the likeliest first."""
        beams: list[Sequence[int]] = [()]
        for _ in range(length):
            numbers = range(len(self._statements))
            beams = self.ranked([(*b, n) for b in beams[:BEAM] for n in numbers if n not in b])
        return beams

    def ranked(self, sequences: Sequence[Sequence[int]]) -> list[Sequence[int]]:
        """The sequences by log-probability per token, the likeliest first."""
        if not sequences:
            return []
        texts = [self._generator.encode(self._quoted(sequence)) for sequence in sequences]
        scores = score(self._generator, self._prefix, self._last, texts)
        order = sorted(range(len(sequences)), key=lambda i: (-scores[i], sequences[i]))
        return [sequences[i] for i in order]

    def text(self, sequence: Sequence[int]) -> str:
        """The quotation; a worked sum is closed by the result of its last step."""
        quoted = self._quoted(sequence)
        equations = equations_in(self._statements[sequence[-1]])
        if not self._template.conclude or not equations:
            return quoted
        result = " ".join(equations[-1].right)
        return quoted + self._template.conclude.replace("{result}", result)

    def _quoted(self, sequence: Sequence[int]) -> str:
        quotes = [self._statements[number] for number in sequence]
        if not self._template.conclude:
            ends = tuple('。.！!？?”"')
            quotes = [q if q.endswith(ends) else q + self._template.stop for q in quotes]
        return self._template.quote + self._template.join.join(quotes)
