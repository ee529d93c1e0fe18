"""The hash chains of entries and acts: canonical bytes, and a hash over the one before."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import rfc8785

from store.records.ledger import Entry, Transfer

#: The `prev_hash` of the first entry and of the first act.
GENESIS = "0" * 64
_TAG = b"haozhi-entry-v1\n"
_ACT_TAG = b"haozhi-act-v1\n"


@dataclass(frozen=True)
class Leaf:
    """Number `seq` of a chain as leaf `seq - 1` of its tree: its hash as its rows give it now.

    `fault` says in words what the rows contradict, None when they are whole.
    """

    seq: int
    key: str
    data: bytes
    fault: str | None


def build_leaf(seq: int, key: str, found: str, said: str, follows: tuple[str, str]) -> Leaf:
    """The leaf of a computed hash; `said` is the stored one, `follows` the hash of the one before
    as it is named and as it is.
    """
    fault = None
    if found != said:
        fault = "its rows are not what was written"
    elif follows[0] != follows[1]:
        fault = "it does not follow the one before"
    return Leaf(seq, key, bytes.fromhex(found), fault)


def canonical(value: Any) -> bytes:
    """RFC 8785 JSON. Integers must already be text: the format has no exact ones from 2^53 on."""
    return rfc8785.dumps(value)


def canonical_text(value: Any) -> bytes:
    """RFC 8785 of what holds only text and null, under ASCII names.

    There the standard encoder says the same (a test compares them) at a tenth of the time, and a
    check of a long ledger is mostly this.
    """
    return _TEXT_ONLY.encode(value).encode()


def entry_body(entry: Entry) -> bytes:
    """Everything an entry says, as canonical bytes: all but its two hashes, integers as strings."""
    body: dict[str, Any] = {
        "seq": str(entry.seq),
        "key": entry.key,
        "period_id": str(entry.period_id),
        "policy_version": str(entry.policy_version),
        "created_us": str(entry.created_us),
        "transfers": [_transfer_body(transfer) for transfer in entry.transfers],
    }
    for name in _LATER_ENTRY_FIELDS:
        value = getattr(entry, name)
        if value is not None:
            body[name] = value
    return canonical_text(body)


_TEXT_ONLY = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))

#: Fields that the first version of the body lacked: they are written only where they say something,
#: so that the hashes of older entries stay what they were.
_LATER_ENTRY_FIELDS = ("reverses", "corrects", "memo")
_LATER_TRANSFER_FIELDS = ("line",)


def _transfer_body(transfer: Transfer) -> dict[str, str | None]:
    """Every field; None stays null, so absent and zero differ."""
    return {
        name: None if value is None else str(value)
        for name, value in vars(transfer).items()
        if value is not None or name not in _LATER_TRANSFER_FIELDS
    }


def entry_hash(prev_hash: str, body: bytes) -> str:
    """SHA-256 (hex) of the version tag, the previous hash in hex and the canonical body."""
    return sha256(_TAG + prev_hash.encode("ascii") + body).hexdigest()


def act_body(seq: int, table: str, row: Mapping[str, Any]) -> bytes:
    """Everything that a row says, as canonical bytes.

    Numbers are strings, bytes are their SHA-256, JSON is its canonical text. What is None is left
    out, so that a column added later changes no hash.
    """
    columns = {name: _text(value) for name, value in row.items() if value is not None}
    return canonical_text({"seq": str(seq), "table": table, "row": columns})


def act_hash(prev_hash: str, body: bytes) -> str:
    """SHA-256 (hex) of the version tag, the previous hash in hex and the canonical body."""
    return sha256(_ACT_TAG + prev_hash.encode("ascii") + body).hexdigest()


def _text(value: Any) -> str:
    match value:
        case str():
            return value
        case bytes():
            return sha256(value).hexdigest()
        case _:
            return canonical_text(value).decode()
