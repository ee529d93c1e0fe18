"""Works by people whom their names alone do not tell apart, and answers that rest on them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from haozhi.accounting.settle import check_ledger, post_final
from store import identities, ledger
from store.answers import add_answer
from store.clock import now_us
from store.engine import Engine, Session, read, write
from store.identities import Decided, Named, author_named
from store.identities.money import held_micro
from store.people import get_author
from store.records.answers import ContextEntry
from store.records.corpus import AuthorShare
from store.statements import NewStatement, add_statements, get_statements
from store.works import NewWork, add_work
from tests.books import an_answer, an_attribution

FEE = 9_000


@dataclass(frozen=True)
class Said:
    """A statement that makes up a work, and the author whom its name meant when it came in."""

    author_id: str
    work_id: str
    statement_id: int


@dataclass(frozen=True)
class People:
    """A database in which people say things and are paid for answers."""

    engine: Engine
    numbers: "count[int]" = field(default_factory=lambda: count(1))

    def say(
        self,
        name: str,
        *,
        vouched: bool = False,
        namespace: str = "default",
        identifier: str | None = None,
    ) -> Said:
        """One more work, a statement by this name."""
        number = next(self.numbers)
        text = f"the statement of number {number}, 第 {number} 句"
        new = NewWork(
            *("public", f"{number:064x}", 1, f"{number}.txt", f"work {number}"),
            *("text/plain", "utf-8", namespace, text),
        )
        known = identities.parse_identifier(identifier) if identifier else None
        with write(self.engine) as s:
            work_id = add_work(s, new)
            author_id = author_named(s, Named(name, known, vouched), namespace, work_id)
            by = (AuthorShare(author_id, 1_000_000),)
            statement = NewStatement(text, "en", 0, len(text), by)
            (added,) = add_statements(s, work_id, "public", [statement])
        return Said(author_id, work_id, added.statement_id)

    def ask(self, *said: Said, before_booking: Callable[[], object] = lambda: None) -> str:
        """An answer that rests on these in equal parts; who is credited is who says it now."""
        number = next(self.numbers)
        with write(self.engine) as s:
            found = get_statements(s, [each.statement_id for each in said])
            context = tuple(
                ContextEntry(
                    *(i, each.id, each.hash, each.occurrences[0].id, f"p{i}", True),
                    *(2 * i, 2 * i + 2, 0.9),
                )
                for i, each in enumerate(found)
            )
            answer = an_answer(
                id=f"answer-{number}", created_us=now_us(), context=context, fee_micro=FEE
            )
            part = 1_000_000_000 // len(found)
            credited = ((each.id, each.occurrences[0].authors[0].author_id) for each in found)
            attribution = an_attribution(dict.fromkeys(credited, part), answer)
            add_answer(s, answer)
        before_booking()
        with write(self.engine) as s:
            post_final(s, answer, attribution, now_us=now_us())
        return ledger.distribution_key(answer.id)

    def credited(self, said: Said) -> str:
        """Who says it now."""
        with read(self.engine) as s:
            (statement,) = get_statements(s, [said.statement_id])
        (share,) = statement.occurrences[0].authors
        assert share.ppm == 1_000_000
        return share.author_id

    def money(self, *author_ids: str) -> tuple[tuple[int, int], ...]:
        """What is in the account of each author, and what is held for the author."""
        with read(self.engine) as s:
            held = held_micro(s, author_ids)
            return tuple((_balance(s, i), held.get(i, 0)) for i in author_ids)

    def reserve(self) -> int:
        """What is in the reserve of unclaimed money."""
        with read(self.engine) as s:
            return ledger.find_balance(s, "reserve:unclaimed")

    def merge(self, giver: str, taker: str) -> Decided:
        """Decide that two are one."""
        with write(self.engine) as s:
            return identities.merge(s, giver, taker, "root")

    def confirm(self, author_id: str) -> Decided:
        """Decide that somebody is a person of their own."""
        with write(self.engine) as s:
            return identities.confirm(s, author_id, "root")

    def split(self, author_id: str, *said: Said) -> Decided:
        """Decide that these are somebody else's."""
        with write(self.engine) as s:
            return identities.split(s, author_id, [each.work_id for each in said], "root")

    def undo(self, decided: Decided) -> Decided:
        """Take a decision back."""
        with write(self.engine) as s:
            return identities.undo(s, decided.decision.id, "root")

    def assert_whole(self) -> None:
        """Nothing in the books contradicts anything else."""
        with read(self.engine) as s:
            found = check_ledger(s)
        assert found == (), found


def _balance(s: Session, author_id: str) -> int:
    return ledger.balance(s, f"holder:{get_author(s, author_id).holder_id}")
