"""Calibrate: learn what a model's signals say of influence, from one's own corpus or from data.

The weights that ship (`haozhi/attribution/weights`) are what this gives, in the folder of
evaluation data: `haozhi calibrate --made --seed 1 --prompts 64 --out FILE maxshapley multihop_wiki
multihop_rag youmengying`.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from statistics import fmean
from typing import TYPE_CHECKING

from haozhi import __version__
from haozhi.accounting.split import WHOLE_PPB
from haozhi.attribution.calibration import Calibration, weights_of
from haozhi.attribution.learning import SIGNALS, Measured, fit, held_out, measure, noise_floor
from haozhi.evaluation.attribution.items import Item
from haozhi.evaluation.attribution.posing import Cuts, Posed, pose
from store.errors import BadInput
from store.lexical.tokens import tokens

if TYPE_CHECKING:
    from haozhi.models.generator import Generator
    from ingest.ports import Embedder

#: Fewer prompts teach nothing.
FEWEST = 8
_FOLDS = 5


@dataclass(frozen=True)
class Recipe:
    """How much is measured: prompts, and random coalitions of each; all is drawn by the seed."""

    prompts: int = 64
    masks: int = 16
    seed: int = 0


@dataclass(frozen=True)
class Learned:
    """A calibration and how well it predicts, as LDS.

    `alike`: per kind, by fits that saw other prompts of it; `apart`: by fits that saw none of it;
    `without`: the mean of `alike` where one signal is dropped.
    """

    calibration: Calibration
    alike: Mapping[str, float]
    apart: Mapping[str, float]
    without: Mapping[str, float]


def learn(
    generator: "Generator",
    embedder: "Embedder",
    items: Iterable[Item],
    recipe: Recipe,
    source: str,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Learned:
    """Measure the first prompts that can be posed, and fit. BadInput: there are too few of them."""
    prompts: list[Measured] = []
    for found in islice(_measured(generator, embedder, items, recipe), recipe.prompts):
        prompts.append(found)
        progress(len(prompts), recipe.prompts)
    if len(prompts) < FEWEST:
        raise BadInput(f"{len(prompts)} prompts teach nothing: at least {FEWEST} are needed")
    folds = [number % _FOLDS for number in range(len(prompts))]
    kinds = [prompt.kind for prompt in prompts]
    alike = held_out(prompts, folds)
    apart = held_out(prompts, kinds) if len(set(kinds)) > 1 else alike
    without = {name: fmean(held_out(prompts, folds, name).values()) for name in SIGNALS}
    *heads, retrieval, gradient = (float(f"{weight:.6g}") for weight in fit(prompts))
    nats, part = noise_floor(prompts)
    calibration = Calibration(
        model=weights_of(generator.fingerprint),
        heads=tuple(heads),
        retrieval=retrieval,
        gradient=gradient,
        floor_nats=round(nats, 4),
        floor_ppb=round(part * WHOLE_PPB),
        lds=round(fmean(apart.values()), 4),
        recipe={
            "haozhi": __version__,
            "source": source,
            "embedder": embedder.fingerprint,
            "prompts": len(prompts),
            "masks": recipe.masks,
            "seed": recipe.seed,
        },
    )
    return Learned(calibration, alike, apart, without)


def _measured(
    generator: "Generator", embedder: "Embedder", items: Iterable[Item], recipe: Recipe
) -> Iterator[Measured]:
    """Each item that can be posed, as the product would pose and answer it."""
    for item in items:
        posed = pose(generator, embedder, item, Cuts())
        if posed is not None:
            yield measure(
                generator,
                posed.scored,
                posed.similarities,
                kind=item.kind,
                null=_null(posed),
                masks=recipe.masks,
                seed=_seed(recipe.seed, item.id),
            )


def _null(posed: Posed) -> frozenset[int]:
    """Statements known to answer nothing that share no word with the answer either.

    A small model often answers from a statement that answers nothing; that one did move it.
    """
    item, said = posed.item, _words(posed.text)
    if item.relevant is None:
        return frozenset()
    return frozenset(
        number
        for number, statement in enumerate(item.statements)
        if number not in item.relevant and said.isdisjoint(_words(statement))
    )


def _words(text: str) -> frozenset[str]:
    """Words and pairs of Han characters; one character says too little."""
    return frozenset(token for token in tokens(text) if len(token) > 1)


def _seed(seed: int, name: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:8], "big")
