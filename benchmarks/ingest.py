"""What ingesting short statements costs beside embedding the same texts bare, in one run.

A file of some hundred statements is ingested with all that belongs to it (reading, planning, rows,
words, clusters, vectors, the job), then its texts are embedded bare, with one thread and with two;
then the next file, so that a slow moment of the machine hits all three.
"""

import random
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from haozhi.models.embedders import load_embedder
from haozhi.settings import load_settings
from ingest.pipeline import ingest
from store.database import upgrade
from store.engine import make_engine

#: What ingesting may cost beside the bare embedding; the command fails above it. With a fast
#: embedder it is the larger part, and how long MILLIONS take is what counts.
MOST_RATIO = 1.15
MILLIONS = 2
_DEFAULT = "builtin:e5-small"
_FILE = 500
"""Most statements of a file."""

_WHO = ("Ada", "Ben", "Cleo", "Dan", "周敏", "王芳", "李雷", "韩梅")
_WHAT = (
    "the red house",
    "an old clock",
    "the last train",
    "a small boat",
    "旧钟",
    "图书馆",
    "茶园",
)


def measure(statements: int = 4_000, name: str = _DEFAULT) -> dict[str, Any]:
    """Ingest this many statements with an embedder, and embed the same texts bare."""
    embedder = load_embedder(load_settings(threads=1, embedder=name))
    faster = load_embedder(load_settings(threads=2, embedder=name))
    steps = {"ingest": _Time(), "bare": _Time(), "two": _Time()}
    texts = _texts(statements)
    with tempfile.TemporaryDirectory() as folder:
        engine = make_engine(f"sqlite:///{folder}/haozhi.db")
        upgrade(engine)
        for start in range(0, statements, _FILE):
            said = texts[start : start + _FILE]
            path = Path(folder, f"{start}.txt")
            path.write_text("\n".join(said), encoding="utf-8")
            with steps["ingest"]:
                report = ingest([path], engine=engine, embedder=embedder)
            assert report.statements == len(said), report
            with steps["bare"]:
                embedder.passages(said)
            with steps["two"]:
                faster.passages(said)
        engine.dispose()
    done, bare = steps["ingest"], steps["bare"]
    figures = {
        "embedder": name,
        "statements": statements,
        "ingest_per_s": round(statements / done.wall_s, 1),
        "bare_per_s": round(statements / bare.wall_s, 1),
        "two_threads_ratio": round(bare.wall_s / steps["two"].wall_s, 2),
        "cpu_ratio": round(done.cpu_s / bare.cpu_s, 3),
        # Linear: that is right as long as a statement costs the same in a large store.
        f"hours_for_{MILLIONS}_million": round(MILLIONS * 1e6 * done.wall_s / statements / 3600, 1),
        "cpu_hours": round(MILLIONS * 1e6 * done.cpu_s / statements / 3600, 1),
    }
    return figures | ({"ratio": round(done.wall_s / bare.wall_s, 3)} if name == _DEFAULT else {})


class _Time:
    """Adds up the seconds that its blocks take, on the wall and of the processor."""

    def __init__(self) -> None:
        self.wall_s = self.cpu_s = 0.0

    def __enter__(self) -> None:
        self._began = perf_counter(), process_time()

    def __exit__(self, *_: object) -> None:
        wall, cpu = self._began
        self.wall_s += perf_counter() - wall
        self.cpu_s += process_time() - cpu


def _texts(count: int) -> list[str]:
    """Distinct short sentences, every other one in Chinese."""
    rng = random.Random(5)

    def text(number: int) -> str:
        who, what, year = rng.choice(_WHO), rng.choice(_WHAT), rng.randrange(1900, 2030)
        if number % 2:
            return f"{who} saw {what} {number} times in {year}."
        return f"{who}在{year}年第{number}次看到{what}。"

    return [text(number) for number in range(count)]
