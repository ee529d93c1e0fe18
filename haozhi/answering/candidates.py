"""Ways of answering: the model's own words, or stored statements that the model picks.

A small model often cannot put the right statement into words of its own but knows which one
answers. In the way `quote` it may only continue with whole statements: those that the judge takes
for an answer or that work out a sum, ranked by their log-probability.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from haozhi.answering.derivations import derivations
from haozhi.answering.prompt import Prompt
from haozhi.answering.verdicts import verdicts
from haozhi.attribution.support import SupportStatement
from haozhi.models.generation import Sampling, generate
from haozhi.models.generator import Generator
from haozhi.models.prefix import prefill, score
from haozhi.prompts import Template
from haozhi.sums import asked_sum, equations_in

#: A citation that the model wrote itself: [3], [1, 2], 【3】. Ours come from attribution.
_MARKER = re.compile(r"\s*(?:[\[［]\s*\d+(?:\s*[,，、–-]\s*\d+)*\s*[\]］]|【\s*\d+\s*】)")
#: What the decoder makes of a character whose last bytes were not generated.
_BROKEN = "\N{REPLACEMENT CHARACTER}"


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
    says: Callable[[str], None] = lambda _: None,
) -> Iterator[Candidate]:
    """What the model says by itself; nothing when it says nothing.

    Its own citation markers are left out, and the words are made tokens again the one way that the
    tokenizer makes them: neither markers nor the way that the model spelt its words moves a share.
    `says` is told after each token what it says so far.
    """

    def said_in(text: str) -> str:
        said = text.lstrip().split(template.ends)[0]
        return _MARKER.sub("", said).strip().rstrip(_BROKEN)

    def is_complete(text: str) -> bool:
        says(said_in(text))
        return template.ends in text.lstrip() and bool(text.strip())

    ids = generate(
        generator,
        prompt.ids,
        max_new_tokens=max_new_tokens,
        sampling=sampling,
        ends=is_complete,
        cancelled=cancelled,
    )
    said = said_in(generator.decode(ids))
    if said:
        yield Candidate(tuple(generator.encode(template.quote + said)), "free")


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
    asked = asked_sum(question)
    sequences = derivations(asked, texts) if asked else verdicts(question, statements, similarities)
    quotations = [_quotation(template, [texts[n] for n in sequence]) for sequence in sequences]
    tokens = [tuple(generator.encode(quotation)) for quotation in quotations]
    if not tokens:
        return
    scores = score(generator, prefill(generator, prompt.ids[:-1]), prompt.ids[-1], tokens)
    for likeliest in sorted(range(len(tokens)), key=lambda i: (-scores[i], i)):
        yield Candidate(tokens[likeliest], "quote")


def _quotation(template: Template, quotes: Sequence[str]) -> str:
    """The quotes as one answer; a worked sum is closed by the result of its last step."""
    bare = [quote.rstrip("。.") for quote in quotes]
    equations = equations_in(quotes[-1])
    if template.conclude and equations:
        result = " ".join(equations[-1].right)
        return template.quote + template.join.join(bare) + template.conclude.format(result=result)
    ends = tuple('。.！!？?”"')
    ended = [quote if quote.endswith(ends) else quote + template.stop for quote in quotes]
    return template.quote + template.join.join(ended)
