"""The body of an entry is RFC 8785 JSON, whatever its texts are."""

from dataclasses import replace
from typing import Any

import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from store.chain import GENESIS, entry_body
from store.records.ledger import Entry, Transfer

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
maybe_texts = st.none() | texts
maybe_integers = st.none() | st.integers(-(2**63), 2**63 - 1)
transfers = st.builds(
    Transfer,
    debit=texts,
    credit=texts,
    amount_micro=st.integers(1, 2**63 - 1),
    reason=texts,
    answer_id=maybe_texts,
    statement_id=maybe_integers,
    author_id=maybe_texts,
    share_ppb=maybe_integers,
    line=maybe_integers,
)
entries = st.builds(
    Entry,
    seq=st.integers(1, 2**63 - 1),
    key=texts,
    prev_hash=st.just(GENESIS),
    hash=st.just(""),
    period_id=st.integers(1, 9),
    policy_version=st.integers(1, 9),
    created_us=st.integers(0, 2**63 - 1),
    transfers=st.lists(transfers, min_size=1, max_size=3).map(tuple),
    reverses=maybe_texts,
    corrects=maybe_texts,
    memo=maybe_texts,
)


def plain(record: Entry | Transfer, later: tuple[str, ...]) -> dict[str, str | None]:
    """The fields of a record as text; a later field that is None is left out."""
    return {
        name: None if value is None else str(value)
        for name, value in vars(record).items()
        if name not in ("prev_hash", "hash", "transfers")
        and (value is not None or name not in later)
    }


@settings(max_examples=300, deadline=None)
@given(entries)
def test_bodies_are_canonical_json_to_the_byte(entry: Entry) -> None:
    """The fast encoder says what an independent implementation of RFC 8785 says."""
    body: dict[str, Any] = dict(plain(entry, ("reverses", "corrects", "memo")))
    body["transfers"] = [plain(transfer, ("line",)) for transfer in entry.transfers]
    assert entry_body(entry) == rfc8785.dumps(body)


@settings(max_examples=100, deadline=None)
@given(entries, texts)
def test_other_text_has_other_bytes(entry: Entry, key: str) -> None:
    """Two keys have the same bytes only when they are the same."""
    same = entry_body(replace(entry, key=key)) == entry_body(entry)
    assert same == (key == entry.key)
