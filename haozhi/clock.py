"""Measures how long the steps of one answer take."""

from time import perf_counter


class Stopwatch:
    """Whole milliseconds per named lap, from one lap to the next."""

    def __init__(self) -> None:
        """Starts at once."""
        self.laps_ms: dict[str, int] = {}
        self._last = perf_counter()

    def lap(self, name: str) -> None:
        """The time since the last lap was spent on `name`."""
        now = perf_counter()
        self.laps_ms[name] = self.laps_ms.get(name, 0) + round((now - self._last) * 1000)
        self._last = now
