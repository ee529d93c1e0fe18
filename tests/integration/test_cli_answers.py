"""The commands about answers, with the builtin models: their shapes, exit codes and words."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import haozhi.replay
from haozhi import cli
from haozhi.replay import Replay
from haozhi.samples import sample_paths
from store.database import is_current
from store.engine import make_engine
from store.errors import HaozhiError, ModelMissing

HAOZHI = Path(sys.executable).with_name("haozhi")
SUM = "1+1+1 等于几？"


def _environment(data_dir: Path, **more: str) -> dict[str, str]:
    """What a plain C locale gives, so that nothing is owed to the tester's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
    chosen = {"LANG": "C", "PYTHONIOENCODING": "utf-8", "HAOZHI_DATA_DIR": str(data_dir)}
    return {**kept, **chosen, **more}


def _haozhi(data_dir: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """The command as a process with its output in pipes."""
    environment = _environment(data_dir, **more)
    return subprocess.run([HAOZHI, *arguments], env=environment, capture_output=True, check=False)


def _here(*arguments: str, stdin: str | bytes = "") -> Result:
    """The command in this process, where the models' libraries are loaded once."""
    return CliRunner().invoke(cli.app, list(arguments), input=stdin)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory, model_dir: Path) -> Iterator[Path]:
    """A data folder with the sample corpus, which the settings name while the module runs."""
    folder = tmp_path_factory.mktemp("cli") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HAOZHI_DATA_DIR", str(folder))
        patch.setenv("HAOZHI_MODEL_DIR", str(model_dir))
        done = _here("ingest", "--json", *map(str, sample_paths()))
        told = json.loads(done.stdout)
        assert told.pop("job_id").startswith("j")
        assert told == {
            "works": 6,
            "statements": 52,
            "duplicates": 0,
            "unchanged": 0,
            "removed": 0,
            "skipped": [],
            "rejected": [],
            "notes": [],
        }
        yield folder


@pytest.fixture(scope="module")
def asked(data_dir: Path) -> dict[str, Any]:
    """The JSON of one answer: one line on stdout, nothing on stderr, exit code 0."""
    done = _haozhi(data_dir, "ask", "--json", SUM)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    view: dict[str, Any] = json.loads(done.stdout)
    return view


# The stable shape: a name in quotes is a type, a list holds rows of one shape.
ID, TEXT, PPB, NUMBER = str, str, int, (float, int)
SHAPE: dict[str, Any] = {
    "id": ID,
    "kind": str,
    "state": str,
    "refusal": (str, type(None)),
    "question": TEXT,
    "claim": (str, type(None)),
    "text": TEXT,
    "language": str,
    "model": str,
    "segments": [
        {
            "start": int,
            "end": int,
            "weight": float,
            "state": str,
            "citations": [{"statement_id": int, "share_ppb": PPB}],
            "supports": [{"set": [int], "strength": NUMBER, "method": str}],
            "contradicts": [int],
            "also": [int],
        }
    ],
    "context": [
        {
            "statement_id": int,
            "text": TEXT,
            "display": str,
            "authors": [{"id": ID, "name": TEXT, "share_ppm": int}],
            "player": str,
            "work": {"id": ID, "title": TEXT},
            "start": int,
            "end": int,
            "included": bool,
            "retrieval": float,
            "attention": (float, type(None)),
            "gradient": (float, type(None)),
            "influence_nats": (float, type(None)),
            "support": (float, int, type(None)),
            "share_ppb": PPB,
        }
    ],
    "also": [
        {
            "statement_id": int,
            "text": (str, type(None)),
            "display": str,
            "authors": [{"id": ID, "name": TEXT, "share_ppm": int}],
            "work": {"id": ID, "title": TEXT},
        }
    ],
    "over_budget": [int],
    "shares": [
        {
            "author_id": (str, type(None)),
            "name": (str, type(None)),
            "share_ppb": PPB,
            "low_ppb": PPB,
            "high_ppb": PPB,
            "relation": (str, type(None)),
        }
    ],
    "unattributed_ppb": PPB,
    "unattributed": dict.fromkeys(("unsupported", "already_known", "below_noise", "disagree"), PPB),
    "grounding": (float, type(None)),
    "rule": str,
    "tier": str,
    "moved_ppb": PPB,
    "fee_micro": int,
    "entry_id": (str, type(None)),
    "postings": [{"from": str, "account": str, "amount_micro": int, "reason": str}],
    "timings_ms": dict.fromkeys(
        ("retrieve", "prompt", "generate", "attribute", "look_up", "store"), int
    ),
    "receipt": {
        **dict.fromkeys(("version", "ledger", "answer_id", "entry_key", "entry_seq"), str),
        **dict.fromkeys(("entry_hash", "unattributed_ppb", "fee_micro", "created_us"), str),
        "shares": [
            {"statement_id": str, "author_id": (str, type(None)), "share_ppb": str},
        ],
        **dict.fromkeys(("promise", "public_key", "signature"), str),
    },
}


def _misshapen(value: Any, shape: Any, at: str = "") -> list[str]:
    """Where a value is not of the shape."""
    if isinstance(shape, dict):
        if not isinstance(value, dict) or value.keys() != shape.keys():
            return [at]
        return [bad for key in shape for bad in _misshapen(value[key], shape[key], f"{at}.{key}")]
    if isinstance(shape, list):
        rows = value if isinstance(value, list) else [None]
        return [
            bad for i, row in enumerate(rows) for bad in _misshapen(row, shape[0], f"{at}[{i}]")
        ]
    exact = type(value) in (shape if isinstance(shape, tuple) else (shape,))
    return [] if exact else [f"{at}: {value!r}"]


def test_json_of_an_answer_has_the_stable_shape(asked: dict[str, Any]) -> None:
    """Scripts may rely on every key and type; no key comes or goes unseen."""
    assert _misshapen(asked, SHAPE) == []
    assert (asked["kind"], asked["state"], asked["tier"]) == ("ask", "answered", "final")
    assert (asked["question"], asked["language"]) == (SUM, "zh")
    assert asked["entry_id"] == f"answer:{asked['id']}:dist:1"


def test_json_of_an_answer_adds_up(asked: dict[str, Any]) -> None:
    """Shares and causes are 10^9; a statement's citations its share; postings the fee."""
    shares = sum(row["share_ppb"] for row in asked["shares"])
    assert shares + asked["unattributed_ppb"] == 10**9
    assert sum(asked["unattributed"].values()) == asked["unattributed_ppb"]
    for entry in asked["context"]:
        cited = [c for s in asked["segments"] for c in s["citations"]]
        own = (c["share_ppb"] for c in cited if c["statement_id"] == entry["statement_id"])
        assert sum(own) == entry["share_ppb"]
    assert sum(p["amount_micro"] for p in asked["postings"]) == asked["fee_micro"]


def test_a_stored_answer_is_shown_as_it_was(data_dir: Path, asked: dict[str, Any]) -> None:
    """`answers show --json` gives what `ask --json` gave, and `answers list` names it."""
    done = _haozhi(data_dir, "answers", "show", "--json", asked["id"])
    assert json.loads(done.stdout) == asked
    assert asked["id"] in _here("answers", "list").stdout


def test_why_tells_what_was_measured_and_spent(data_dir: Path, asked: dict[str, Any]) -> None:
    """One line of JSON with both tiers; in words each says its rule and what it spent."""
    done = _haozhi(data_dir, "answers", "why", "--json", asked["id"])
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 1)
    first, last = (why := json.loads(done.stdout))["attributions"]
    assert (first["tier"], last["tier"], why["moved_ppb"]) == (
        "provisional",
        "final",
        asked["moved_ppb"],
    )
    assert 0 < last["passes"] <= last["budget"]
    values = {tuple(c["statement_ids"]): c["nats"] for c in last["coalitions"]}
    assert values[()] == pytest.approx(last["v_none"], abs=1e-3)
    assert {s["relation"] for s in last["supports"]} <= {"supports", "contradicts", "also"}
    shown = _here("answers", "why", asked["id"]).stdout
    for word in (
        "暂定份额（",
        "最终份额（used-and-supported/",
        "允许的运行次数：",
        "支持：",
        "各陈述的影响",
    ):
        assert word.rstrip("：") in shown
    assert _haozhi(data_dir, "answers", "why", "an0").returncode == 3


@pytest.fixture(scope="module")
def told(data_dir: Path, asked: dict[str, Any]) -> str:
    """The answer for people, from a C locale, in a pipe."""
    done = _haozhi(data_dir, "answers", "show", asked["id"])
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_people_read_the_answer_in_its_language(told: str, asked: dict[str, Any]) -> None:
    """A Chinese answer comes with Chinese words: label, sources, shares, fee."""
    assert told.startswith(f"{SUM}\n\n{asked['text']}\n由 AI 生成")
    assert re.search(r"\[1\] A · sums\n +1 \+ 1 = 2\n", told)
    assert re.search(r"^  A +█+[▉-▏]? +\d+\.\d %", told, re.MULTILINE)
    assert f"答案 {asked['id']}：费用 1.000000 点" in told


def test_bars_of_authors_start_in_one_column(told: str) -> None:
    """A Chinese label takes two cells per character, and the bars stand under each other."""
    rows = re.findall(r"^  (\S+ +)[█-▏░]", told, re.MULTILINE)
    cells = [sum(2 if ord(c) > 0x2E80 else 1 for c in row) for row in rows]
    assert len(cells) >= 3
    assert len(set(cells)) == 1


def test_a_pipe_has_no_colour_codes(told: str) -> None:
    """Nothing but text goes into a pipe."""
    assert "\x1b" not in told


@pytest.mark.parametrize("encoding", ["latin-1", "gbk"])
def test_an_old_encoding_gets_bars_that_it_has(
    data_dir: Path, asked: dict[str, Any], encoding: str
) -> None:
    """Without block characters bars are ASCII, JSON is escaped, and nothing fails."""
    shown = _haozhi(data_dir, "answers", "show", asked["id"], PYTHONIOENCODING=encoding)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert re.search(r"^  A +#+ ", shown.stdout.decode(encoding), re.MULTILINE)
    found = _haozhi(data_dir, "answers", "show", "--json", asked["id"], PYTHONIOENCODING=encoding)
    assert json.loads(found.stdout.decode(encoding)) == asked


def test_who_names_the_authors_that_a_claim_follows_from(data_dir: Path) -> None:
    """`who` costs nothing and tells how each author stands to the claim."""
    done = _here("who", "1 + 1 + 1 = 3")
    assert done.exit_code == 0
    assert "it follows from A (1 + 1 = 2) and B (2 + 1 = 3)" in done.stdout
    assert len(re.findall(r"^  [AB] .* % .*it follows from this$", done.stdout, re.MULTILINE)) == 2
    assert ": no fee.\n" in done.stdout
    assert data_dir.exists()


def test_a_refused_question_is_no_error(data_dir: Path) -> None:
    """A question from stdin that nothing answers is refused: exit code 0, no share, no fee."""
    done = _here("ask", "--json", "-", stdin="这里的市长是谁？\n")
    view = json.loads(done.stdout)
    assert done.exit_code == 0
    assert _misshapen(view, SHAPE | {"receipt": type(None)}) == []
    assert (view["state"], view["question"]) == ("refused", "这里的市长是谁？")
    assert (view["shares"], view["unattributed_ppb"]) == ([], 10**9)
    assert (view["fee_micro"], view["entry_id"]) == (0, None)
    shown = _here("answers", "show", view["id"]).stdout
    assert view["text"] in shown
    assert "AI" not in shown
    assert data_dir.exists()


def test_replay_of_an_answer_is_the_same(asked: dict[str, Any]) -> None:
    """A stored answer computed again has the same text, shares and postings."""
    done = _here("answers", "replay", "--json", asked["id"])
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {"answer_id": asked["id"], "state": "same", "differences": []}


def test_a_replay_that_differs_ends_with_1(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1 tells a script that a check found differences, and each is printed."""

    def differs(_: object, answer_id: str) -> Replay:
        return Replay(answer_id, "differs", ("the shares differ",))

    monkeypatch.setattr(haozhi.replay, "replay", differs)
    done = _here("answers", "replay", "an1")
    assert (done.exit_code, done.stdout) == (1, "not the same:\nthe shares differ\n")
    assert data_dir.exists()


def test_nothing_is_left_to_settle(asked: dict[str, Any]) -> None:
    """`ask` waits for its final shares, so that `ledger settle` and `check` find nothing."""
    assert asked["tier"] == "final"
    assert _here("ledger", "settle", "--json").stdout == '{"settled":[]}\n'
    assert _here("ledger", "check").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "said"),
    [
        (["ask", "  "], "", 4, "the question is empty"),
        (["ask", "-"], "", 4, "the question is empty"),
        (["ask", "-"], "长" * 100_000, 4, "at most"),
        (["ask", "-"], b"\xff\xfe", 4, "not UTF-8"),
        (["ask", "x", "--temperature", "9"], "", 2, "temperature must be"),
        (["ask", "x", "--top-k", "0"], "", 2, "top-k must be"),
        (["who", ""], "", 4, "empty"),
        (["answers", "show", "an0"], "", 3, "no answer an0"),
        (["answers", "replay", "an0"], "", 3, "no answer an0"),
        (["answers", "list", "--before", "an0"], "", 3, "no answer an0"),
        (["report", "Nobody"], "", 3, "Nobody"),
        (["eval", "answers", "--folder", "/no/such"], "", 4, "no such file"),
    ],
)
def test_what_cannot_be_done_has_its_exit_code(
    data_dir: Path, arguments: list[str], stdin: str | bytes, code: int, said: str
) -> None:
    """Bad input, an unknown name and a missing file: one line that says so, nothing on stdout."""
    done = _here(*arguments, stdin=stdin)
    assert isinstance(done.exception, HaozhiError), done.output
    assert (done.exception.exit_code, done.stdout) == (code, "")
    assert said in str(done.exception)
    assert "\n" not in str(done.exception)
    assert data_dir.exists()


@pytest.mark.parametrize("weights", ["/no/such/folder", "empty"])
def test_a_model_that_is_missing_ends_with_5(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weights: str
) -> None:
    """No model folder, and a folder without weights, is one line with exit code 5."""
    folder = str(tmp_path) if weights == "empty" else weights
    monkeypatch.setenv("HAOZHI_GENERATOR", folder)
    done = _here("ask", SUM)
    assert isinstance(done.exception, ModelMissing), done.output
    assert (done.exception.exit_code, done.stdout) == (5, "")
    assert folder in str(done.exception)
    assert data_dir.exists()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A suite that was started in the background ignores SIGINT, and so would its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_an_ask_with_130(tmp_path: Path) -> None:
    """An interrupted command says nothing more, and leaves a database that is whole."""
    data_dir = tmp_path / "data"
    with subprocess.Popen(
        [HAOZHI, "ask", SUM], env=_environment(data_dir), stderr=subprocess.PIPE, text=True
    ) as process:
        engine = make_engine(f"sqlite:///{data_dir}/haozhi.db")
        while not is_current(engine) and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)  # before its models are loaded
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert _haozhi(data_dir, "db", "check").returncode == 0
