"""Options and arguments that many commands take."""

from typing import Annotated

import typer

ByOption = Annotated[str, typer.Option("--by", metavar="NAME", help="The admin who does this.")]
HolderArgument = Annotated[
    str, typer.Argument(metavar="HOLDER", help="A rights holder's or author's id or name.")
]
