"""The errors that a user can meet, as one tree.

    HaozhiError             4
    ├── BooksDiffer         1   the books contradict themselves, so nothing is signed
    ├── UsageError          2   the command or request itself makes no sense
    ├── NotFound            3   no such author, work, statement, answer
    ├── Ambiguous           3   several candidates; they are listed
    ├── AlreadyThere        4   another job is storing the same file right now; its work is named
    ├── BadInput            4   a file, line, text or setting that is missing or cannot be used
    ├── ModelMissing        5   a model is not installed
    ├── IndexMissing        5   the vector index is absent or belongs to another embedder
    ├── StoreBusy           6   another writer holds the database or the index
    ├── StoreReadOnly       6   the database, its folder or an output cannot be written
    ├── StoreFull           6   the disk is full
    └── Cancelled         130   somebody asked for the end of a job, or waits no longer

The message is one line that says what to do. The CLI exits with `exit_code`; the API maps the
class to a status and never shows another exception's text.
"""

from collections.abc import Sequence


class HaozhiError(Exception):
    """An expected failure; `str(error)` is one line for the user."""

    exit_code: int = 4

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class BooksDiffer(HaozhiError):
    exit_code = 1


class UsageError(HaozhiError):
    exit_code = 2


class NotFound(HaozhiError):
    exit_code = 3


class Ambiguous(HaozhiError):
    """Several candidates match; `candidates` are their ids, the message lists the first few."""

    exit_code = 3

    def __init__(self, message: str, candidates: Sequence[str]) -> None:
        listed = ", ".join(candidates[:5]) + (", …" if len(candidates) > 5 else "")
        super().__init__(f"{message}: {listed}")
        self.candidates = tuple(candidates)


class BadInput(HaozhiError):
    exit_code = 4


class AlreadyThere(HaozhiError):
    """`work_id` is the one work that the bytes become."""

    exit_code = 4

    def __init__(self, message: str, work_id: str) -> None:
        super().__init__(message)
        self.work_id = work_id


class ModelMissing(HaozhiError):
    exit_code = 5


class IndexMissing(HaozhiError):
    exit_code = 5


class StoreBusy(HaozhiError):
    exit_code = 6


class StoreReadOnly(HaozhiError):
    exit_code = 6


class StoreFull(HaozhiError):
    exit_code = 6


class Cancelled(HaozhiError):
    exit_code = 130
