"""Closes that die, and closes while others post. Run in a process of its own, since it forks.

python -m tests.closing_under_fire kill URL DATA_DIR
    A child closes the open period and SIGKILLs itself before its n-th SQL statement or commit,
    for n = 1, 2, … until one survives. On SQLite each child begins with a fresh copy of the
    database; whatever it leaves, another process finishes. On PostgreSQL each child finds what
    the one before left. Prints a JSON line per finished period: what it looks like.

python -m tests.closing_under_fire race URL DATA_DIR PERIODS
    Four children settle all stored answers between them, slowly, while periods are closed.
"""

import json
import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event

from haozhi import closing
from haozhi.accounting.settle import check_ledger, post_final
from store import credit_reports, ledger
from store.answers import get_attribution, list_answers
from store.checkpoints import last_seq
from store.clock import now_us
from store.credit_reports import StoredReport
from store.engine import Engine, database_path, make_engine, read, write
from store.periods import list_periods
from tests.closed_books import close, files_of
from tests.stored_books import NOW

POSTERS = 4
#: The clock of every close, so that its reports have the same bytes each time.
AT_US = NOW + 10**12


def kill(url: str, data_dir: Path) -> None:
    """As above. One engine for all, so that its statements are compiled once."""
    closing.now_us = lambda: AT_US  # type: ignore[attr-defined]  # read from another module
    path = database_path(make_engine(url))
    engine = make_engine(url if path is None else f"sqlite:///{path}.copy")
    for n in count(1):
        engine.dispose()
        if path is not None:
            _copy(path, Path(f"{path}.copy"))
        killed = _fork(partial(_close, engine, data_dir, n))
        if path is not None or not killed:
            _close(engine, data_dir, 0)
            print(json.dumps({"killed": killed, **_look(engine)}), flush=True)  # noqa: T201
        if not killed:
            return


def _copy(path: Path, to: Path) -> None:
    for suffix in ("-wal", "-shm"):
        to.with_name(f"{to.name}{suffix}").unlink(missing_ok=True)
    shutil.copy(path, to)


def race(url: str, data_dir: Path, periods: int) -> None:
    """As above."""
    engine = make_engine(url)
    with read(engine) as s:
        part = len(list_answers(s, 1000)) // (periods + 1)
    engine.dispose()
    posters = [_start(partial(_post_some, url, poster, part)) for poster in range(POSTERS)]
    for period_id in range(1, periods + 1):
        while _entries(engine)[0] < part * period_id - part // 2:
            time.sleep(0.02)
        close(engine, data_dir, period_id)
    engine.dispose()
    for pid in posters:
        assert os.waitpid(pid, 0)[1] == 0


def _post_some(url: str, poster: int, part: int) -> None:
    engine = make_engine(url)
    with read(engine) as s:
        answers = [(a, get_attribution(s, a.id, 1)) for a in list_answers(s, 1000)]
    chance = random.Random(poster)
    for answer, attribution in answers[poster::POSTERS]:
        time.sleep(chance.uniform(0, 0.02))
        while _is_ahead(engine, part):
            time.sleep(0.02)
        with write(engine) as s:
            post_final(s, answer, attribution, now_us=now_us())


def _is_ahead(engine: Engine, part: int) -> bool:
    entries, open_id = _entries(engine)
    return entries >= part * open_id


def _entries(engine: Engine) -> tuple[int, int]:
    """How many there are, and the period that is open."""
    with read(engine) as s:
        return last_seq(s, 1000), ledger.open_period(s).id


def _close(engine: Engine, data_dir: Path, last: int) -> None:
    calls = count(1)

    def dies(connection: Connection, *_: Any) -> None:
        writing = connection.get_execution_options().get("haozhi_writing")
        if writing and next(calls) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    if last:
        event.listen(engine, "before_cursor_execute", dies)
        event.listen(engine, "commit", dies)
    close(engine, data_dir, 1)


def _look(engine: Engine) -> dict[str, Any]:
    """The closed period without what is random, and what the check of the books says."""
    with read(engine) as s:
        holders = [holder_id for holder_id, _ in credit_reports.report_leaves(s, 1)]
        return {
            "periods": [period.state for period in list_periods(s)],
            "reports": [_lasting(credit_reports.find_report(s, 1, h)) for h in holders],
            "files": [[len(file) for file in files_of(s, h, 1)] for h in holders],
            "entries": ledger.get_entry(s, "answer:answer-1:dist:1").seq,
            "differences": [vars(d) for d in check_ledger(s)],
        }


def _lasting(report: StoredReport | None) -> dict[str, Any]:
    assert report is not None
    return {n: v for n, v in vars(report).items() if n not in ("salt", "leaf_hash")}


def _fork(work: Callable[[], None]) -> bool:
    """Do this in a child; whether it died of SIGKILL."""
    status = os.waitpid(_start(work), 0)[1]
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert status == 0
    return False


def _start(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    except Exception:  # noqa: BLE001  told by the exit status too
        traceback.print_exc()
    os._exit(code)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["kill", url, data_dir]:
            kill(url, Path(data_dir))
        case ["race", url, data_dir, periods]:
            race(url, Path(data_dir), int(periods))
