"""The process that `ingest.guard` starts: requests come in on stdin, answers go out on stdout."""

import logging
import os
import pickle
import sys
from functools import partial
from typing import BinaryIO

from ingest.readers import parse
from store.errors import BadInput


def main(memory_bytes: int) -> None:
    """Answer until stdin closes: None for progress, then a Document or a BadInput."""
    _limit_memory(memory_bytes)
    logging.disable()
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # libraries may print
        while True:
            try:
                media_type, path, data, columns = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            try:
                step = partial(_answer, answers, None)
                _answer(answers, parse(media_type, path, data, columns, step))
            except BadInput as error:
                _answer(answers, BadInput(str(error)))


def _answer(answers: BinaryIO, answer: object) -> None:
    pickle.dump(answer, answers)
    answers.flush()


def _limit_memory(limit: int) -> None:
    """A limit where the system has one; macOS and Windows have none that holds."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, ValueError, OSError):
        return


if __name__ == "__main__":
    main(int(sys.argv[1]))
