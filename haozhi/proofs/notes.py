"""Checkpoints and inclusion proofs as text: C2SP signed-note, tlog-checkpoint and tlog-proof."""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256

from cryptography.exceptions import InvalidSignature

from haozhi.proofs.keys import LedgerKey, note_id
from haozhi.proofs.merkle import Tree, build_tree, root
from haozhi.proofs.verify import read_checkpoint
from store.checkpoints import Checkpoint
from store.errors import BadInput, BooksDiffer

_PROOF = re.compile(
    r"c2sp\.org/tlog-proof@v1\n(?:extra [^\n]+\n)?index (0|[1-9][0-9]*)\n((?:[^\n]{44}\n)*)\n(.+)",
    re.DOTALL,
)


class HistoryChanged(BooksDiffer):
    """The entries or acts are not those that an earlier checkpoint was signed over."""


def build_checkpoint(
    key: LedgerKey,
    *,
    period_id: int,
    entry_leaves: Sequence[bytes],
    report_leaves: Sequence[bytes],
    act_leaves: Sequence[bytes],
    previous_note: str | None,
    audited: int,
    largest_ppb: int | None,
) -> Checkpoint:
    """The signed tree heads of a period: over all entries up to its last, over its reports, and
    over all acts so far.

    `audited` answers were recomputed; the largest difference of a share was `largest_ppb`, None
    when none could be. HistoryChanged: the entries or acts contradict the previous checkpoint, and
    a ledger must never sign two histories. BadInput: the previous note is not by this key.
    """
    entries, reports, acts = map(build_tree, (entry_leaves, report_leaves, act_leaves))
    previous_hash = None
    if previous_note is not None:
        before = open_checkpoint(previous_note, key.verifier)
        _require_follows("entries", entries, before, "")
        _require_follows("acts", acts, before, "acts_")
        previous_hash = note_hash(previous_note)
    text = (
        f"{key.ledger}\n{entries.size}\n{_base64(root(entries))}\n"
        f"period {period_id}\n"
        f"reports {reports.size} {_base64(root(reports))}\n"
        f"acts {acts.size} {_base64(root(acts))}\n"
        f"previous {previous_hash or 'none'}\n"
        f"audit {audited} {'none' if largest_ppb is None else largest_ppb}\n"
    )
    return Checkpoint(
        period_id=period_id,
        tree_size=entries.size,
        root_hash=root(entries).hex(),
        reports_size=reports.size,
        reports_root=root(reports).hex(),
        acts_size=acts.size,
        acts_root=root(acts).hex(),
        previous_hash=previous_hash,
        note=sign_note(key, text),
        key_id=key.key_id,
    )


def _require_follows(name: str, tree: Tree, before: dict[str, str], prefix: str) -> None:
    size = int(before[f"{prefix}size"])
    if size > tree.size or root(tree, size) != b64decode(before[f"{prefix}root"]):
        raise HistoryChanged(
            f"the {name} up to period {before['period']} are not those that its checkpoint "
            "was signed over: run `haozhi ledger check`; nothing is signed"
        )


def open_checkpoint(note: str, verifier: str) -> dict[str, str]:
    """The fields of a signed checkpoint: origin, size, root, period, reports_size, reports_root,
    acts_size, acts_root, previous, audited, largest.

    BadInput: it is none, or not signed by this C2SP verifier key.
    """
    try:
        return read_checkpoint(note, verifier)
    except (InvalidSignature, ValueError) as error:
        raise BadInput(f"no checkpoint signed by {verifier}: {error}") from error


def sign_note(key: LedgerKey, text: str) -> str:
    """A C2SP signed note; the text ends with a newline and has no other control characters."""
    signature = _base64(note_id(key.public) + key.sign(text.encode()))
    return f"{text}\n— {key.ledger} {signature}\n"


def note_hash(note: str) -> str:
    """What the next checkpoint calls this one: SHA-256 (hex) of the whole note."""
    return sha256(note.encode()).hexdigest()


def build_proof(index: int, path: Sequence[bytes], note: str) -> str:
    """A C2SP tlog-proof: leaf `index` is in the tree of this checkpoint."""
    hashes = "".join(f"{_base64(each)}\n" for each in path)
    return f"c2sp.org/tlog-proof@v1\nindex {index}\n{hashes}\n{note}"


def read_proof(text: str) -> tuple[int, list[bytes], str]:
    """Index, path and checkpoint note of a C2SP tlog-proof. BadInput: it is none."""
    found = _PROOF.fullmatch(text)
    try:
        if found:
            return int(found[1]), [b64decode(h, validate=True) for h in found[2].split()], found[3]
    except ValueError:
        pass
    raise BadInput("this is no c2sp.org/tlog-proof@v1: fetch the proof again")


def _base64(data: bytes) -> str:
    return b64encode(data).decode()
