"""A second ledger in plain dicts, written only to say what the real one must reply.

It shares no code with the product but its records. What remains of a line is counted as it is
taken, never told from the entries; it keeps no chain and no totals.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from math import floor

from store.records.ledger import Transfer


class Refused(Exception):
    """The ledger must not do this."""


@dataclass
class Booked:
    """An entry: what it said when it was posted, and what remains of each line."""

    transfers: tuple[Transfer, ...]
    created_us: int
    period_id: int
    changes: str | None
    left: list[int]


@dataclass
class Waiting:
    """A hold that is neither posted nor voided, or how it ended."""

    amount_micro: int
    expires_us: int | None
    state: str = "pending"


class ReferenceLedger:
    """Accounts, entries and holds; every method refuses whole or happens whole."""

    def __init__(self, accounts: Sequence[str]) -> None:
        self.balances: dict[str, int] = dict.fromkeys(accounts, 0)
        self.entries: dict[str, Booked] = {}
        self.holds: dict[str, Waiting] = {}
        self.last_us = -1
        self.period_id = 1

    def post(
        self, key: str, transfers: Sequence[Transfer], now_us: int, changes: str | None = None
    ) -> Booked:
        """Book an entry, or return the one of the same key and body."""
        if stored := self.entries.get(key):
            if (stored.transfers, stored.changes) != (tuple(transfers), changes):
                raise Refused
            return stored
        after = dict(self.balances)
        for transfer in transfers:
            after[transfer.debit] = after.get(transfer.debit, 0) - transfer.amount_micro
            after[transfer.credit] = after.get(transfer.credit, 0) + transfer.amount_micro
        for code, micro in after.items():
            if code.startswith("owed:"):
                allowed = micro <= 0
            else:
                allowed = micro >= 0 or code.startswith("asker:")
            if not allowed:
                raise Refused
        self.balances = after
        self.last_us = max(now_us, self.last_us + 1)
        left = [transfer.amount_micro for transfer in transfers]
        booked = Booked(tuple(transfers), self.last_us, self.period_id, changes, left)
        self.entries[key] = booked
        return booked

    def reverse(self, key: str, now_us: int) -> Booked:
        """All that remains goes back, once."""
        entry = self._correctable(key)
        if f"reversal:{key}" in self.entries or not any(entry.left):
            raise Refused
        back = self._back(entry, entry.left, "reversal")
        booked = self.post(f"reversal:{key}", back, now_us, key)
        entry.left = [0] * len(entry.left)
        return booked

    def refund(self, key: str, amount_micro: int, name: str, now_us: int) -> Booked:
        """A part goes back, from each line by what remains."""
        if stored := self.entries.get(f"refund:{name}:{key}"):
            if sum(transfer.amount_micro for transfer in stored.transfers) != amount_micro:
                raise Refused
            return stored
        entry = self._correctable(key)
        if not 0 < amount_micro <= sum(entry.left):
            raise Refused
        parts = _portions(amount_micro, entry.left, f"refund:{name}:{key}")
        booked = self.post(f"refund:{name}:{key}", self._back(entry, parts, "refund"), now_us, key)
        entry.left = [has - part for has, part in zip(entry.left, parts, strict=True)]
        return booked

    def hold(
        self, name: str, transfers: Sequence[Transfer], expires_us: int | None, now_us: int
    ) -> Booked:
        """Set money aside until somebody posts or voids it."""
        key, amount_micro = f"hold:{name}", sum(t.amount_micro for t in transfers)
        if known := self.holds.get(name):
            if known.expires_us != expires_us:
                raise Refused
        elif self._over(expires_us, now_us):
            raise Refused
        booked = self.post(key, transfers, now_us)
        self.holds.setdefault(name, Waiting(amount_micro, expires_us))
        return booked

    def post_hold(self, name: str, transfers: Sequence[Transfer], now_us: int) -> Booked:
        """Move all of it on."""
        waiting = self._hold(name)
        if waiting.state == "voided" or self._expired(waiting, now_us):
            raise Refused
        if sum(transfer.amount_micro for transfer in transfers) != waiting.amount_micro:
            raise Refused
        booked = self.post(f"hold:{name}:post", transfers, now_us, f"hold:{name}")
        waiting.state = "posted"
        return booked

    def void_hold(self, name: str, now_us: int) -> Booked:
        """Move all of it back."""
        waiting, key = self._hold(name), f"hold:{name}"
        if waiting.state == "posted":
            raise Refused
        if waiting.state == "voided":
            return self.entries[f"{key}:void"]
        back = [
            replace(transfer, debit=key, credit=transfer.debit, line=line)
            for line, transfer in enumerate(self.entries[key].transfers)
        ]
        booked = self.post(f"{key}:void", back, now_us, key)
        waiting.state, self.entries[key].left = "voided", [0] * len(back)
        return booked

    def expire_holds(self, now_us: int) -> tuple[str, ...]:
        """Void what nobody decided in time."""
        over = [name for name, each in self.holds.items() if self._expired(each, now_us)]
        for name in sorted(over):
            self.void_hold(name, now_us)
        return tuple(sorted(over))

    def take_away(self, name: str, key: str, line: int, now_us: int) -> Booked:
        """What remains of a line goes to the disputed reserve."""
        entry = self.entries[key]
        if not entry.left[line]:
            raise Refused
        original = entry.transfers[line]
        moved = replace(
            original,
            debit=original.credit,
            credit="reserve:disputed",
            amount_micro=entry.left[line],
            reason="dispute_open",
            line=line,
        )
        booked = self.post(f"dispute:{name}:open", self._owing(moved, {}), now_us, key)
        entry.left[line] = 0
        return booked

    def give_on(self, name: str, key: str, line: int, to: str, now_us: int) -> Booked:
        """What a dispute took goes on, or back if `to` is where it came from."""
        original = self.entries[key].transfers[line]
        taken = self.entries[f"dispute:{name}:open"].transfers
        is_back = to == original.credit
        moved = replace(
            original,
            debit="reserve:disputed",
            credit=to,
            amount_micro=sum(transfer.amount_micro for transfer in taken),
            reason="dispute_back" if is_back else "dispute_on",
            line=line,
        )
        booked = self.post(f"dispute:{name}:close", [moved], now_us, key)
        if is_back:
            self.entries[key].left[line] += moved.amount_micro
        return booked

    def recoup(self, now_us: int) -> list[Booked]:
        """Every holder that owes and has money gives back what it can, once a period."""
        owing = [code for code, micro in sorted(self.balances.items()) if micro < 0]
        found = []
        for holder_id in [code[5:] for code in owing if code.startswith("owed:")]:
            account, owed = f"holder:{holder_id}", f"owed:{holder_id}"
            key = f"recoup:{self.period_id}:{holder_id}"
            amount_micro = min(self.balances[account], -self.balances[owed])
            if amount_micro and key not in self.entries:
                paid = Transfer(account, owed, amount_micro, "recoup")
                found.append(self.post(key, [paid], now_us))
        return found

    def _correctable(self, key: str) -> Booked:
        entry = self.entries.get(key)
        if entry is None or not key.startswith("answer:"):
            raise Refused
        return entry

    def _hold(self, name: str) -> Waiting:
        if name not in self.holds:
            raise Refused
        return self.holds[name]

    def _expired(self, waiting: Waiting, now_us: int) -> bool:
        return waiting.state == "pending" and self._over(waiting.expires_us, now_us)

    def _over(self, expires_us: int | None, now_us: int) -> bool:
        return expires_us is not None and max(now_us, self.last_us + 1) >= expires_us

    def _back(self, entry: Booked, amounts: Sequence[int], reason: str) -> list[Transfer]:
        spent: dict[str, int] = {}
        back: list[Transfer] = []
        for line, (original, micro) in enumerate(zip(entry.transfers, amounts, strict=True)):
            moved = replace(
                original,
                debit=original.credit,
                credit=original.debit,
                amount_micro=micro,
                reason=reason,
                line=line,
            )
            back += self._owing(moved, spent)
        return back

    def _owing(self, moved: Transfer, spent: dict[str, int]) -> list[Transfer]:
        """The transfer, in two where its holder has too little; `spent` is gone already."""
        micro = moved.amount_micro
        if moved.debit.startswith("holder:"):
            here = min(micro, self.balances[moved.debit] - spent.get(moved.debit, 0))
            spent[moved.debit] = spent.get(moved.debit, 0) + here
            owed = moved.debit.replace("holder:", "owed:")
            both = [(moved.debit, here), (owed, micro - here)]
        else:
            both = [(moved.debit, micro)]
        return [replace(moved, debit=code, amount_micro=part) for code, part in both if part]


def _portions(total: int, weights: Sequence[int], salt: str) -> list[int]:
    """Each weight's exact part rounded down, and the units left to the largest fractions."""
    exact = [Fraction(total * weight, sum(weights)) for weight in weights]
    parts = [floor(part) for part in exact]

    def place(line: int) -> tuple[Fraction, bytes]:
        return parts[line] - exact[line], sha256(f"{salt}\0{line}".encode()).digest()

    ranked = sorted(range(len(weights)), key=place)
    winners = set(ranked[: total - sum(parts)])
    return [part + (line in winners) for line, part in enumerate(parts)]
