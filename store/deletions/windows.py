"""Where texts may begin in others: hashes of a few code points, millions at a time."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.uint32]
"""The code points of a text [n]."""

WINDOWS = (16, 8, 4)
"""Code points by which a text is looked up: the most that it has."""

_BITS = 20
_FACTORS = (0x01000193, 0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35)
_BLOCK = 1 << 16
"""Code points that are looked at together: their hashes stay in the processor's cache."""


def window_of(text: str) -> int:
    """By how many code points a text is looked up; it has four or more."""
    return next(window for window in WINDOWS if len(text) >= window)


class Beginnings:
    """The beginnings of texts, each as long as `window_of` says."""

    def __init__(self, beginnings: Iterable[str]) -> None:
        every = list(beginnings)
        self._known: dict[int, tuple[NDArray[np.bool_], NDArray[np.uint32]]] = {}
        for window in set(map(len, every)):
            joined = points("".join(each for each in every if len(each) == window))
            known = np.unique(dict(_hashes(joined))[window][::window])
            table = np.zeros(1 << _BITS, dtype=np.bool_)
            table[_short(known)] = True
            self._known[window] = table, known

    def places(self, text: Points) -> NDArray[np.int64]:
        """Where one of them may begin in a text, ascending: everywhere it does, and seldom else."""
        found = [np.empty(0, dtype=np.int64)]
        for first in range(0, len(text), _BLOCK):
            for window, hashes in _hashes(text[first : first + _BLOCK + WINDOWS[0] - 1]):
                if window in self._known:
                    table, known = self._known[window]
                    places = np.flatnonzero(table.take(_short(hashes)))
                    nearest = np.searchsorted(known[:-1], hashes[places])
                    found.append(first + places[known[nearest] == hashes[places]])
        return np.unique(np.concatenate(found))

    def among(self, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The same for many texts: the number of the text, and the place in it."""
        ends = np.cumsum([0, *map(len, texts)])
        places = self.places(points("".join(texts)))
        numbers = np.searchsorted(ends, places, "right") - 1
        yield from zip(numbers.tolist(), (places - ends[numbers]).tolist(), strict=True)


def points(text: str) -> Points:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _hashes(text: Points) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """For every window the hashes of the parts of this length, by where they begin.

    That of twice as many code points is made of two of half as many.
    """
    found, half = text, 1
    for factor in _FACTORS:
        if len(found) <= half:
            return
        found = found[:-half] * np.uint32(factor) + found[half:]
        half *= 2
        if half in WINDOWS:
            yield half, found


def _short(hashes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return (hashes * np.uint32(_FACTORS[1])) >> np.uint32(32 - _BITS)
