"""The memory of this process that is its own: without the pages of files."""

import ctypes
import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep


def resident() -> int:
    """Bytes of this process in memory, without the pages of files."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no RssAnon in /proc/self/status")


def settled() -> int:
    """The same after what is not needed was given back."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return resident()


@contextmanager
def peak_of() -> Iterator[list[int]]:
    """The most that was resident meanwhile, looked at every 5 ms."""
    most, stop = [resident()], threading.Event()

    def watch() -> None:
        while not stop.is_set():
            most[0] = max(most[0], resident())
            sleep(0.005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield most
    stop.set()
    watcher.join()
