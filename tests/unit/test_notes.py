"""Checkpoints and proofs are C2SP signed notes, tlog-checkpoints and tlog-proofs."""

import re
from hashlib import sha256

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from haozhi.proofs.keys import LedgerKey
from haozhi.proofs.merkle import build_tree, includes, inclusion, root
from haozhi.proofs.notes import (
    HistoryChanged,
    build_checkpoint,
    build_proof,
    note_hash,
    open_checkpoint,
    read_proof,
    sign_note,
)
from haozhi.proofs.verify import read_checkpoint
from store.checkpoints import Checkpoint
from store.errors import BadInput

KEY = LedgerKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
#: The example of c2sp.org/signed-note.
SPEC_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
SPEC_NOTE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""  # noqa: E501  a signature is one line
LEAVES = [number.to_bytes(32, "big") for number in range(5)]


def a_checkpoint(size: int = 5, previous: str | None = None, period_id: int = 1) -> Checkpoint:
    """The checkpoint of a tree with this many entries and two reports."""
    return build_checkpoint(
        KEY,
        period_id=period_id,
        entry_leaves=LEAVES[:size],
        report_leaves=LEAVES[:2],
        act_leaves=LEAVES[:size],
        previous_note=previous,
        audited=20,
        largest_ppb=3,
    )


def test_the_example_of_the_specification_is_verified() -> None:
    """Its signature is accepted (the text is then found to be no checkpoint), any other refused."""
    with pytest.raises(ValueError, match="no checkpoint of this ledger"):
        read_checkpoint(SPEC_NOTE, SPEC_KEY)
    with pytest.raises(InvalidSignature):
        read_checkpoint(SPEC_NOTE.replace("an example", "no example"), SPEC_KEY)


def test_a_checkpoint_is_text_that_anybody_can_read() -> None:
    """Origin, size, root, then our lines; the signature names the ledger, which names its key."""
    text, _, signature = a_checkpoint(previous=a_checkpoint(3).note, period_id=2).note.partition(
        "\n\n"
    )
    lines = text.split("\n")
    assert lines[0] == f"haozhi/{sha256(KEY.public).hexdigest()[:16]}" == KEY.ledger
    assert lines[1] == "5"
    assert re.fullmatch("[A-Za-z0-9+/]{43}=", lines[2])
    assert lines[3] == "period 2"
    assert re.fullmatch("reports 2 [A-Za-z0-9+/]{43}=", lines[4])
    assert re.fullmatch("acts 5 [A-Za-z0-9+/]{43}=", lines[5])
    assert lines[6] == f"previous {note_hash(a_checkpoint(3).note)}"
    assert lines[7:] == ["audit 20 3"]
    assert re.fullmatch(rf"— {KEY.ledger} [A-Za-z0-9+/]+=*\n", signature)


def test_a_checkpoint_is_the_same_each_time() -> None:
    """Ed25519 is deterministic: signing again gives the same note and the same hash."""
    assert a_checkpoint() == a_checkpoint()


def test_what_was_signed_is_read_back() -> None:
    """Every field of the stored row is in the note."""
    checkpoint = a_checkpoint(previous=a_checkpoint(3).note)
    found = open_checkpoint(checkpoint.note, KEY.verifier)
    assert found["origin"] == KEY.ledger
    assert (found["size"], found["period"], found["reports_size"]) == ("5", "1", "2")
    assert found["previous"] == checkpoint.previous_hash
    assert (found["audited"], found["largest"]) == ("20", "3")
    assert checkpoint.root_hash == root(build_tree(LEAVES)).hex()


def test_signatures_of_others_are_ignored() -> None:
    """A witness may add a line, also under the same name with another key; ours must be there."""
    note = a_checkpoint().note
    witnessed = f"{note}— witness.example AAAAAAAA\n— {KEY.ledger} AAAAAAAA\n"
    assert open_checkpoint(witnessed, KEY.verifier)["size"] == "5"
    other = LedgerKey(Ed25519PrivateKey.from_private_bytes(bytes(32)))
    with pytest.raises(BadInput, match=re.escape(other.verifier)):
        open_checkpoint(note, other.verifier)


@pytest.mark.parametrize(
    "text", ["", "x\n", "haozhi/other\n5\n", "audit 20 3\n", "一二三\n", f"{KEY.ledger}\n-1\n"]
)
def test_a_signed_text_that_is_no_checkpoint_is_refused(text: str) -> None:
    """A genuine signature under anything else is not enough."""
    with pytest.raises(BadInput, match="no checkpoint"):
        open_checkpoint(sign_note(KEY, text), KEY.verifier)


def test_a_ledger_never_signs_two_histories() -> None:
    """A tree that does not extend the previous one, or is smaller, is not signed."""
    before = a_checkpoint(4).note
    with pytest.raises(HistoryChanged, match="up to period 1"):
        a_checkpoint(3, before)
    changed = [b"another", *LEAVES[1:]]
    with pytest.raises(HistoryChanged, match="nothing is signed"):
        build_checkpoint(
            KEY,
            period_id=2,
            entry_leaves=changed,
            report_leaves=[],
            act_leaves=LEAVES[:4],
            previous_note=before,
            audited=0,
            largest_ppb=None,
        )


def test_a_proof_file_has_index_path_and_checkpoint() -> None:
    """What is written is read back, and proves the leaf."""
    note = a_checkpoint().note
    text = build_proof(3, inclusion(build_tree(LEAVES), 3), note)
    assert text.startswith("c2sp.org/tlog-proof@v1\nindex 3\n")
    assert text.endswith(f"\n\n{note}")
    index, path, found = read_proof(text)
    assert (index, found) == (3, note)
    assert includes(LEAVES[3], 3, 5, path, root(build_tree(LEAVES)))


def test_extra_data_in_a_proof_is_skipped() -> None:
    """The specification allows one line of it; it is authenticated by nothing."""
    text = build_proof(0, [], a_checkpoint(1).note)
    head, _, rest = text.partition("\n")
    assert read_proof(f"{head}\nextra AAAA\n{rest}") == (0, [], a_checkpoint(1).note)


@pytest.mark.parametrize(
    "text",
    ["", "c2sp.org/tlog-proof@v2\nindex 0\n\nx", "c2sp.org/tlog-proof@v1\nindex 00\n\nx", "证明"],
)
def test_another_text_is_no_proof(text: str) -> None:
    """One clear line says what to do."""
    with pytest.raises(BadInput, match="fetch the proof again"):
        read_proof(text)
