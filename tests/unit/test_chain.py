"""Rules of the hash chain's canonical bytes."""

from dataclasses import fields, replace
from typing import Any

import pytest

from store.chain import GENESIS, act_body, act_hash, canonical, entry_body, entry_hash
from store.records.ledger import Entry, Transfer

TRANSFER = Transfer(
    debit="asker:local",
    credit="holder:h",
    amount_micro=2**53 + 1,
    reason="share",
    answer_id="a",
    statement_id=7,
    author_id="甲",
    share_ppb=10**9,
)
ENTRY = Entry(1, "answer:a:dist:1", GENESIS, "", 1, 1, 1_700_000_000_000_000, (TRANSFER,))


def other_than(value: Any) -> Any:
    """Another value of the same kind; for None, a value."""
    if value is None:
        return "1"
    return value + 1 if isinstance(value, int) else value + "x"


def test_recorded_entry_keeps_its_hash_for_ever() -> None:
    """The hash of a known entry never changes: published chains depend on it."""
    assert entry_body(ENTRY).decode() == (
        '{"created_us":"1700000000000000","key":"answer:a:dist:1","period_id":"1",'
        '"policy_version":"1","seq":"1","transfers":[{"amount_micro":"9007199254740993",'
        '"answer_id":"a","author_id":"甲","credit":"holder:h","debit":"asker:local",'
        '"reason":"share","share_ppb":"1000000000","statement_id":"7"}]}'
    )
    assert entry_hash(GENESIS, entry_body(ENTRY)) == (
        "acd17757c3fc069071ee072972ca7d2523f89e78228e7d68506a08dcdfdb0d93"
    )


@pytest.mark.parametrize("name", [field.name for field in fields(Transfer)])
def test_every_field_of_a_transfer_is_in_the_hash(name: str) -> None:
    """Changing any one field of a transfer changes the body."""
    value = getattr(TRANSFER, name)
    changed = replace(ENTRY, transfers=(replace(TRANSFER, **{name: other_than(value)}),))
    assert entry_body(changed) != entry_body(ENTRY)


@pytest.mark.parametrize(
    "name", [f.name for f in fields(Entry) if f.name not in ("hash", "prev_hash", "transfers")]
)
def test_every_field_of_an_entry_is_in_the_hash(name: str) -> None:
    """Changing any one field of an entry changes the body."""
    other: Any = other_than(getattr(ENTRY, name))
    assert entry_body(replace(ENTRY, **{name: other})) != entry_body(ENTRY)


def test_fields_added_later_are_written_only_where_they_say_something() -> None:
    """An entry that corrects nothing has the body, and so the hash, it had before such fields."""
    plain = entry_body(ENTRY).decode()
    later = ("reverses", "corrects", "memo", "line")
    assert not [name for name in later if f'"{name}"' in plain]
    line = replace(TRANSFER, line=0)
    full = replace(ENTRY, transfers=(line,), corrects="k", memo="{}")
    said = entry_body(full).decode()
    assert '"corrects":"k"' in said
    assert '"memo":"{}"' in said
    assert '"line":"0"' in said
    assert '"reverses"' not in said


def test_absent_and_zero_have_different_bytes() -> None:
    """A share that is not stated is null, a share of nothing is "0"."""
    unstated = replace(ENTRY, transfers=(replace(TRANSFER, share_ppb=None),))
    nothing = replace(ENTRY, transfers=(replace(TRANSFER, share_ppb=0),))
    assert entry_body(unstated) != entry_body(nothing)


def test_order_of_transfers_and_the_previous_hash_count() -> None:
    """Two entries that differ only in transfer order, or only in what precedes them, differ."""
    second = replace(TRANSFER, credit="holder:i")
    one_way = entry_body(replace(ENTRY, transfers=(TRANSFER, second)))
    assert one_way != entry_body(replace(ENTRY, transfers=(second, TRANSFER)))
    assert entry_hash(GENESIS, one_way) != entry_hash("1" * 64, one_way)


def test_canonical_bytes_do_not_depend_on_key_order() -> None:
    """Canonical JSON sorts keys and writes no spaces."""
    assert canonical({"b": "中", "a": None}) == '{"a":null,"b":"中"}'.encode()


def test_recorded_act_keeps_its_hash_for_ever() -> None:
    """Numbers are strings, JSON its canonical text, bytes their hash, and what is not said is
    left out: a column added later changes no hash.
    """
    row = {"id": 2**53 + 1, "body": {"b": 1, "a": ["中", None]}, "file": b"x", "note": None}
    body = act_body(7, "rows", row)
    assert body.decode() == (
        '{"row":{"body":"{\\"a\\":[\\"中\\",null],\\"b\\":1}","file":'
        '"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",'
        '"id":"9007199254740993"},"seq":"7","table":"rows"}'
    )
    assert act_hash(GENESIS, body) == (
        "c82f9d7175b20ad1f1f0a69ac690ce4a8355c150a5ac2b39edb8708ef4d97688"
    )
    assert act_hash("1" * 64, body) != act_hash(GENESIS, body) != entry_hash(GENESIS, body)
