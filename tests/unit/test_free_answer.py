"""What the model says by itself, as an answer: one line, without its own citations."""

import pytest

from haozhi.answering.candidates import free_answer
from haozhi.answering.prompt import Prompt
from haozhi.models.generation import Sampling
from haozhi.prompts import load_template
from tests.tiny import END, parrot, tiny

TEMPLATE = load_template("builtin:gemma3-270m", "en", "fact")
PROMPT = Prompt((1, 5, 6), (), 2)


def _answers(said: str, most: int = 40) -> list[str]:
    """The texts that come of what the model says; their tokens are those of the text."""
    tokens = tiny("llama")
    found = free_answer(
        parrot([*tokens.encode(said), END]),
        PROMPT,
        TEMPLATE,
        max_new_tokens=most,
        sampling=Sampling(),
        cancelled=lambda: False,
    )
    texts = []
    for candidate in found:
        texts.append(tokens.decode(candidate.ids))
        assert candidate.way == "free"
        assert list(candidate.ids) == tokens.encode(texts[-1])
    return texts


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (" It is 3.", " It is 3."),
        (" It is 3.\nQuestion: 2 + 2 = ?", " It is 3."),
        ("\n It is 3.\n", " It is 3."),
        (" It is 3 [2].", " It is 3."),
        (" It is 3.[12] 2 + 1 = 3 [1, 3].", " It is 3. 2 + 1 = 3."),
        (" It is 3. [2]\n", " It is 3."),
        (" It [sic] is (3) [].", " It [sic] is (3) []."),
    ],
)
def test_an_answer_is_one_line_without_citations(said: str, answer: str) -> None:
    """It ends with its line; a citation by the model is no part of it, so no wrong one counts."""
    assert _answers(said) == [answer]


@pytest.mark.parametrize("said", ["", " ", " [3]", "\n\n"])
def test_nothing_said_is_no_answer(said: str) -> None:
    """White space or a lone citation is no candidate."""
    assert _answers(said) == []


def test_an_answer_that_is_too_long_is_cut() -> None:
    """At most so many tokens are generated."""
    assert _answers(" It is three.", most=6) == [" It is"]
