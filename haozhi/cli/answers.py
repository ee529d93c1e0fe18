"""`haozhi answers`: look at stored answers and compute them again."""

from typing import Annotated, Literal

import typer

from haozhi.cli.ask import show_answer
from haozhi.cli.opened import opened, reading
from haozhi.cli.options import AnswerArgument
from haozhi.cli.output import JsonOption, show, working

commands = typer.Typer(no_args_is_help=True, help="Look at stored answers, replay them.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="answers")


@commands.command("list")
def list_(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 20,
    before: Annotated[
        str | None, typer.Option(metavar="ID", help="Only answers older than this one.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the newest answers."""
    from store.answers import list_answers

    with reading() as session:
        found = [
            {
                "id": answer.id,
                "kind": answer.kind,
                "state": answer.state,
                "question": answer.question,
                "created_ms": answer.created_us // 1000,
            }
            for answer in list_answers(session, limit, before)
        ]
    lines = (f"{row['id']}  {row['kind']:3}  {row['state']:8}  {row['question']}" for row in found)
    show({"answers": found}, lines, as_json=as_json)


@commands.command("show")
def show_(answer_id: AnswerArgument, as_json: JsonOption = False) -> None:
    """Print a stored answer as `haozhi ask` printed it."""

    show_answer(opened(), answer_id, as_json=as_json)


@commands.command()
def cite(
    answer_id: AnswerArgument,
    style: Annotated[
        Literal["csl", "bibtex", "gbt7714"],
        typer.Option("--format", help="CSL-JSON, BibTeX or GB/T 7714."),
    ] = "gbt7714",
    as_json: JsonOption = False,
) -> None:
    """Print a stored answer and the works that it cites as references."""
    from haozhi.citing import citations_text

    with reading() as session:
        text = citations_text(session, answer_id, style)
    show({"format": style, "text": text}, [text.rstrip("\n")], as_json=as_json)


@commands.command()
def why(answer_id: AnswerArgument, as_json: JsonOption = False) -> None:
    """Say why an answer is as it is: what was measured, decided and spent, in both tiers."""
    from haozhi.answer_view import answer_view
    from haozhi.cli.why_text import why_lines
    from haozhi.why_view import why_view

    with reading() as session:
        view, found = answer_view(session, answer_id), why_view(session, answer_id)
    show(found, why_lines(view, found), as_json=as_json)


@commands.command()
def replay(answer_id: AnswerArgument, as_json: JsonOption = False) -> None:
    """Attribute a stored answer again from its tokens; exit 1 if anything differs."""
    from haozhi.replay import replay as replay_answer

    app = opened()
    with working("attributing again"):
        done = replay_answer(app, answer_id)
    result = {
        "answer_id": done.answer_id,
        "state": done.state,
        "differences": list(done.differences),
    }
    show(result, [_STATES[done.state], *done.differences], as_json=as_json)
    if done.state == "differs":
        raise typer.Exit(1)


_STATES = {
    "same": "text, shares and postings are the same",
    "differs": "not the same:",
    "not_replayable": "cannot be computed again here:",
}
