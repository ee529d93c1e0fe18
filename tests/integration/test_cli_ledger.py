"""`haozhi ledger show|reverse|refund|balance`: shapes, words, exit codes."""

from pathlib import Path

import pytest

from haozhi.accounting.settle import check_ledger
from store.engine import Engine, read
from tests.disputing import dispute
from tests.stored_books import Corpus, account_of
from tests.terminal import Terminal, settled_books

KEY = "answer:answer-1:dist:1"
WHY = ("--by", "管理员", "--note", "答案错了")


@pytest.fixture(autouse=True)
def corpus(sqlite_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Books with one paid answer."""
    return settled_books(sqlite_engine, tmp_path, monkeypatch)


@pytest.fixture
def ledger(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """The command line."""
    return Terminal(capsys, "ledger")


def test_an_entry_is_shown_with_what_remains(ledger: Terminal, corpus: Corpus) -> None:
    """Each line has its accounts, amount and reason; after a refund less of it remains."""
    shown = ledger.json("show", KEY)
    assert (shown["entry_id"], shown["seq"], shown["memo"]) == (KEY, 1, None)
    assert shown["reverses"] is None
    lines = {line["author_id"]: line for line in shown["lines"] if line["author_id"]}
    assert (lines[corpus.a]["amount_micro"], lines[corpus.a]["remaining_micro"]) == (4000, 4000)
    ledger.json("refund", KEY, "0.005", "--name", "一半", *WHY)
    again = ledger.json("show", KEY)["lines"]
    assert [line["remaining_micro"] for line in again] == [
        line["amount_micro"] // 2 for line in shown["lines"]
    ]
    code, out, _ = ledger.run("show", KEY)
    assert code == 0
    assert "asker:local -> reserve:unclaimed  unclaimed  (0.000500 remain)" in out


def test_a_refund_is_made_once_and_keeps_its_note(ledger: Terminal, sqlite_engine: Engine) -> None:
    """The same refund again changes nothing; who and why are in the memo."""
    first = ledger.json("refund", KEY, "0.002", "--name", "half", *WHY)
    assert first == ledger.json("refund", KEY, "0.002", "--name", "half", *WHY)
    assert (first["entry_id"], first["corrects"]) == (f"refund:half:{KEY}", KEY)
    assert first["memo"] == {"by": "管理员", "note": "答案错了"}
    assert sum(line["amount_micro"] for line in first["lines"]) == 2000
    assert ledger.json("balance", "asker:local")["balance_micro"] == -8000
    with read(sqlite_engine) as s:
        assert check_ledger(s) == ()


def test_an_entry_is_reversed_once(ledger: Terminal, sqlite_engine: Engine, corpus: Corpus) -> None:
    """All that remains goes back; a second reversal is one line and exit 4."""
    done = ledger.json("reverse", KEY, *WHY)
    assert (done["reverses"], done["memo"]["note"]) == (KEY, "答案错了")
    with read(sqlite_engine) as s:
        account = account_of(s, corpus.a)
        assert check_ledger(s) == ()
    assert ledger.run("balance", account) == (0, "0.000000\n", "")
    code, out, err = ledger.run("reverse", KEY, *WHY)
    assert (code, out) == (4, "")
    assert f"{KEY} is already reversed" in err


def test_what_waits_in_a_dispute_is_told_when_the_rest_goes_back(
    ledger: Terminal, sqlite_engine: Engine
) -> None:
    """A correction reaches only what remains of an entry: the rest is named with its dispute."""
    assert ledger.json("refund", KEY, "0.001", "--name", "before", *WHY)["disputed_micro"] == {}
    disputed = dispute(sqlite_engine)
    told = {disputed.id: disputed.amount_micro}
    assert ledger.json("refund", KEY, "0.001", "--name", "after", *WHY)["disputed_micro"] == told
    code, out, _ = ledger.run("reverse", KEY, *WHY)
    assert code == 0
    assert f"0.003600 waits in dispute {disputed.id} and was not taken back" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("show", "answer:x:dist:1"), 3, "no ledger entry answer:x:dist:1"),
        (("balance", "holder:x"), 3, "no account holder:x"),
        (("refund", KEY, "0.02", "--name", "n", *WHY), 4, "10000 remain"),
        (("refund", KEY, "1e99", "--name", "n", *WHY), 4, "no amount of credits"),
        (("refund", KEY, "1e999999", "--name", "n", *WHY), 4, "no amount of credits"),
        (("refund", KEY, "NaN", "--name", "n", *WHY), 4, "no amount of credits"),
        (("refund", KEY, "0.0000001", "--name", "n", *WHY), 4, "no amount of credits"),
        (("refund", KEY, "-1", "--name", "n", *WHY), 2, ""),
        (("refund", KEY, "0.001", "--name", "a:b", *WHY), 4, "without a colon"),
        (("refund", KEY, "0.001", "--name", "长" * 201, *WHY), 4, "without a colon"),
        (("refund", KEY, "0.001", "--name", "a\nb\x1b[31m", *WHY), 4, "without a colon"),
        (("reverse", KEY, "--by", "admin", "--note", " "), 4, "a note on why is empty"),
        (("reverse", KEY, "--by", "", "--note", "x"), 4, "who "),
        (("reverse", "answer:x:dist:1", *WHY), 3, "no ledger entry"),
    ],
)
def test_what_cannot_be_corrected_is_one_line(
    ledger: Terminal, arguments: tuple[str, ...], code: int, message: str
) -> None:
    """A wrong entry, amount, name or note is said in one line and nothing is written."""
    found, out, err = ledger.run(*arguments)
    assert (found, out) == (code, "")
    assert message in err
    assert ledger.json("balance", "asker:local")["balance_micro"] == -10_000
