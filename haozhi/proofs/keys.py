"""The Ed25519 key of a ledger: a file that never leaves this machine, its public half recorded."""

import os
import tempfile
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from store import checkpoints
from store.clock import now_us
from store.engine import Engine, read, write
from store.errors import HaozhiError, StoreReadOnly

#: C2SP signed-note: the signature type of Ed25519.
_TYPE = b"\1"


class SigningKeyError(HaozhiError):
    """The signing key of this ledger is missing, unreadable, or another one."""


@dataclass(frozen=True)
class LedgerKey:
    """The key of one ledger. Its signatures are deterministic: the same bytes, the same signature.

    The ledger's name is made of its public key, so nobody can have the name with another key.
    """

    private: Ed25519PrivateKey = field(repr=False)

    @property
    def public(self) -> bytes:
        """The 32 bytes of the public key (RFC 8032)."""
        return self.private.public_key().public_bytes_raw()

    @property
    def key_id(self) -> str:
        """SHA-256 (hex) of the public key; what the database calls this key."""
        return sha256(self.public).hexdigest()

    @property
    def ledger(self) -> str:
        """The name of the ledger: origin of its checkpoints and key name of its notes."""
        return ledger_name(self.public)

    @property
    def verifier(self) -> str:
        """What a reader needs to check notes of this key: the C2SP verifier key."""
        return verifier_key(self.public)

    def sign(self, data: bytes) -> bytes:
        """The 64 bytes of the signature."""
        return self.private.sign(data)


def ledger_name(public: bytes) -> str:
    """The name of the ledger whose public key this is."""
    return f"haozhi/{sha256(public).hexdigest()[:16]}"


def note_id(public: bytes) -> bytes:
    """The 4 bytes that begin each note signature of this key."""
    return sha256(ledger_name(public).encode() + b"\n" + _TYPE + public).digest()[:4]


def verifier_key(public: bytes) -> str:
    """The C2SP verifier key: name+id+key."""
    encoded = b64encode(_TYPE + public).decode()
    return f"{ledger_name(public)}+{note_id(public).hex()}+{encoded}"


def is_signed(public: bytes, signature: bytes, data: bytes) -> bool:
    """Whether the signature of these bytes is by this public key. ValueError: it is no key."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except InvalidSignature:
        return False
    return True


def ledger_key(engine: Engine, data_dir: Path) -> LedgerKey:
    """The key of this ledger, made and recorded on first need. Call it outside a transaction.

    SigningKeyError: the ledger has signed with a key that is not there, or with another one.
    """
    path = data_dir / "keys" / "ledger.pem"
    with read(engine) as session:
        known = checkpoints.signing_keys(session)
    if known and not path.is_file():
        raise SigningKeyError(f"the signing key {path} is missing: restore it from your backup")
    key = _load(path) if path.is_file() else _make(path)
    if not known:
        with write(engine) as session:  # another data folder may have been first
            checkpoints.add_signing_key(session, key.key_id, key.public.hex(), now_us())
            known = checkpoints.signing_keys(session)
    if key.key_id not in known:
        raise SigningKeyError(f"{path} is not the signing key of this ledger: restore that one")
    return key


def _make(path: Path) -> LedgerKey:
    """A new key in this file, or the one that another process put there meanwhile."""
    pem = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent) as file:  # mode 0600
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
            # Unlike a rename, a link never replaces: the first of two processes wins.
            with suppress(FileExistsError):
                os.link(file.name, path)
        _sync(path.parent)  # the database must not know a key that a power cut takes away
    except OSError as error:
        raise StoreReadOnly(f"{path} cannot be written: {error.strerror}") from error
    return _load(path)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _load(path: Path) -> LedgerKey:
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, TypeError, ValueError) as error:
        raise SigningKeyError(f"{path} cannot be read as a signing key: {error}") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise SigningKeyError(f"{path} is no Ed25519 key")
    return LedgerKey(private)
