"""`haozhi calibrate`: learn what the model's attention says of influence."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haozhi.cli.output import JsonOption, counting, say, show

if TYPE_CHECKING:
    from haozhi.calibrating import Learned
    from haozhi.evaluation.attribution.items import Item
    from haozhi.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command()(calibrate)


def calibrate(
    data: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[DATA…]",
            help="Questions with statements, as haozhi eval attribution takes them; "
            "default: the statements of the own corpus.",
        ),
    ] = None,
    made: Annotated[bool, typer.Option(help="Add made facts, Chinese and English.")] = False,
    prompts: Annotated[int, typer.Option(min=8, help="How many are measured.")] = 64,
    masks: Annotated[int, typer.Option(min=8, help="Random coalitions of each.")] = 16,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="What is drawn.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="The file to write; default: in the data folder.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn what the model's attention says of influence, for shares that come with the answer.

    Takes minutes. The file that was there stays until the new one is whole.
    """
    from haozhi.attribution.calibration import calibration_dir, file_name, save_calibration
    from haozhi.calibrating import Recipe, learn
    from haozhi.models.embedders import load_embedder
    from haozhi.models.generator import load_generator
    from haozhi.settings import load_settings

    settings = load_settings()
    generator, embedder = load_generator(settings), load_embedder(settings)
    items = _items(settings, data or [], made, seed)
    source = ", ".join([path.name for path in data or []] + ["made facts"] * made) or "corpus"
    with counting("measuring") as progress:
        found = learn(generator, embedder, items, Recipe(prompts, masks, seed), source, progress)
    path = out or calibration_dir(settings) / file_name(generator.fingerprint)
    save_calibration(found.calibration, path)
    say(f"written: {path}")
    show(_view(found, path), _lines(found), as_json=as_json)


def _items(settings: "Settings", data: Sequence[Path], made: bool, seed: int) -> "Iterator[Item]":
    from haozhi.app import open_app
    from haozhi.calibration_corpus import corpus_items
    from haozhi.evaluation.attribution.items import spread
    from haozhi.evaluation.attribution.sources import load_items
    from haozhi.evaluation.attribution.synthetic import synthetic_items

    if not data and not made:
        return corpus_items(open_app(settings), seed)
    loaded = [item for path in data for item in load_items(path)]
    return spread([*loaded, *(synthetic_items(seed) if made else [])], seed)


def _view(found: "Learned", path: Path) -> dict[str, Any]:
    calibration = found.calibration
    return {
        "path": str(path),
        "model": calibration.model,
        "recipe": dict(calibration.recipe),
        "lds": {
            "same_kinds": dict(found.alike),
            "kinds_left_out": dict(found.apart),
            "without": dict(found.without),
        },
        "used": calibration.is_used,
        "floor_nats": calibration.floor_nats,
        "floor_ppb": calibration.floor_ppb,
    }


def _lines(found: "Learned") -> Iterator[str]:
    from statistics import fmean

    calibration = found.calibration
    yield f"{calibration.model}: {calibration.recipe['prompts']} prompts"
    yield f"{'LDS (masked), each prompt left out with':40}others of its kind   its whole kind"
    for kind, alike in found.alike.items():
        yield f"  {kind:38}{alike:18.2f}{found.apart[kind]:17.2f}"
    yield f"  {'mean':38}{fmean(found.alike.values()):18.2f}{calibration.lds:17.2f}"
    for name, lds in found.without.items():
        yield f"  {'mean without ' + name:38}{lds:18.2f}"
    yield (
        f"noise: 95 % of the statements that answer nothing move an answer by less than "
        f"{calibration.floor_nats:.2f} nats, {calibration.floor_ppb / 10**7:.1f} % of it"
    )
    if not calibration.is_used:
        yield "this predicts too little to be used: provisional shares rest on support alone"
