"""Run as `python -m tests.paying_at_once URL`: create a batch in EUR and print its id."""

import sys

from haozhi.paying import create_batch
from store.clock import now_us
from store.engine import make_engine


def main(url: str) -> str:
    """The new batch's id, or `nothing`."""
    batch = create_batch(make_engine(url), "EUR", by="A", now_us=now_us()).batch
    return batch.id if batch else "nothing"


if __name__ == "__main__":
    print(main(sys.argv[1]))  # noqa: T201
