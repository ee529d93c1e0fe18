"""Run one benchmark, print its figures as one JSON line; exit 1 where a promise is broken."""

import importlib
import json
import sys

NAMES = ("posting", "report", "check", "readers", "index", "ingest")


def main() -> None:
    """`python -m benchmarks NAME [COUNT]`; `ingest COUNT EMBEDDER` takes another embedder."""
    if not sys.argv[1:] or sys.argv[1] not in NAMES:
        sys.exit(f"usage: python -m benchmarks {{{','.join(NAMES)}}} [COUNT]")
    module = importlib.import_module(f"benchmarks.{sys.argv[1]}")
    figures = module.measure(*map(int, sys.argv[2:3]), *sys.argv[3:])
    print(json.dumps(figures))  # noqa: T201
    most = getattr(module, "MOST_RATIO", None)
    if figures.get("wrong"):
        sys.exit(f"{len(figures['wrong'])} hits were not what their rows say")
    if most is not None and figures.get("ratio", 0) > most:
        sys.exit(f"the ratio is {figures['ratio']}, more than {most}")


if __name__ == "__main__":
    main()
