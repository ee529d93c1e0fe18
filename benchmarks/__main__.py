"""Run one benchmark and print its figures as one JSON line."""

import importlib
import json
import sys

NAMES = ("posting", "report", "check", "readers")


def main() -> None:
    """`python -m benchmarks NAME [COUNT]`."""
    if not sys.argv[1:] or sys.argv[1] not in NAMES:
        sys.exit(f"usage: python -m benchmarks {{{','.join(NAMES)}}} [COUNT]")
    module = importlib.import_module(f"benchmarks.{sys.argv[1]}")
    print(json.dumps(module.measure(*map(int, sys.argv[2:]))))  # noqa: T201


if __name__ == "__main__":
    main()
