"""A ledger has one signing key: made once, recorded, never replaced without a word."""

import subprocess
import sys
from pathlib import Path

import pytest

from haozhi.proofs.keys import SigningKeyError, ledger_key
from store.checkpoints import signing_keys
from store.engine import Engine, read
from store.errors import StoreReadOnly


def test_the_key_is_made_on_first_need_and_kept(engine: Engine, tmp_path: Path) -> None:
    """The file is only the owner's, the public half is in the database, the next time is equal."""
    key = ledger_key(engine, tmp_path / "data")
    path = tmp_path / "data" / "keys" / "ledger.pem"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["ledger.pem"]
    with read(engine) as s:
        assert signing_keys(s) == {key.key_id: key.public.hex()}
    assert ledger_key(engine, tmp_path / "data").verifier == key.verifier
    assert "private" not in repr(key)


def test_a_lost_key_is_not_replaced(sqlite_engine: Engine, tmp_path: Path) -> None:
    """A new key would break the chain of checkpoints: the old one must come back."""
    ledger_key(sqlite_engine, tmp_path)
    (tmp_path / "keys" / "ledger.pem").unlink()
    with pytest.raises(SigningKeyError, match="restore it from your backup"):
        ledger_key(sqlite_engine, tmp_path)
    assert not (tmp_path / "keys" / "ledger.pem").exists()


def test_another_key_is_refused(sqlite_engine: Engine, tmp_path: Path) -> None:
    """A key that did not sign for this ledger before does not sign now."""
    ledger_key(sqlite_engine, tmp_path / "one")
    (tmp_path / "two" / "keys").mkdir(parents=True)
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    other = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    (tmp_path / "two" / "keys" / "ledger.pem").write_bytes(other)
    with pytest.raises(SigningKeyError, match="not the signing key of this ledger"):
        ledger_key(sqlite_engine, tmp_path / "two")


@pytest.mark.parametrize("damage", [b"", b"x", b"-----BEGIN PRIVATE KEY-----\n"])
def test_a_damaged_key_file_is_named(sqlite_engine: Engine, tmp_path: Path, damage: bytes) -> None:
    """One line names the file."""
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "ledger.pem").write_bytes(damage)
    with pytest.raises(SigningKeyError, match=r"ledger\.pem"):
        ledger_key(sqlite_engine, tmp_path)


def test_a_folder_that_cannot_be_made_is_named(sqlite_engine: Engine, tmp_path: Path) -> None:
    """A file in the place of the folder: exit 6, and no key."""
    (tmp_path / "keys").write_text("", "utf-8")
    with pytest.raises(StoreReadOnly, match="cannot be written"):
        ledger_key(sqlite_engine, tmp_path)


def test_processes_that_start_at_once_get_one_key(sqlite_engine: Engine, tmp_path: Path) -> None:
    """Whoever is first makes it; the others find it."""
    url = sqlite_engine.url.render_as_string()
    code = (
        "import sys; from pathlib import Path; from haozhi.proofs.keys import ledger_key;"
        "from store.engine import make_engine;"
        "print(ledger_key(make_engine(sys.argv[1]), Path(sys.argv[2])).verifier)"
    )
    command = [sys.executable, "-c", code, url, str(tmp_path / "data")]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    printed = {process.communicate(timeout=120)[0] for process in started}
    assert all(process.returncode == 0 for process in started)
    assert printed == {f"{ledger_key(sqlite_engine, tmp_path / 'data').verifier}\n"}
