"""Checking an exported credit report offline, and what in its folder nothing is proven of."""

from dataclasses import dataclass
from pathlib import Path

from haozhi.proofs.verify import FILES, verify
from store.errors import BadInput

#: The files that the checks read; the others are made from them to be looked at.
_READ = (*FILES, "proof.json", "key")


@dataclass(frozen=True)
class Verified:
    """A line for each check, the first that fails at the end; `unchecked` are names of files."""

    whole: bool
    checks: tuple[str, ...]
    unchecked: tuple[str, ...]


def verify_export(folder: Path, trust: Path | None = None) -> Verified:
    """Check an export by itself, or against a key file or an earlier export that is trusted.

    BadInput: one of them is not there, or the folder is no export with a proof.
    """
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder}")
    _require(folder, _READ)
    if trust is not None and not trust.is_file():
        _require(trust, ("key", "checkpoint", "report.json"))
    checks = tuple(verify(folder, trust))
    whole = not checks[-1].startswith("FAILED")
    unchecked = {path.name for path in folder.iterdir()} - {*_READ}
    return Verified(whole, checks, tuple(sorted(unchecked)))


def _require(folder: Path, names: tuple[str, ...]) -> None:
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise BadInput(
            f"{folder} is no export with a proof, for it has no {', '.join(missing)}: give the"
            " folder of `haozhi report export` of a closed period"
        )
