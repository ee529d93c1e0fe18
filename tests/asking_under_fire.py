"""Asks that kill themselves: each in a process of its own, by SIGKILL, at a chosen moment.

Run as `python -m tests.asking_under_fire DATA_DIR QUESTION MOMENT…`. The models are loaded once,
then a child is forked per moment; that asks the question in the data folder and dies before

    sql:N     its N-th SQL statement or commit
    token:N   the N-th token that is generated
    call:F    it enters F, a function in haozhi.settling
    settle:N  the N-th SQL statement or commit of settling what others left open
    never     nothing

Prints one JSON object: for each moment how many SQL statements ran before a forced claim, and
whether the child died of SIGKILL.
"""

import json
import os
import signal
import sys
from typing import Any

from sqlalchemy import event

from haozhi import settling
from haozhi.app import App, open_app
from haozhi.ask import ask
from haozhi.models.generator import load_generator
from haozhi.settings import Settings, load_settings
from store.engine import Engine
from tests.ingesting import SmallE5


class Countdown:
    """Kills this process when it is called for the n-th time (0: never); counts the calls."""

    def __init__(self, n: int) -> None:
        self._n = n
        self.calls = 0

    def __call__(self, *_: Any, **__: Any) -> bool:
        """One more; False, as an answer to `cancelled`."""
        self.calls += 1
        if self.calls == self._n:
            os.kill(os.getpid(), signal.SIGKILL)
        return False

    def watch(self, engine: Engine) -> None:
        """Be called before each SQL statement and each commit."""
        event.listen(engine, "before_cursor_execute", self)
        event.listen(engine, "commit", self)


def child(app: App, question: str, moment: str) -> int:
    """Ask, or settle, and die at the moment; returns how many SQL statements ran otherwise."""
    kind, _, where = moment.partition(":")
    sql = Countdown(int(where) if kind in ("sql", "settle") else 0)
    sql.watch(app.engine)
    if kind == "settle":
        settling.settle_all(app)
        return sql.calls
    if kind == "call":
        setattr(settling, where, Countdown(1))
    cancelled = Countdown(int(where) if kind == "token" else 0)
    ask(app, question, asker_id="local", cancelled=cancelled)
    return sql.calls


def run(settings: Settings, parts: dict[str, Any], question: str, moment: str) -> dict[str, Any]:
    """What became of one child."""
    out, into = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            app = open_app(settings)
            vars(app).update(parts)
            os.write(into, str(child(app, question, moment)).encode())
        finally:
            os._exit(1)
    os.close(into)
    with os.fdopen(out) as told:
        ran = told.read()
    _, status = os.waitpid(pid, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return {"moment": moment, "killed": killed, "sql": int(ran) if ran else None}


def main(data_dir: str, question: str, moments: list[str]) -> None:
    """Load, then fork once per moment."""
    settings = load_settings(data_dir=data_dir)
    parts = {"generator": load_generator(settings), "embedder": SmallE5()}
    # One line per child, so that whoever reads can choose the next moments.
    for moment in moments:
        print(json.dumps(run(settings, parts, question, moment)), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
