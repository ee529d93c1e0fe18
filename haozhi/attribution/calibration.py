"""What was learned of one model's signals, and the file that keeps it.

    {"method": "learned/1", "model": "gemma3-270m@cf4e53823019", "heads": [...],
     "retrieval": .., "gradient": .., "floor_nats": .., "floor_ppb": .., "lds": .., "recipe": {}}

It holds for weights of that fingerprint only, in any number format. An admin's file in the data
folder goes before the one that ships with haozhi.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haozhi.attribution.signals import Signals
from haozhi.settings import Settings
from store.errors import BadInput

METHOD = "learned/1"
#: A fit that predicts kinds of questions it has not seen worse than this is not used.
LEAST_LDS = 0.5


@dataclass(frozen=True)
class Calibration:
    """Weights of the signals, and what statements that answer nothing seem to do.

    `heads` (layers x heads), `retrieval` and `gradient` weigh the columns of `Signals.features`.
    `floor_nats` and `floor_ppb` (of the answer) are what 95 % of null statements, those that answer
    nothing, stay below in influence: less than it says nothing of a statement. `lds` is the mean
    over kinds of questions (or parts of the corpus) that the fit had not seen.
    """

    model: str
    heads: tuple[float, ...]
    retrieval: float
    gradient: float
    floor_nats: float
    floor_ppb: int
    lds: float
    recipe: Mapping[str, Any]

    @property
    def is_used(self) -> bool:
        """Whether it predicts kinds that it has not seen well enough to be used."""
        return self.lds >= LEAST_LDS

    def predict(self, signals: Signals, start: int, end: int) -> NDArray[np.float64]:
        """[statements] nats, not negative: what each adds to the answer tokens start..end.

        What the weights give is scaled to sum to v(all) - v(none), which is known, or to 0 where
        that is negative.
        """
        weights = np.array([*self.heads, self.retrieval, self.gradient])
        parts = (signals.features(start, end) @ weights).clip(min=0)
        gained = max(float((signals.full - signals.none)[start:end].sum()), 0.0)
        return np.asarray(parts * (gained / max(float(parts.sum()), 1e-12)))


def weights_of(fingerprint: str) -> str:
    """The part of a generator's fingerprint that names its weights, not their number format."""
    return fingerprint.rpartition("/")[0] or fingerprint


def file_name(fingerprint: str) -> str:
    """The calibration's file for a generator."""
    return re.sub(r"[^\w@.-]", "_", weights_of(fingerprint)) + ".json"


def calibration_dir(settings: Settings) -> Path:
    """Where `haozhi calibrate` keeps what it learned."""
    return settings.data_dir / "calibrations"


def load_calibration(path: Path) -> Calibration:
    """What a file holds. BadInput: it is not a calibration of this version."""
    return _read(path.read_text(encoding="utf-8"), str(path))


def save_calibration(calibration: Calibration, path: Path) -> None:
    """Write the file at once or not at all."""
    text = json.dumps({"method": METHOD, **asdict(calibration)}, ensure_ascii=False, indent=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(text + "\n", encoding="utf-8")
    new.replace(path)


def find_calibration(folder: Path, fingerprint: str) -> Calibration | str:
    """The calibration of a generator, or in words why there is none to use."""
    name, found = file_name(fingerprint), None
    shipped = files("haozhi.attribution").joinpath("weights", name)
    try:
        if (folder / name).is_file():
            found = load_calibration(folder / name)
        elif shipped.is_file():
            found = _read(shipped.read_text(encoding="utf-8"), name)
    except BadInput as error:
        return str(error)
    if found is None or found.model != weights_of(fingerprint):
        return f"nothing was learned of {weights_of(fingerprint)} yet: run haozhi calibrate"
    if not found.is_used:
        return f"what was learned of {found.model} predicts too little (LDS {found.lds:.2f})"
    return found


def _read(text: str, name: str) -> Calibration:
    try:
        raw = json.loads(text)
        if raw.pop("method") != METHOD:
            raise BadInput(f"{name} was made by another haozhi: run haozhi calibrate again")
        heads = tuple(map(float, raw.pop("heads")))
        return Calibration(heads=heads, **raw)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{name} is no calibration: run haozhi calibrate again") from error
