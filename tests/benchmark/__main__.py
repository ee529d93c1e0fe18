"""`python -m tests.benchmark`: who is paid what on made cases, against what is owed."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

from haozhi.evaluation.made import KINDS, MadeCase, make_cases
from haozhi.evaluation.made.posing import load_parts
from haozhi.evaluation.made.scoring import Figures, Paid, Score, figures
from haozhi.settings import load_settings
from tests.benchmark.runners import RUNNERS

SUPPORT_PART = 0.5
COLUMNS = ("misdirected", "withheld", "withheld_of_whole", "needed", "silent")


def main() -> None:
    """Run the chosen runners on the chosen cases; progress on stderr, the result on stdout."""
    chosen = _arguments()
    cases = make_cases(chosen.half, each=chosen.each, seed=chosen.seed, kinds=chosen.kind or KINDS)
    kept = _kept(chosen.rows)
    parts = load_parts(load_settings())
    scores: dict[str, list[Score]] = {}
    for name in chosen.runner or ["ours"]:
        for number, made in enumerate(cases, start=1):
            if (name, made.id) not in kept:
                kept[name, made.id] = RUNNERS[name](parts, made)
                _keep(chosen.rows, name, made, kept[name, made.id])
            score = Score(made, kept[name, made.id], SUPPORT_PART)
            scores.setdefault(name, []).append(score)
            print(f"{name} {number}/{len(cases)} {_line(score)}", file=sys.stderr)  # noqa: T201
    found = {name: grouped(each) for name, each in scores.items()}
    for line in [_json(chosen, cases, found)] if chosen.json else _table(found):
        print(line)  # noqa: T201


def grouped(scores: Sequence[Score]) -> dict[str, Figures]:
    """Figures by kind, by language, and of all."""
    names = dict.fromkeys([*(score.made.kind for score in scores), "zh", "en", "all"])
    groups = {
        name: [s for s in scores if name in (s.made.kind, s.made.language, "all")] for name in names
    }
    return {name: figures(group) for name, group in groups.items() if group}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmark", description=__doc__)
    parser.add_argument("--runner", action="append", choices=RUNNERS)
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--half", default="development", choices=("development", "held_out"))
    parser.add_argument("--each", type=int, default=6, help="cases per kind and language")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=Path, help="go on from this file, and write to it")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    return parser.parse_args()


def _kept(rows: Path | None) -> dict[tuple[str, str], Paid]:
    """What an earlier run found, by runner and case."""
    if rows is None or not rows.exists():
        return {}
    lines = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    return {(row["runner"], row["case"]): Paid(**row["paid"]) for row in lines}


def _keep(rows: Path | None, runner: str, made: MadeCase, paid: Paid) -> None:
    if rows is not None:
        row = {
            "runner": runner,
            "case": made.id,
            "paid": vars(paid) | {"authors": dict(paid.authors)},
        }
        with rows.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _line(score: Score) -> str:
    made = score.made
    paid, owed = _parts(score.paid.authors), _parts(made.owed)
    return f"{made.id}: {made.question} -> {made.answer}; paid {paid}; owed {owed}"


def _parts(parts: Mapping[str, float | Fraction]) -> str:
    return ", ".join(f"{n} {100 * float(p):.0f} %" for n, p in parts.items()) or "nobody"


def _json(
    chosen: argparse.Namespace,
    cases: Sequence[MadeCase],
    found: Mapping[str, Mapping[str, Figures]],
) -> str:
    runners = {
        name: {g: asdict(each) for g, each in groups.items()} for name, groups in found.items()
    }
    return json.dumps({"half": chosen.half, "cases": len(cases), "runners": runners})


def _table(found: Mapping[str, Mapping[str, Figures]]) -> Iterator[str]:
    """Per cent of the fee, a block per runner and a row per group."""
    for name, groups in found.items():
        yield f"{name:16}" + "".join(
            f"{title:>19}" for title in ("cases", *COLUMNS, "passes", "CPU s")
        )
        for group, each in groups.items():
            cells = [_per_cent(getattr(each, column)) for column in COLUMNS]
            costs = (f"{each.passes:.1f}", f"{each.cpu_s:.2f}")
            yield f"  {group:14}" + "".join(
                f"{cell:>19}" for cell in (str(each.cases), *cells, *costs)
            )


def _per_cent(part: float | None) -> str:
    return "-" if part is None else f"{100 * part:.1f} %"


if __name__ == "__main__":
    main()
