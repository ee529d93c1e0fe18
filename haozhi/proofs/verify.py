"""Check an export's proofs offline: python verify.py FOLDER [--trust KEY_OR_EARLIER_FOLDER]

Needs Python 3.11 and `cryptography`. Prints what holds, up to the first that fails (exit 1).
"""

import argparse
import json
import re
import sys
from base64 import b64decode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

COLUMNS = {  # of a report: whether money in (1) or out (-1) counts up, the reasons of its lines
    "earned": (1, "share grant"), "adjustments": (-1, "refund reversal"),
    "deductions": (-1, "withholding"), "recouped": (-1, "recoup"), "paid": (-1, "payout"),
    "disputed": (-1, "dispute_open"), "released": (1, "dispute_back dispute_on claim"),
}  # fmt: skip
FILES = ("report.json", "lines.jsonl", "checkpoint")
TEXT = re.compile(
    r"(?P<origin>[^ +\n]+)\n(?P<size>\d+)\n(?P<root>\S{44})\nperiod (?P<period>\d+)\n"
    r"reports (?P<reports_size>\d+) (?P<reports_root>\S{44})\n"
    r"acts (?P<acts_size>\d+) (?P<acts_root>\S{44})\n"
    r"previous (?P<previous>none|[0-9a-f]{64})\naudit (?P<audited>\d+) (?P<largest>none|\d+)\n"
)


def _require(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)


def read_checkpoint(note: str, key: str) -> dict[str, str]:
    """The fields of a C2SP signed note, if this verifier key (name+id+key) signed it."""
    name, _, encoded = key.split("+", 2)
    public = b64decode(encoded)
    key_id = sha256(f"{name}\n".encode() + public).digest()[:4]
    text, _, signatures = note.rpartition("\n\n")
    raw = map(b64decode, re.findall(rf"^— {re.escape(name)} (.+)$", signatures, re.MULTILINE))
    signature = next((each[4:] for each in raw if each[:4] == key_id), b"")
    Ed25519PublicKey.from_public_bytes(public[1:]).verify(signature, f"{text}\n".encode())
    fields = TEXT.fullmatch(f"{text}\n")
    _require(fields and fields["origin"] == name, "a signed text is no checkpoint of this ledger")
    return {"note": note} | (fields.groupdict() if fields else {})


def _node(left: bytes, right: bytes) -> bytes:
    _require(len(left) == len(right) == 32, "a hash of a proof is not 32 bytes long")
    return sha256(b"\1" + left + right).digest()


def root_over(leaves: list[tuple[int, bytes]], at: int, size: int, rest: Iterator[bytes]) -> bytes:
    """The root over sorted (index, leaf hash); `rest` has the subtrees without any, left first."""
    if not leaves or size == 1:
        return leaves[0][1] if leaves else next(rest)
    left = 1 << (size - 1).bit_length() - 1  # RFC 6962: the largest power of two below the size
    cut = sum(index < at + left for index, _ in leaves)
    first = root_over(leaves[:cut], at, left, rest)
    return _node(first, root_over(leaves[cut:], at + left, size - left, rest))


def both_roots(old: int, new: int, path: list[bytes], known: bytes | None) -> list[bytes]:
    """The roots at both sizes, from an RFC 6962 consistency proof and the `known` old root."""
    if old == new:
        return [known or path.pop()] * 2
    left, outer = 1 << (new - 1).bit_length() - 1, path.pop()
    if old > left:
        return [_node(outer, each) for each in both_roots(old - left, new - left, path, None)]
    first, second = both_roots(old, left, path, known)
    return [first, _node(second, outer)]


def _check_tree(leaves: dict[int, bytes], path: list[str], size: str, root: str) -> None:
    hashed = sorted((index, sha256(b"\0" + data).digest()) for index, data in leaves.items())
    _require(all(0 <= index < int(size) for index in leaves), "an index is outside the tree")
    found = [root_over(hashed, 0, int(size), rest := map(b64decode, path)), *rest]
    _require(found == [b64decode(root)], "the signed tree has something else there")


def _check_growth(known: list[dict[str, str]], of: str, proofs: list[list[str]]) -> None:
    size, root = ("size", "root") if of == "entries" else (f"{of}_size", f"{of}_root")
    for old, new, proof in zip(known[:-1], known[1:], proofs, strict=True):
        path, roots = [b64decode(x) for x in proof], [b64decode(x[root]) for x in (old, new)]
        found = int(old[size]) and both_roots(int(old[size]), int(new[size]), path, roots[0])
        _require(found in (0, roots), f"{of} up to period {old['period']} changed after signing")


def _check_lines(report: dict[str, str], lines: bytes) -> dict[int, bytes]:
    """The leaves that the lines come from, once the lines sum to the report's columns."""
    sums, leaves = dict[str, int](), dict[int, bytes]()
    for line in map(json.loads, lines.splitlines()):
        sums[line["reason"]] = sums.get(line["reason"], 0) + int(line["amount_micro"])
        leaves[int(line["entry_seq"]) - 1] = bytes.fromhex(line["entry_hash"])
    total = int(report["opening_micro"]) + sum(sums.values())
    for column, (sign, reasons) in COLUMNS.items():
        found = sign * sum(sums.pop(reason, 0) for reason in reasons.split())
        _require(int(report[f"{column}_micro"]) == found, f"lines sum to {found} {column}")
    parts = sum(int(report[f"{part}_micro"]) for part in ("payable", "carried", "held"))
    _require(not sums and total == parts == int(report["closing_micro"]), "closing is another sum")
    return leaves


def _checks(folder: Path, trust: Path) -> Iterator[str]:
    report, lines, note = ((folder / name).read_bytes() for name in FILES)
    proof, head = json.loads((folder / "proof.json").read_bytes()), json.loads(report)
    key = (trust / "key" if trust.is_dir() else trust).read_text("utf-8").strip()
    known = [read_checkpoint(each, key) for each in (*proof["earlier"], note.decode())]
    yield f"checkpoints of {len(known)} periods are signed by {key}"
    kept = trust if trust.is_dir() else folder
    anchor = (kept / "checkpoint").read_bytes().decode()
    _require(anchor in [each["note"] for each in known], "the trusted one is not in this history")
    previous = ["none", *(sha256(each["note"].encode()).hexdigest() for each in known[:-1])]
    _require([each["previous"] for each in known] == previous, "a period is missing")
    _check_growth(known, "entries", proof["consistency"])
    _check_growth(known, "acts", proof["acts"])
    yield "each checkpoint extends the one before"
    salted = bytes.fromhex(proof["salt"]) + report + sha256(lines).digest()
    leaf, last = {int(proof["index"]): sha256(salted).digest()}, known[-1]
    _check_tree(leaf, proof["report"], last["reports_size"], last["reports_root"])
    _require(head["period_id"] == last["period"], "the report is of another period")
    yield "report and lines are those that were signed"
    before = json.loads((kept / "report.json").read_bytes())
    if (before["holder_id"], before["closed_us"]) == (head["holder_id"], head["opened_us"]):
        _require(before["closing_micro"] == head["opening_micro"], "opening is not closing before")
    leaves = _check_lines(head, lines)
    yield "the lines sum to the columns; opening and lines to closing"
    _check_tree(leaves, proof["entries"], last["size"], last["root"])
    _require(not proof["damaged"], f"rows contradict their own hashes: {proof['damaged']}")
    yield f"the {len(leaves)} entries of the lines are in the signed tree"


def verify(folder: Path, trust: Path | None = None) -> Iterator[str]:
    """A line for each check that holds; the first that fails starts with FAILED and is the last."""
    try:
        yield from (f"ok      {check}" for check in _checks(folder, trust or folder))
    except Exception as error:  # noqa: BLE001  whatever a forged folder provokes is a failed check
        yield f"FAILED  {error} ({type(error).__name__})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Check the proofs of a credit report.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trust", type=Path)
    results = list(verify(**vars(parser.parse_args())))
    sys.stdout.write("\n".join(results) + "\n")
    sys.exit(results[-1].startswith("FAILED"))
