"""`haozhi dispute` and `haozhi author`: shapes, words, exit codes."""

from pathlib import Path

import pytest

from store.engine import Engine
from tests.disputing import assert_whole, balances, key_of
from tests.stored_books import Corpus, settle
from tests.terminal import Terminal, settled_books

GROUND = "这句话是我先说的，见《团子日记》第 3 页。"


@pytest.fixture(autouse=True)
def corpus(sqlite_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Books with one paid answer."""
    return settled_books(sqlite_engine, tmp_path, monkeypatch)


@pytest.fixture
def haozhi(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """The command line."""
    return Terminal(capsys)


def test_a_dispute_from_opening_to_closing(
    haozhi: Terminal, sqlite_engine: Engine, corpus: Corpus
) -> None:
    """open, list, show and close say the same in JSON, with the ground as it was written."""
    opened = haozhi.json(
        "dispute", "open", key_of(), 0, "--by", "安", "--claimant", "B", "--ground", GROUND,
        "--keep-back",
    )  # fmt: skip
    assert opened.pop("opened_ms") > 0
    assert opened == {
        "id": opened["id"],
        "state": "open",
        "entry_id": key_of(),
        "line": 0,
        "amount_micro": 4000,
        "occurrence_id": corpus.statements[0].occurrence_id,
        "claimant_id": corpus.b,
        "ground": GROUND,
        "opened_by": "安",
        "closing": None,
    }
    assert [d["id"] for d in haozhi.json("dispute", "list", "--open")["disputes"]] == [opened["id"]]
    shown = haozhi.text("dispute", "show", opened["id"])
    assert shown.splitlines() == [
        f"dispute {opened['id']}, open",
        f"0.004000 of line 0 of {key_of()}",
        f"opened by 安, claimed by {corpus.b}: {GROUND}",
        f"later money for occurrence {opened['occurrence_id']} is kept back",
    ]
    ending = ("--to", corpus.b, "--by", "Bo", "--note", "日记在先")
    closed = haozhi.json("dispute", "close", opened["id"], *ending)
    assert (closed["state"], closed["closing"]["outcome"]) == ("closed", "on")
    assert closed["closing"]["note"] == "日记在先"
    assert haozhi.json("dispute", "list", "--open") == {"disputes": []}
    assert haozhi.json("dispute", "show", opened["id"]) == closed
    paid = closed["closing"]
    assert (paid["author_id"], paid["name"]) == (corpus.b, "B")
    assert (
        f"closed by Bo, the money went on to B (author {corpus.b}, holder {paid['holder_id']}):"
        in haozhi.text("dispute", "show", opened["id"])
    )
    assert balances(sqlite_engine, corpus)["B"] == 7500
    assert_whole(sqlite_engine)


def test_a_closed_dispute_names_who_was_paid(haozhi: Terminal, corpus: Corpus) -> None:
    """The name of a merged author means whom it was merged into, and the answer says so."""
    haozhi.text("author", "merge", "A", "B", "--by", "x")
    opened = haozhi.json("dispute", "open", key_of(), 0, "--by", "x", "--ground", GROUND)
    ending = ("--to", "A", "--by", "x", "--note", "so")
    said = haozhi.text("dispute", "close", opened["id"], *ending).splitlines()[-1]
    assert said.startswith(f"closed by x, the money went on to B (author {corpus.b}, holder ")
    (listed,) = haozhi.json("dispute", "list")["disputes"]
    assert (listed["closing"]["author_id"], listed["closing"]["name"]) == (corpus.b, "B")


def test_a_dispute_closed_as_back(haozhi: Terminal, sqlite_engine: Engine, corpus: Corpus) -> None:
    """--back returns the money, and the list shows what is closed."""
    opened = haozhi.json("dispute", "open", key_of(), 1, "--by", "x", "--ground", "no")
    said = haozhi.text("dispute", "close", opened["id"], "--back", "--by", "x", "--note", "so")
    assert said.splitlines()[-1] == "closed by x, the money went back: so"
    (line,) = haozhi.text("dispute", "list").splitlines()
    assert line == f"{opened['id']}  closed        0.003500  line 1 of {key_of()}"
    assert balances(sqlite_engine, corpus)["B"] == 3500


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["open", "answer:none:dist:1", "0"], 3, "there is no ledger entry answer:none:dist:1"),
        (["open", key_of(), "4"], 3, "has no line 4: its lines are 0 to 3"),
        (["open", key_of(), "0", "--claimant", "谁"], 3, "no author has the id or name '谁'"),
        (["open", key_of(), "3"], 4, "credits nobody for a statement (unsupported)"),
        (["open", key_of(), "0", "--ground", " "], 4, "its ground is empty: say it in words"),
        (["open", key_of(), "one"], 2, "should be a valid integer"),
        (["close", "d0", "--note", "n", "--back"], 3, "there is no dispute 'd0'"),
        (["close", "d0", "--note", "n"], 2, "--back, or --to HOLDER"),
        (["close", "d0", "--note", "n", "--back", "--to", "A"], 2, "--back, or --to HOLDER"),
    ],
)
def test_a_wrong_dispute_is_one_line_with_its_code(
    haozhi: Terminal, sqlite_engine: Engine, arguments: list[str], code: int, said: str
) -> None:
    """2 usage, 3 not found, 4 bad input; nothing on stdout and nothing written."""
    more = ["--by", "x"]
    if arguments[0] == "open" and "--ground" not in arguments:
        more += ["--ground", "g"]
    found, out, err = haozhi.run("dispute", *arguments, *more)
    assert (found, out) == (code, "")
    assert said in err
    assert code == 2 or len(err.splitlines()) == 1
    assert haozhi.json("dispute", "list") == {"disputes": []}
    assert_whole(sqlite_engine)


def test_an_erasure_says_where_the_name_still_stands(haozhi: Terminal) -> None:
    """A ground is part of the books: the admin reads which disputes have the name in theirs."""
    opened = haozhi.json("dispute", "open", key_of(), 0, "--by", "x", "--ground", "A没有说过")
    said = haozhi.text("author", "erase", "A", "--by", "x").splitlines()[1]
    assert said == (
        f"1 grounds and notes still have the name and stay as they are: dispute {opened['id']}"
    )


def test_authors_are_listed_shown_and_erased(haozhi: Terminal, corpus: Corpus) -> None:
    """A listed author is shown with what there is; erased, the id stays and says so."""
    listed = haozhi.json("author", "list")["authors"]
    assert [(row["id"], row["name"], row["erased_ms"]) for row in listed] == [
        (corpus.a, "A", None),
        (corpus.b, "B", None),
    ]
    shown = haozhi.json("author", "show", "A")
    assert (shown["balance_micro"], shown["owed_micro"], shown["statements"]) == (4000, 0, 1)
    assert haozhi.text("author", "erase", "A", "--by", "x") == (
        f"author {corpus.a} erased;"
        " rows deleted or blanked: names 1, aliases 0, identifiers 0, payees 0, asker links 0,"
        " jobs 0, job files 0\n"
    )
    again = haozhi.json("author", "erase", corpus.a, "--by", "x")
    assert again == {
        "author_id": corpus.a, "already_erased": True, "deleted": None, "still_named": None
    }  # fmt: skip
    assert haozhi.text("author", "show", corpus.a).startswith(f"(erased) ({corpus.a})\n")
    assert haozhi.text("author", "list").splitlines()[0] == f"{corpus.a}  (erased)"
    assert haozhi.run("author", "show", "A")[0] == 3
    assert haozhi.run("author", "erase", "谁", "--by", "x")[0] == 3
    assert haozhi.run("author", "list", "--after", "Z")[0] == 3


@pytest.mark.usefixtures("model_dir")
def test_an_erased_author_can_be_withdrawn_too(haozhi: Terminal, corpus: Corpus) -> None:
    """--withdraw counts what was taken out of retrieval."""
    done = haozhi.json("author", "erase", "A", "--by", "x", "--withdraw")
    assert (done["statements_withdrawn"], done["vectors_removed"]) == (1, 0)
    assert haozhi.json("author", "show", corpus.a)["statements"] == 0


@pytest.mark.usefixtures("model_dir")
def test_a_withdrawn_statement_keeps_its_credit(
    haozhi: Terminal, sqlite_engine: Engine, corpus: Corpus
) -> None:
    """Retrieval stops; what was earned stays, and an answer given before is still paid."""
    assert haozhi.json("withdraw", corpus.statements[0].statement_id)["vectors_removed"] == 0
    assert haozhi.json("author", "show", "A")["statements"] == 0
    settle(sqlite_engine, corpus, 2)
    assert balances(sqlite_engine, corpus)["A"] == 8000
    assert_whole(sqlite_engine)
