"""Credit reports over real books: they tie to the ledger, and closed ones never change."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from haozhi.accounting.report import CreditReport
from haozhi.accounting.settle import check_ledger, post_final
from haozhi.auditing import Audit
from haozhi.erasing import erase
from haozhi.proofs.draw import draw
from haozhi.proofs.notes import note_hash
from haozhi.reports.credit_report import credit_report, report_bytes
from haozhi.reports.report_view import report_view
from haozhi.reports.signed import signed_bytes
from store import ledger, rights
from store.answers import add_answer
from store.audits import list_audits
from store.chain import GENESIS
from store.clock import now_us
from store.credit_reports import report_leaves
from store.engine import Engine, Session, read, write
from store.errors import BadInput, BooksDiffer, NotFound
from store.ledger.reasons import COLUMNS, IN, OUT
from store.periods import begin_closing, list_periods
from store.records.ledger import Transfer
from tests.books import an_attribution
from tests.closed_books import close, files_of, same
from tests.payable_books import add_policy
from tests.signed_books import intruder
from tests.stored_books import NOW, Corpus, account_of, add_corpus, grant, settle

DAY_US = 24 * 60 * 60 * 1_000_000


@pytest.fixture
def corpus(engine: Engine) -> Corpus:
    """Three statements by A, by B and by nobody known."""
    return add_corpus(engine)


def assert_ties(s: Session, report: CreditReport) -> None:
    """Every column is the sum of its lines, and so is every statement."""
    code = f"holder:{report.holder_id}"
    lines = tuple(ledger.report_lines(s, code, report.period.id))
    assert report.line_count == len(lines)
    columns = dict.fromkeys(COLUMNS, 0)
    statements: dict[int | None, list[int]] = {}
    for line in lines:
        column, sign = (IN if line.amount_micro > 0 else OUT)[line.reason]
        columns[column] += sign * abs(line.amount_micro)
        if column in ("earned", "adjustments"):
            statements.setdefault(line.statement_id, []).append(line.amount_micro)
    assert columns == {name: getattr(report, f"{name}_micro") for name in COLUMNS}
    assert {t.statement_id: t.amount_micro for t in report.statements} == {
        statement: sum(amounts) for statement, amounts in statements.items()
    }
    assert sum(work.amount_micro for work in report.works) == (
        report.earned_micro - report.adjustments_micro
    )
    moved = sum(line.amount_micro for line in lines)
    assert report.opening_micro + moved == report.closing_micro


def test_every_column_and_statement_is_the_sum_of_its_lines(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """Shares, a grant, a refund, a reversal, a hold: open and closed reports tie line by line."""
    with write(engine) as s:
        grant(s, corpus, "press", 250_000)
    for number in range(5):
        settle(engine, corpus, number)
    with write(engine) as s:
        ledger.refund(s, "answer:answer-1:dist:1", 777, name="r", now_us=NOW)
        ledger.reverse(s, "answer:answer-2:dist:1", now_us=NOW)
        code = account_of(s, corpus.b)
        ledger.hold(s, "h", [Transfer(code, "hold:h", 900, "payout")], policy_version=1, now_us=NOW)
    with read(engine) as s:
        before = [credit_report(s, who) for who in (corpus.a, "B", "Press")]
        for report in before:
            assert_ties(s, report)
            assert report.status == "provisional"
    assert before[1].paid_micro == 900
    close(engine, tmp_path)
    with read(engine) as s:
        for report in before:
            after = credit_report(s, report.holder_id, 1)
            assert_ties(s, after)
            assert after.status == "final"
            for name in (*COLUMNS, "opening", "closing"):
                assert getattr(after, f"{name}_micro") == getattr(report, f"{name}_micro")
            following = credit_report(s, report.holder_id)
            assert following.opening_micro == following.closing_micro == after.closing_micro
        assert check_ledger(s) == ()


def test_the_files_of_a_closed_period_never_change(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """Later postings, a second place of the statement, and an erased name change no byte."""
    for number in range(4):
        settle(engine, corpus, number)
    close(engine, tmp_path)
    with read(engine) as s:
        holder = rights.get_holder(s, corpus.a)
        first = (*files_of(s, holder.id, 1), signed_bytes(s, 1, holder)[1])
        assert b'"A"' not in b"".join(first)
    with write(engine) as s:
        ledger.refund(s, "answer:answer-1:dist:1", 500, name="late", now_us=NOW)
        s.execute(text("UPDATE works SET title = 'another title'"))
    settle(engine, corpus, 9)
    erase(engine, corpus.a, by="Ada")
    close(engine, tmp_path)
    with read(engine) as s:
        assert (*files_of(s, holder.id, 1), signed_bytes(s, 1, holder)[1]) == first
        report = credit_report(s, corpus.a, 1)
        assert report.status == "amended"
        assert report_bytes(report) == first[2]
        assert credit_report(s, corpus.b, 2).status == "final"
        view = report_view(s, corpus.a, 1)
    assert view["author"] == {"id": corpus.a, "name": None}
    assert [work["title"] for work in view["works"]] == ["another title"]


def test_only_holders_with_lines_or_money_get_a_report(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """B has nothing in period 2 but money; a holder without either has none."""
    with write(engine) as s:
        grant(s, corpus, "idle", 1)
    settle(engine, corpus, 1, fee_micro=10)
    close(engine, tmp_path)
    close(engine, tmp_path, 2)
    with read(engine) as s:
        a, b = (account_of(s, each).removeprefix("holder:") for each in (corpus.a, corpus.b))
        assert [holder for holder, _ in report_leaves(s, 1)] == sorted([a, b])
        assert [holder for holder, _ in report_leaves(s, 2)] == sorted([a, b])
        idle = credit_report(s, "idle", 1)
        assert (idle.status, idle.closing_micro, idle.line_count) == ("final", 0, 0)


def test_young_money_is_held_and_little_money_is_carried(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """Of 4,000 a day that are 40, 20 and 1 days old, with 30 days to wait: one day's is due; what
    was taken back of a young line does not lessen it.
    """
    with write(engine) as s:
        add_policy(s, {"hold_days": 30, "payout_threshold_micro": 4000})
    ages = (40, 20, 1)
    for number, days in enumerate(ages):
        settle_at(engine, corpus, number, now_us() - days * DAY_US)
    with write(engine) as s:
        ledger.refund(s, "answer:answer-1:dist:1", 1000, name="young", now_us=now_us())
    close(engine, tmp_path)
    with read(engine) as s:
        a, b = credit_report(s, corpus.a, 1), credit_report(s, corpus.b, 1)
        assert (a.payable_micro, a.carried_micro, a.held_micro) == (4000, 0, 7600)
        assert (b.payable_micro, b.carried_micro, b.held_micro) == (0, 3500, 6650)
        so_far = credit_report(s, corpus.a)
    assert (so_far.payable_micro, so_far.carried_micro, so_far.held_micro) == (4000, 0, 7600)


def settle_at(engine: Engine, corpus: Corpus, number: int, at_us: int) -> None:
    """As `settle`, booked at this time."""
    answer = replace(corpus.answer(number), created_us=at_us)
    shares = corpus.shares(400_000_000, 350_000_000, 100_000_000)
    with write(engine) as s:
        add_answer(s, answer)
        post_final(s, answer, an_attribution(shares, answer), now_us=at_us)


def test_a_payout_takes_of_what_the_last_report_said(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """In an open period what is left of the last payable stays so; new money is held."""
    with write(engine) as s:
        add_policy(s, {"hold_days": 0, "payout_threshold_micro": 1})
    settle(engine, corpus, 1)
    close(engine, tmp_path)
    with write(engine) as s:
        code = account_of(s, corpus.a)
        paid = Transfer(code, "hold:h", 1500, "payout")
        ledger.hold(s, "h", [paid], policy_version=1, now_us=now_us())
    settle(engine, corpus, 2)
    with read(engine) as s:
        report = credit_report(s, corpus.a)
    assert (report.payable_micro, report.carried_micro, report.held_micro) == (2500, 0, 4000)


def test_a_close_is_asked_for_by_name_and_finishes_what_was_begun(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """An empty period is closed only by its id, a closing one first, a closed one not again."""
    with pytest.raises(BadInput, match="period 1 has no entries"):
        close(engine, tmp_path)
    settle(engine, corpus, 1)
    with write(engine) as s:
        begin_closing(s, by="Bo", now_us=now_us())
    settle(engine, corpus, 2)
    with pytest.raises(BadInput, match="period 1 is being closed"):
        close(engine, tmp_path, 2)
    with pytest.raises(NotFound, match="period 9"):
        close(engine, tmp_path, 9)
    first = close(engine, tmp_path)
    assert (first.period.id, first.period.closed_by, first.entries) == (1, "Bo", 1)
    assert close(engine, tmp_path, 1) == first
    assert close(engine, tmp_path).period.id == 2
    with read(engine) as s:
        assert [p.state for p in list_periods(s)] == ["CLOSED", "CLOSED", "OPEN"]
        borders = list_periods(s)
        assert borders[0].closed_us == borders[1].opened_us
        assert check_ledger(s) == ()


def test_answers_are_drawn_by_the_previous_checkpoint_and_audited_once(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """As many answers of the period as the policy says; the largest difference is signed."""
    asked: list[tuple[str, ...]] = []

    def audit(answer_ids: Sequence[str]) -> tuple[Audit, ...]:
        asked.append(tuple(answer_ids))
        found = [Audit(i, "same", 0, "m", "m") for i in answer_ids]
        found[1] = replace(found[1], state="differs", largest_ppb=12)
        found[2] = replace(found[2], state="not_replayable", largest_ppb=None)
        return tuple(found)

    for number in range(6):
        settle(engine, corpus, number)
    first = close(engine, tmp_path, audit=audit)
    for number in range(6, 12):
        settle(engine, corpus, number)
    second = close(engine, tmp_path, audit=audit)
    assert (first.audited, first.largest_ppb) == (3, 12)
    assert "\naudit 3 12\n" in first.note
    assert asked[0] == draw(GENESIS, [f"answer-{n}" for n in range(6)], 4)
    assert asked[1] == draw(note_hash(first.note), [f"answer-{n}" for n in range(6, 12)], 4)
    with read(engine) as s:
        assert [each.state for each in list_audits(s, 2)].count("differs") == 1
    assert close(engine, tmp_path, 2, audit=audit) == second
    assert len(asked) == 2


def test_an_auditor_that_leaves_an_answer_out_signs_nothing(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """Each answer that was drawn is answered for; the close is finished by one that does so."""
    settle(engine, corpus, 1)
    settle(engine, corpus, 2)
    with pytest.raises(AssertionError, match="were drawn"):
        close(engine, tmp_path, audit=lambda ids: same(ids[1:]))
    with read(engine) as s:
        assert list_audits(s, 1) == ()
    assert close(engine, tmp_path).audited == 2


@pytest.mark.parametrize(
    ("damage", "mend"),
    [
        (
            "UPDATE transfers SET amount_micro = amount_micro + 1 WHERE id = 65536",
            "UPDATE transfers SET amount_micro = amount_micro - 1 WHERE id = 65536",
        ),
        (
            "UPDATE account_totals SET in_micro = in_micro + 1 WHERE reason = 'share'",
            "UPDATE account_totals SET in_micro = in_micro - 1 WHERE reason = 'share'",
        ),
        (
            "UPDATE entries SET key = 'answer:x:dist:1' WHERE seq = 2",
            "UPDATE entries SET key = 'answer:answer-1:dist:1' WHERE seq = 2",
        ),
    ],
)
def test_damaged_books_are_not_signed(
    sqlite_engine: Engine, tmp_path: Path, damage: str, mend: str
) -> None:
    """A row that is not what was posted, or a total that is not its lines: the close is refused
    with exit code 1; mended, the same close is finished.
    """
    corpus = add_corpus(sqlite_engine)
    for number in range(3):
        settle(sqlite_engine, corpus, number)
    with intruder(sqlite_engine) as connection:
        connection.execute(damage)
    with pytest.raises(BooksDiffer, match="haozhi ledger check") as refused:
        close(sqlite_engine, tmp_path)
    assert refused.value.exit_code == 1
    with read(sqlite_engine) as s:
        assert [p.state for p in list_periods(s)] == ["CLOSING", "OPEN"]
        assert s.scalar(text("SELECT count(*) FROM checkpoints")) == 0
    with intruder(sqlite_engine) as connection:
        connection.execute(mend)
    assert close(sqlite_engine, tmp_path).period.id == 1
    with read(sqlite_engine) as s:
        assert check_ledger(s) == ()


def test_a_changed_report_row_is_named(sqlite_engine: Engine, tmp_path: Path) -> None:
    """A stored report that is not what was signed is not exported as if it were."""
    corpus = add_corpus(sqlite_engine)
    settle(sqlite_engine, corpus)
    close(sqlite_engine, tmp_path)
    with intruder(sqlite_engine) as connection:
        connection.execute(
            "UPDATE credit_reports SET carried_micro = 0, held_micro = closing_micro"
        )
    with read(sqlite_engine) as s, pytest.raises(BooksDiffer, match="not what was signed"):
        signed_bytes(s, 1, rights.get_holder(s, corpus.a))


def test_a_report_shows_its_newest_thousand_lines(sqlite_engine: Engine) -> None:
    """JSON has at most 1,000 lines, the newest, in booking order, and says how many it left out."""
    corpus = add_corpus(sqlite_engine)
    with write(sqlite_engine) as s:
        code = account_of(s, corpus.a)
        for number in range(3):
            shares = [Transfer("asker:x", code, 1 + n, "share") for n in range(400)]
            ledger.post(s, f"k{number}", shares, policy_version=1, now_us=NOW)
    with read(sqlite_engine) as s:
        view = report_view(s, "A")
    assert (view["line_count"], view["lines_left_out"], len(view["lines"])) == (1200, 200, 1000)
    assert [line["amount_micro"] for line in view["lines"][:2]] == [201, 202]
    assert view["lines"][-1]["entry_id"] == "k2"


def test_a_shared_question_is_in_the_files_and_no_other(engine: Engine, corpus: Corpus) -> None:
    """Only the question whose asker allowed it can be read by who is paid for the answer."""
    settle(engine, corpus, 1, question="谁先说的？", options={"share_question": True})
    settle(engine, corpus, 2, question="secret", options={"share_question": False})
    settle(engine, corpus, 3, question="secret")
    with read(engine) as s:
        lines = tuple(ledger.report_lines(s, account_of(s, corpus.a), 1))
        assert [line.question for line in lines] == ["谁先说的？", None, None]
        assert {line.work_id for line in lines} == {corpus.work_id}
        assert {line.counterparty for line in lines} == {"asker"}
