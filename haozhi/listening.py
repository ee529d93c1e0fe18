"""Who hears how an answer comes about, while it does: its evidence, its words, its first shares."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haozhi.preparing import Prepared


class Listener:
    """Hears nothing; what one that does hear is told, it is told in the thread that answers.

    `answer_id` is the id that the answer is to have, None: any. A listener that raises ends the
    answering.
    """

    answer_id: str | None = None

    def prepared(self, prepared: "Prepared") -> None:
        """The context was retrieved and fitted into the prompt."""

    def says(self, text: str) -> None:
        """All that the model says so far; a text that does not go on from the last starts again.

        What it says is a draft: another candidate may be chosen, or none.
        """

    def stored(self, answer_id: str) -> None:
        """The answer is stored with its provisional shares."""


SILENT = Listener()
