"""The one place of an index's writer."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from store.errors import StoreBusy
from store.vectors.generations import expected

LOCK_TIMEOUT_S = 10.0


@contextmanager
def writer_lock(folder: Path) -> Iterator[None]:
    """Hold the index's only writer's place; it is given back also when the process is killed.

    Raises StoreBusy after 10 s, StoreReadOnly when the folder cannot be written.
    """
    with expected(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "writer.lock").open("ab")
    with lock:
        deadline = time.monotonic() + LOCK_TIMEOUT_S
        while not _try_lock(lock.fileno()):
            if time.monotonic() > deadline:
                raise StoreBusy(
                    f"another process is writing the index in {folder}: try again when it is done"
                )
            time.sleep(0.05)
        yield


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
