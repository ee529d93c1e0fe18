"""Foreign libraries run in a process of their own, with limits on time and memory.

A thread cannot be ended and a crash of a C library ends its process; so files that only such a
library can read are read elsewhere. One process reads many files one after another.
"""

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from ingest.documents import Document
from store.errors import BadInput

STEP_S = 60.0
"""Longest time that reading may take without a sign of progress."""

TOTAL_S = 1800.0
"""Longest time that reading one file may take."""

MEMORY_BYTES = 4 * 1024**3
"""Most address space of the process that reads."""

_FILES_PER_PROCESS = 200  # what leaks, does not leak for ever


def guarded(request: tuple[Any, ...], step: Callable[[], None]) -> Document:
    """What `ingest.readers.parse` makes of the request; `step` is told of progress.

    Raises BadInput as it does, and when the process had to be ended or ended itself.
    """
    reader = _idle.pop() if _idle else _Process()
    try:
        document = reader.read(request, step)
    except BaseException:
        reader.end()
        raise
    if reader.files < _FILES_PER_PROCESS:
        _idle.append(reader)
    else:
        reader.end()
    if isinstance(document, BadInput):
        raise document
    return document


class _Process:
    """A process that reads one file at a time."""

    def __init__(self) -> None:
        self.files = 0
        self._is_late = False
        path = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ingest.guarded_reader", str(MEMORY_BYTES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout

    def read(self, request: tuple[Any, ...], step: Callable[[], None]) -> Document | BadInput:
        self.files += 1
        latest = time.monotonic() + TOTAL_S
        try:
            pickle.dump(request, self._requests)
            self._requests.flush()
            while (answer := self._answer(latest)) is None:
                step()
        except (EOFError, OSError, pickle.UnpicklingError):
            raise BadInput(self._why()) from None
        return answer

    def end(self) -> None:
        """End the process and wait until it has ended."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._requests, self._answers):
            try:
                pipe.close()
            except OSError:  # what it had not taken yet
                continue

    def _answer(self, latest: float) -> Document | BadInput | None:
        """The next answer, None for a sign of progress; a late process is ended."""
        timer = threading.Timer(max(0.0, min(STEP_S, latest - time.monotonic())), self._end_late)
        timer.start()
        try:
            answer: Document | BadInput | None = pickle.load(self._answers)
            return answer
        finally:
            timer.cancel()

    def _end_late(self) -> None:
        self._is_late = True
        self._process.kill()

    def _why(self) -> str:
        if self._is_late:
            return (
                f"reading it takes longer than {STEP_S:.0f} s a page: it is damaged or too complex"
            )
        return "its reader crashed or ran out of memory: it is damaged or too large"


_idle: list[_Process] = []


@atexit.register
def _end_all() -> None:
    while _idle:
        _idle.pop().end()
