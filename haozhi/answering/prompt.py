"""Builds the prompt token by token, so that the span of every statement is exact."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from haozhi.models.generator import Generator
from haozhi.prompts import Template
from store.errors import BadInput


@dataclass(frozen=True)
class Prompt:
    """Prompt tokens with the half-open span of each statement, None where it did not fit.

    `tail_start` is the first token after the last statement: the question and the answer's opening.
    """

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int] | None, ...]
    tail_start: int


def build_prompt(
    generator: Generator,
    template: Template,
    question: str,
    statements: Sequence[str],
    settings: Sequence[str] = (),
    *,
    max_new_tokens: int,
) -> Prompt:
    """Statements come best first; they are placed best last, next to the question.

    `settings` are the lines of their settings, '' for none; they are in no statement's span.
    Those that do not fit the window beside `max_new_tokens` are left out, the worst first.
    BadInput: not even the question fits.
    """
    template = in_chat(generator, template)
    opening = [*generator.opening, *generator.encode_template(template.before)]
    if generator.opening and opening[1:2] == list(generator.opening):
        opening = opening[1:]  # A chat template brings its own beginning of sequence.
    tail = _tail(generator, template.after, question)
    between = generator.encode_template(template.between)
    blocks = [generator.encode(text) for text in statements]
    leads = [_lead(generator, template, setting) for setting in settings or [""] * len(blocks)]
    room = generator.window - max_new_tokens - len(opening) - len(tail)
    if room < 0:
        raise BadInput(f"the question does not fit the model's window of {generator.window} tokens")
    lengths = [len(a) + len(b) + len(between) for a, b in zip(leads, blocks, strict=True)]
    kept = _fitting(lengths, room)
    ids, spans = list(opening), dict[int, tuple[int, int]]()
    for number in reversed(kept):
        ids += leads[number]
        spans[number] = (len(ids), len(ids) + len(blocks[number]))
        ids += [*blocks[number], *between]
    found = tuple(spans.get(number) for number in range(len(statements)))
    return Prompt((*ids, *tail), found, len(ids))


def _lead(generator: Generator, template: Template, setting: str) -> list[int]:
    """A setting as it stands before its statement."""
    if not setting:
        return []
    opening, _, closing = template.setting.partition("{setting}")
    return [
        *generator.encode_template(opening),
        *generator.encode(setting),
        *generator.encode_template(closing),
    ]


def _tail(generator: Generator, after: str, question: str) -> list[int]:
    """Our words around the asker's; the space between them goes with the question, as in a text."""
    lead, _, rest = after.partition("{question}")
    words = lead.rstrip(" ")
    asked = lead[len(words) :] + question
    return [
        *generator.encode_template(words),
        *generator.encode(asked),
        *generator.encode_template(rest),
    ]


def _fitting(lengths: Sequence[int], room: int) -> list[int]:
    """The numbers of the blocks that fit, best first; a block too long is passed over."""
    kept: list[int] = []
    for number, length in enumerate(lengths):
        if length <= room:
            kept.append(number)
            room -= length
    return kept


def in_chat(generator: Generator, template: Template) -> Template:
    """The template in the model's own chat turns, where it asks for that and the model has them."""
    if not template.chat or not getattr(generator.tokenizer, "chat_template", None):
        return template
    user = f"{template.before}{_MARK}{template.after}"
    whole = generator.tokenizer.apply_chat_template(
        [{"role": "user", "content": user}], tokenize=False, add_generation_prompt=True
    )
    before, after = str(whole).split(_MARK)
    return replace(template, before=before, after=after)


_MARK = "{statements}"
