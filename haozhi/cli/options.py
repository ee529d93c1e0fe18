"""Options and arguments that many commands take."""

from pathlib import Path
from typing import Annotated

import typer

ByOption = Annotated[str, typer.Option("--by", metavar="NAME", help="The admin who does this.")]
AnswerArgument = Annotated[str, typer.Argument(metavar="ANSWER", help="An answer's id.")]
AuthorArgument = Annotated[str, typer.Argument(metavar="AUTHOR", help="An author's id or name.")]
HolderArgument = Annotated[
    str, typer.Argument(metavar="HOLDER", help="A rights holder's or author's id or name.")
]


def given_path(text: str) -> Path:
    """A path as given; an empty one would be the current folder, which `"$UNSET"` never meant."""
    if not text:
        raise typer.BadParameter("a path is empty")
    return Path(text)
