"""Measures methods on items, row by row; what is on file already is not measured again."""

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice

from haozhi.evaluation.attribution.items import Item, spread
from haozhi.evaluation.attribution.methods import METHODS
from haozhi.evaluation.attribution.posing import Cuts, Posed, answer_again, pose
from haozhi.evaluation.attribution.rows import Row, Rows
from haozhi.models.generator import Generator
from ingest.ports import Embedder
from store.errors import UsageError

Say = Callable[[str], None]
Measured = Mapping[str, Mapping[str, Row]]
"""Method -> the key of a posed item -> its row."""


def check_methods(names: Collection[str]) -> None:
    """UsageError: one of the names is no method."""
    unknown = sorted(set(names) - METHODS.keys())
    if unknown:
        raise UsageError(f"no method {unknown[0]}: there are {', '.join(METHODS)}")


def pose_items(
    generator: Generator,
    embedder: Embedder,
    items: Iterable[Item],
    count: int,
    cuts: Cuts,
    say: Say,
) -> list[Posed]:
    """The first `count` items of the spread that can be posed."""
    found: list[Posed] = []
    for item in spread(items):
        if len(found) == count:
            break
        posed = pose(generator, embedder, item, cuts)
        if posed is None:
            say(f"left out: {item.id} (its question is too long, or the model says nothing)")
        else:
            found.append(posed)
            say(f"{len(found)}/{count} {item.id}: {item.question} -> {posed.text}")
    return found


def measure(
    generator: Generator,
    posed: list[Posed],
    rows: Rows,
    *,
    most: Mapping[str, int],
    only: Collection[str] = (),
    again: Collection[str] = (),
    say: Say,
) -> Measured:
    """The rows of every method, `most[name]` items of it; new ones are measured and kept.

    `only` these methods are measured, where it names any; those of `again` even if they were.
    """
    measured: dict[str, dict[str, Row]] = {}
    for name, method in METHODS.items():
        measured[name] = {}
        for number, each in enumerate(islice(posed, most.get(name)), start=1):
            found = rows.find((each.key, name, generator.fingerprint, method.version))
            wanted = not only or name in only or name in again
            if wanted and (found is None or name in again):
                found = _measured(generator, each, name, rows)
                told = f"{found.cpu_s:.1f} s" if found else "says nothing with this model"
                say(f"{name} {number}/{len(posed)} {each.item.id}: {told}")
            if found:
                measured[name][each.key] = found
    return measured


def _measured(generator: Generator, posed: Posed, name: str, rows: Rows) -> Row | None:
    """The method's row, kept like those of other methods that it found on its way."""
    answer = answer_again(generator, posed)
    found = METHODS[name].run(generator, posed)
    if found is None:
        return None
    for method, each in {**found.besides, name: found}.items():
        row = Row(
            posed=posed.key,
            method=method,
            model=generator.fingerprint,
            version=METHODS[method].version,
            influence=each.influence,
            cpu_s=each.spent.cpu_s,
            wall_s=each.spent.wall_s,
            answer_cpu_s=answer.cpu_s,
            answer_wall_s=answer.wall_s,
            values=each.values,
            detail=each.detail,
        )
        rows.add(row)
    return row
