"""The one place that reads the wall clock."""

import time


def now_us() -> int:
    """Microseconds since 1970-01-01T00:00Z."""
    return time.time_ns() // 1000
