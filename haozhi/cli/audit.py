"""`haozhi audit`: compute an answer's shares again, here, and say how far they differ."""

import typer

from haozhi.cli.opened import opened
from haozhi.cli.options import AnswerArgument
from haozhi.cli.output import JsonOption, show, working


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(audit)


def audit(
    answer_id: AnswerArgument,
    as_json: JsonOption = False,
) -> None:
    """Compute an answer's shares again from its stored tokens; exit 1 if a share differs."""
    from haozhi.auditing import audit as audit_answer

    app = opened()
    with working("attributing again"):
        found = audit_answer(app, answer_id)
    words = {
        "same": "every share is the same",
        "differs": f"the largest difference of a share is {found.largest_ppb} ppb",
        "not_replayable": f"cannot be computed again here: {found.reason}",
    }
    lines = (
        words[found.state],
        f"given by {found.answer_fingerprint or 'an unknown model'}",
        f"computed by {found.model_fingerprint or 'no model'}",
    )
    show(dict(vars(found)), lines, as_json=as_json)
    if found.state == "differs":
        raise typer.Exit(1)
