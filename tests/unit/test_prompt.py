"""The prompt: where each statement's tokens stand, and what is left out when there is no room."""

from dataclasses import replace

import pytest

from haozhi.answering.prompt import Prompt, build_prompt
from haozhi.language import Language
from haozhi.models.generator import Generator
from haozhi.prompts import Template, load_template
from haozhi.questions import Kind
from store.errors import BadInput
from tests.tiny import tiny

TEMPLATE = Template(
    before="Sources:\n",
    between="\n",
    setting="({setting}) ",
    after="Question: {question}\nAnswer:",
    ends="\n",
    quote=" ",
    stop=".",
    join=" ",
    conclude="",
    ways=("free",),
    chat=False,
)
STATEMENTS = ("1 + 1 = 2", "我的猫叫团子", "the sea is deep")
QUESTION = "1 + 1 = ?"


@pytest.fixture(scope="module")
def generator() -> Generator:
    """One token per character, after one that opens every prompt."""
    return tiny("llama")


def _prompt(generator: Generator, window: int = 512, **changes: object) -> Prompt:
    given = {"question": QUESTION, "statements": STATEMENTS, "template": TEMPLATE} | changes
    small = replace(generator, window=window)
    return build_prompt(small, max_new_tokens=10, **given)  # type: ignore[arg-type]  # by name


def test_spans_are_the_tokens_of_the_statements(generator: Generator) -> None:
    """Each span reads as its statement, the nearest one stands last, the tail is the question."""
    prompt = _prompt(generator)
    spans = [span for span in prompt.spans if span]
    assert tuple(generator.decode(prompt.ids[start:end]) for start, end in spans) == STATEMENTS
    assert spans == sorted(spans, reverse=True)
    tail = generator.decode(prompt.ids[prompt.tail_start :])
    assert tail == TEMPLATE.after.replace("{question}", QUESTION)
    assert prompt.ids[:1] == generator.opening
    assert generator.decode(prompt.ids).startswith(TEMPLATE.before)


def test_a_setting_stands_before_its_statement_and_is_in_no_span(generator: Generator) -> None:
    """It is shown in its form, counts as room, and its braces are text."""
    settings = ("", "猫 {setting}", "")
    prompt = _prompt(generator, settings=settings)
    spans = [span for span in prompt.spans if span]
    assert tuple(generator.decode(prompt.ids[start:end]) for start, end in spans) == STATEMENTS
    assert "\n(猫 {setting}) 我的猫叫团子\n" in generator.decode(prompt.ids)
    assert len(prompt.ids) == len(_prompt(generator).ids) + len("(猫 {setting}) ")


def test_what_does_not_fit_is_recorded(generator: Generator) -> None:
    """The worst ones are left out first, and a short one may fit where a longer one does not."""
    room = len(_prompt(generator, statements=()).ids) + 10
    everything = sum(len(text) + 1 for text in STATEMENTS)
    assert None not in _prompt(generator, room + everything).spans
    assert _prompt(generator, room + everything - 1).spans[2] is None
    short = _prompt(generator, room + 7)
    assert [span is not None for span in short.spans] == [False, True, False]
    nothing = _prompt(generator, room)
    assert nothing.spans == (None, None, None)
    assert nothing.tail_start < len(nothing.ids)


def test_a_question_longer_than_the_window_is_bad_input(generator: Generator) -> None:
    """Not even the question fits beside the answer to come: that is said, with the window."""
    with pytest.raises(BadInput, match="does not fit the model's window of 40 tokens"):
        _prompt(generator, 40, question=QUESTION * 5)


def test_braces_in_statements_and_questions_are_text(generator: Generator) -> None:
    """`{question}` in a statement or a question is what somebody wrote, no place to fill."""
    prompt = _prompt(generator, statements=("{question}",), question="{question} {0}")
    text = generator.decode(prompt.ids)
    assert "\n{question}\nQuestion: {question} {0}\n" in text


@pytest.mark.parametrize("model", ["builtin:gemma3-270m", "builtin:smollm2-135m", "other/model"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", ["sum", "fact"])
def test_every_model_has_a_prompt_in_both_languages(
    model: str, language: Language, kind: Kind
) -> None:
    """Each prompt has a place for the question, a way of answering, and its own fingerprint."""
    template = load_template(model, language, kind)
    assert template.after.count("{question}") == 1
    assert template.ways
    assert set(template.ways) <= {"free", "quote"}
    assert template.fingerprint == load_template(model, language, kind).fingerprint
    assert template.fingerprint != replace(template, before="").fingerprint
