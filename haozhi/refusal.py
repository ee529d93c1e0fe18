"""When a question is not answered at all: nothing near enough was found."""

from collections.abc import Sequence

from haozhi.retrieve import Retrieved


def refusal_of(question: str, found: Sequence[Retrieved]) -> str | None:
    """Why the question is refused before anything is generated, None when it is not."""
    return None if found else "nothing_found"
