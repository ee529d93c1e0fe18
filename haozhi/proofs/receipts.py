"""Signed receipts: what a ledger promises about an answer, and how an asker holds it to that."""

from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from haozhi.proofs.export import read_entries
from haozhi.proofs.keys import LedgerKey, is_signed, ledger_name, verifier_key
from haozhi.proofs.merkle import includes, inclusion
from haozhi.proofs.notes import build_proof, open_checkpoint, read_proof
from store.answers import find_attribution, get_answer
from store.chain import canonical, entry_body, entry_hash
from store.checkpoints import DamagedEntry, list_checkpoints
from store.engine import Session
from store.errors import BadInput, NotFound
from store.ledger import distribution_key, find_entry

VERSION = "haozhi-receipt/1"
PROMISE = "every checkpoint of size entry_seq or more includes this entry as leaf entry_seq - 1"


@dataclass(frozen=True)
class Verdict:
    """What a receipt and a proof show. `state` is one of

    signed: the promise is genuine, no proof was given; included: it was kept; too_early: the
    checkpoint is older than the entry; omitted: the promise was not kept by this proof;
    invalid: the receipt is not what its ledger signed, or of another ledger.
    """

    state: str
    words: str

    @property
    def is_good(self) -> bool:
        """Whether nothing speaks against the ledger or the receipt."""
        return self.state in {"signed", "included", "too_early"}


def receipt_of(s: Session, key: LedgerKey, answer_id: str) -> dict[str, Any]:
    """The receipt of a paid answer: made again from its rows, it is the same to the byte.

    NotFound: no such answer, or no entry, since it was free. DamagedEntry: its rows are not what
    was posted, and nothing is signed.
    """
    answer = get_answer(s, answer_id)
    entry = find_entry(s, distribution_key(answer_id))
    final = find_attribution(s, answer_id, tier="final")
    if entry is None or final is None:
        raise NotFound(f"answer {answer_id} has no ledger entry, so there is no receipt for it")
    if entry.hash != entry_hash(entry.prev_hash, entry_body(entry)):
        raise DamagedEntry(f"entry {entry.key} is not what was posted: run `haozhi ledger check`")
    shares = [
        {
            "statement_id": str(pair.statement_id),
            "author_id": pair.author_id,
            "share_ppb": str(pair.share_ppb),
        }
        for pair in sorted(final.pairs, key=lambda p: (p.statement_id, p.author_id or ""))
    ]
    body = {
        "version": VERSION,
        "ledger": key.ledger,
        "answer_id": answer_id,
        "entry_key": entry.key,
        "entry_seq": str(entry.seq),
        "entry_hash": entry.hash,
        "shares": shares,
        "unattributed_ppb": str(final.unattributed.total),
        "fee_micro": str(answer.fee_micro),
        "created_us": str(entry.created_us),
        "promise": PROMISE,
        "public_key": key.public.hex(),
    }
    return body | {"signature": key.sign(canonical(body)).hex()}


def prove(s: Session, receipt: Mapping[str, Any]) -> str:
    """This ledger's C2SP tlog-proof for the entry of a receipt, from its newest checkpoint.

    It is made of the rows as they are: `verify_receipt` tells whether it shows what was promised.
    NotFound: no checkpoint reaches the entry yet. BadInput: this is no receipt.
    """
    seq, public = _seq(receipt), _public(receipt)
    for checkpoint in reversed(list_checkpoints(s)):
        size = int(open_checkpoint(checkpoint.note, verifier_key(public))["size"])
        if size >= seq:
            tree = read_entries(s, size).tree
            return build_proof(seq - 1, inclusion(tree, seq - 1), checkpoint.note)
    raise NotFound(f"no checkpoint reaches entry {seq} yet: one is signed when its period closes")


def verify_receipt(
    receipt: Mapping[str, Any],
    *,
    checkpoint_note: str | None = None,
    proof: str | None = None,
    trust: str | None = None,
) -> Verdict:
    """What the receipt shows, with a tlog-proof or a checkpoint that the ledger gave no proof for.

    `trust` is the C2SP verifier key that the reader believes; without it the receipt's own is
    used. BadInput: something is no receipt, no proof, or no checkpoint of the receipt's ledger.
    """
    seq, public = _seq(receipt), _public(receipt)
    verifier = verifier_key(public)
    if trust is not None and trust.strip() != verifier:
        return Verdict("invalid", f"the receipt is by {verifier}, not by the key that you trust")
    if receipt.get("ledger") != ledger_name(public) or not _is_genuine(receipt, public):
        return Verdict("invalid", "the receipt is not what its key signed")
    if proof is not None:
        index, path, note = read_proof(proof)
        return _verdict(receipt, open_checkpoint(note, verifier), index, path)
    if checkpoint_note is not None:
        return _verdict(receipt, open_checkpoint(checkpoint_note, verifier), None, ())
    return Verdict("signed", f"entry {seq} is promised by {verifier}: {PROMISE}")


def _verdict(
    receipt: Mapping[str, Any],
    checkpoint: Mapping[str, str],
    index: int | None,
    path: Sequence[bytes],
) -> Verdict:
    seq, size = _seq(receipt), int(checkpoint["size"])
    where = f"the checkpoint of period {checkpoint['period']}"
    if size < seq:
        return Verdict("too_early", f"{where} has {size} entries, and this is number {seq}")
    if index is None:
        return Verdict("omitted", f"{where} must include entry {seq}, and there is no proof of it")
    leaf, root = bytes.fromhex(receipt["entry_hash"]), b64decode(checkpoint["root"])
    if index == seq - 1 and includes(leaf, index, size, path, root):
        return Verdict("included", f"{where} includes entry {seq} as it was promised")
    return Verdict(
        "omitted",
        f"by this proof {where} does not include entry {seq} as it was promised; if the ledger has "
        "no other proof, receipt and checkpoint together are your evidence",
    )


def _is_genuine(receipt: Mapping[str, Any], public: bytes) -> bool:
    body = {name: value for name, value in receipt.items() if name != "signature"}
    try:
        return is_signed(public, bytes.fromhex(receipt["signature"]), canonical(body))
    except (KeyError, TypeError, ValueError):
        return False


def _seq(receipt: Mapping[str, Any]) -> int:
    try:
        if receipt["version"] == VERSION and len(bytes.fromhex(receipt["entry_hash"])) == 32:
            return int(receipt["entry_seq"])
    except (KeyError, TypeError, ValueError):
        pass
    raise BadInput(f"this is no {VERSION}: give the JSON that `haozhi receipt show --json` printed")


def _public(receipt: Mapping[str, Any]) -> bytes:
    try:
        public = bytes.fromhex(receipt["public_key"])
        if len(public) == 32:
            return public
    except (KeyError, TypeError, ValueError):
        pass
    raise BadInput("the receipt has no public key")
