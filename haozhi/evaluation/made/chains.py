"""Cases in which two or three statements answer only together."""

from typing import Any

from haozhi.evaluation.made.case import MadeCase
from haozhi.evaluation.made.facts import bystanders, mixed
from haozhi.evaluation.made.words import Draw

#: Statements of a kind's chain.
STEPS = {"pair": 2, "three_hop": 3}


def chain(kind: str, draw: Draw, turn: int) -> MadeCase:
    """A chain, a second one of the same relations about others, and a bystander."""
    chains = [each for each in draw.lists["chains"] if len(each["steps"]) == STEPS[kind]]
    row = chains[turn % len(chains)]
    slots, others = _filled(draw, row), _filled(draw, row)
    said = [step.format(**slots) for step in row["steps"]]
    beside = [step.format(**others) for step in row["steps"]]
    form = "derived" if turn % 2 else "short"
    sayings, proofs = mixed(draw, said, [*beside, *bystanders(draw, 1)], [set(range(len(said)))])
    answer = row[form].format(**slots)
    asked = row["asks"].format(**slots)
    return MadeCase("", kind, draw.language, asked, sayings, answer, proofs)


def _filled(draw: Draw, row: dict[str, Any]) -> dict[str, str]:
    return {slot: draw.of(kind) for slot, kind in row["slots"].items()}
