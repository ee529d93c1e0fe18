"""Times as they are shown: microseconds inside, milliseconds in JSON, UTC for people."""

from datetime import UTC, datetime


def whole_ms(us: int | None) -> int | None:
    """A time in whole milliseconds, rounded down; None stays unknown."""
    return None if us is None else us // 1000


def utc_text(us: int) -> str:
    """To the second, in UTC, so that every reader sees the same: 2026-01-31 08:00:00."""
    return datetime.fromtimestamp(us // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")
