"""`haozhi ask` and `haozhi who`: a question answered, a claim attributed."""

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from haozhi.cli.output import JsonOption, show, working

if TYPE_CHECKING:
    from haozhi.app import App

LanguageOption = Annotated[
    Literal["zh", "en"] | None, typer.Option(help="Of the answer; default: of the question.")
]
#: What is read of stdin at most, in bytes; more than any question may have.
MOST_BYTES = 1_000_000


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(ask)
    app.command()(who)


def ask(
    question: Annotated[str, typer.Argument(help="The question; - reads it from stdin.")],
    language: LanguageOption = None,
    top_k: Annotated[
        int | None, typer.Option(help="How many statements to answer from, 1 to 64.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**53 - 1, help="For temperatures above 0.")
    ] = None,
    temperature: Annotated[float, typer.Option(help="0 (greedy) to 5.")] = 0.0,
    top_p: Annotated[float, typer.Option(help="Above 0, at most 1.")] = 1.0,
    share_question: Annotated[
        bool, typer.Option(help="Let the authors who are paid read the question.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Answer a question, cite its authors, book their shares."""
    from haozhi.app import open_app
    from haozhi.ask import AskOptions
    from haozhi.ask import ask as answer_question
    from haozhi.settings import load_settings

    options = AskOptions(language, top_k, seed, temperature, top_p, share_question=share_question)
    text = given(question)
    settings = load_settings()
    app = open_app(settings)
    with working("answering"):
        answer_id = answer_question(app, text, options, asker_id=settings.asker)
    show_answer(app, answer_id, as_json=as_json)


def who(
    claim: Annotated[str, typer.Argument(help="The claim; - reads it from stdin.")],
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say who stated a claim, or from whom it follows."""
    from haozhi.app import open_app
    from haozhi.settings import load_settings
    from haozhi.who import who as attribute_claim

    text = given(claim)
    settings = load_settings()
    app = open_app(settings)
    with working("looking for its authors"):
        answer_id = attribute_claim(app, text, language=language, asker_id=settings.asker)
    show_answer(app, answer_id, as_json=as_json)


def given(text: str) -> str:
    """The text itself, or what stdin holds for `-`. BadInput: that is not UTF-8."""
    from store.errors import BadInput

    if text != "-":
        return text
    try:
        return sys.stdin.buffer.read(MOST_BYTES).decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise BadInput(f"stdin is not UTF-8 text: {error}") from None


def show_answer(app: "App", answer_id: str, *, as_json: bool) -> None:
    """Print a stored answer."""
    from haozhi.answered import answered
    from haozhi.cli.answer_text import answer_lines

    view = answered(app, answer_id)
    show(view, answer_lines(view), as_json=as_json)
