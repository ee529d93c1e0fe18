"""The folder with which an author checks a credit report offline, see `docs/proofs.md`."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from haozhi.new_folder import new_folder
from haozhi.proofs import verify
from haozhi.proofs.keys import verifier_key
from haozhi.proofs.merkle import Tree, build_tree, consistency, rest, root
from haozhi.proofs.notes import open_checkpoint
from store.acts import read_acts
from store.chain import Leaf
from store.checkpoints import Checkpoint, read_leaves
from store.engine import Session
from store.errors import BadInput, BooksDiffer

#: An export names at most so many damaged entries; one is enough to fail.
_NAMED = 20


@dataclass(frozen=True)
class Chain:
    """The tree over entries or acts as their rows are now, and which are damaged, in words."""

    tree: Tree
    damaged: tuple[str, ...]


@dataclass(frozen=True)
class SignedReport:
    """A credit report of a closed period as it was signed: its bytes, its salt (hex), its place.

    `leaves` are those of all credit reports of the period in the order that was signed; `lines`
    are the lines of this report, each one JSON object and a newline.
    """

    report: bytes
    lines: Iterable[bytes]
    salt: str
    leaves: Sequence[bytes]
    index: int


def report_leaf(salt: str, report: bytes, lines_sha256: str) -> bytes:
    """The leaf of a credit report: SHA-256 over salt, report and hash of the lines; hex in."""
    return sha256(bytes.fromhex(salt) + report + bytes.fromhex(lines_sha256)).digest()


def read_entries(s: Session, size: int) -> Chain:
    """The tree of entries 1..`size`, each leaf recomputed from the entry's rows."""
    return _chain(read_leaves(s, size))


def read_all_acts(s: Session, size: int) -> Chain:
    """The tree of acts 1..`size`, each leaf recomputed from the row that was recorded."""
    return _chain(read_acts(s, size))


def _chain(leaves: Iterable[Leaf]) -> Chain:
    damaged: list[str] = []

    def data() -> Iterable[bytes]:
        for leaf in leaves:
            if leaf.fault and len(damaged) < _NAMED:
                damaged.append(f"{leaf.key}: {leaf.fault}")
            yield leaf.data

    return Chain(build_tree(data()), tuple(damaged))


def export_proofs(
    folder: Path,
    *,
    public: bytes,
    history: Sequence[Checkpoint],
    entries: Chain,
    acts: Chain,
    report: SignedReport,
) -> tuple[str, ...]:
    """Write the export into a new folder and return what its own verification finds.

    `history` are the checkpoints up to the report's period, oldest first; `entries` and `acts` have
    as many leaves as the last of them. Rows that were changed since are no reason to refuse: the
    export is what shows it. BadInput, StoreReadOnly as `new_folder`. BooksDiffer: a stored
    checkpoint is not what this key signed.
    """
    key = verifier_key(public)
    signed = [_signed(checkpoint, key) for checkpoint in history]
    with new_folder(folder) as draft:
        indices = _write_lines(draft / "lines.jsonl", report.lines)
        proof: dict[str, Any] = {
            "format": "haozhi-proof/1",
            "earlier": [checkpoint.note for checkpoint in history[:-1]],
            "consistency": _consistency(entries.tree, [int(note["size"]) for note in signed]),
            "acts": _consistency(acts.tree, [int(note["acts_size"]) for note in signed]),
            "salt": report.salt,
            "index": str(report.index),
            "report": _encoded(rest(build_tree(report.leaves), [report.index])),
            "entries": _encoded(rest(entries.tree, indices)),
            "damaged": [*entries.damaged, *acts.damaged, *_unsigned(acts.tree, signed[-1])],
        }
        (draft / "report.json").write_bytes(report.report)
        (draft / "proof.json").write_text(json.dumps(proof, ensure_ascii=False, indent=0), "utf-8")
        (draft / "checkpoint").write_bytes(history[-1].note.encode())
        (draft / "key").write_text(f"{key}\n", "utf-8")
        (draft / "verify.py").write_bytes(Path(verify.__file__).read_bytes())
    return verify_folder(folder)


def verify_folder(folder: Path, trust: Path | None = None) -> tuple[str, ...]:
    """What is wrong with an export, by the very code that it contains; empty when it is whole.

    `trust` is a key file or an earlier export that the reader believes.
    """
    return tuple(line for line in verify.verify(folder, trust) if line.startswith("FAILED"))


def _signed(checkpoint: Checkpoint, key: str) -> dict[str, str]:
    try:
        return open_checkpoint(checkpoint.note, key)
    except BadInput as error:
        raise BooksDiffer(
            f"the stored checkpoint of period {checkpoint.period_id}: {error}"
        ) from error


def _consistency(tree: Tree, sizes: Sequence[int]) -> list[list[str]]:
    return [_encoded(consistency(tree, old, new)) for old, new in pairwise(sizes)]


def _unsigned(acts: Tree, note: Mapping[str, str]) -> Iterator[str]:
    """A first checkpoint has no earlier one with which its acts could be proven consistent."""
    if root(acts) != b64decode(note["acts_root"]):
        yield f"the acts up to period {note['period']} are not those that were signed"


def _write_lines(path: Path, lines: Iterable[bytes]) -> list[int]:
    """Write the lines and return the indices of the entries that they come from."""
    seqs = set()
    with path.open("wb") as file:
        for line in lines:
            file.write(line)
            seqs.add(int(json.loads(line)["entry_seq"]))
    return sorted(seq - 1 for seq in seqs)


def _encoded(hashes: Sequence[bytes]) -> list[str]:
    return [b64encode(each).decode() for each in hashes]
