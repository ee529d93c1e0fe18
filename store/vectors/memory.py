"""Memory while an index grows: what a list outgrows goes back to the system at once."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h
_SMALL, _USUAL = 1 << 16, 1 << 25


@contextmanager
def growing() -> Iterator[None]:
    """Let glibc map the blocks of lists one by one, and as usual afterwards; nothing elsewhere.

    In its heap the blocks that lists have outgrown are holes: an index of a million vectors would
    take 1.4 times its size, and 2.8 beside the one that it replaces.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        yield
        return
    mallopt(_MMAP_THRESHOLD, _SMALL)
    try:
        yield
    finally:
        # Left to itself glibc ends up here in a process that uses large arrays.
        mallopt(_MMAP_THRESHOLD, _USUAL)
        mallopt(_TRIM_THRESHOLD, 2 * _USUAL)
