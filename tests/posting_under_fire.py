"""Processes that post or reverse the same entries at once, killed or racing.

Run in a process of its own: it forks, which only a process with one thread may do.

`python -m tests.posting_under_fire kill URL KILLS`: six children settle every stored answer in
random order, over and over; the parent SIGKILLs a random child at a random moment and forks
another, KILLS times, then settles all once more. Prints how many children died of SIGKILL.
`python -m tests.posting_under_fire reverse URL PROCESSES KEY`: so many processes reverse one entry
at the same moment. Prints how many did, and how many were told that it was done.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable

from haozhi.accounting.settle import post_final
from store import ledger
from store.answers import get_attribution, list_answers
from store.clock import now_us
from store.engine import make_engine, read, write

PROCESSES = 6
WON, LOST, FAILED = 10, 11, 12


def kill(url: str, kills: int) -> int:
    """Run the children, kill and replace them; returns how many died of SIGKILL."""
    chance = random.Random(kills)
    children = {_fork(lambda: _settle_for_ever(url, chance.random())) for _ in range(PROCESSES)}
    killed = 0
    for _ in range(kills):
        time.sleep(chance.uniform(0.002, 0.12))
        victim = chance.choice(sorted(children))
        children.remove(victim)
        killed += _ended(victim)
        children.add(_fork(lambda: _settle_for_ever(url, chance.random())))
    for child in children:
        _ended(child)
    _settle_all(url, chance)
    return killed


def reverse(url: str, processes: int, key: str) -> tuple[int, int]:
    """How many of so many processes reversed the entry, and how many were too late."""
    start, go = os.pipe()
    children = [_fork(lambda: _reverse_when_told(url, key, start)) for _ in range(processes)]
    os.write(go, b"x" * processes)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    return codes.count(WON), codes.count(LOST)


def _fork(job: Callable[[], int]) -> int:
    child = os.fork()
    if child:
        return child
    code = FAILED
    try:
        code = job()
    finally:  # whatever happens, a child is never the parent
        os._exit(code)


def _ended(child: int) -> bool:
    """Kill a child; whether that is what it died of."""
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def _settle_for_ever(url: str, seed: float) -> int:
    chance, parent = random.Random(seed), os.getppid()
    while os.getppid() == parent:
        _settle_all(url, chance)
    return 0


def _settle_all(url: str, chance: random.Random) -> None:
    """Settle every answer from its provisional attribution, each in its own transaction."""
    engine = make_engine(url)
    with read(engine) as s:
        answers = [(a, get_attribution(s, a.id, 1)) for a in list_answers(s, 1000)]
    for answer, attribution in chance.sample(answers, len(answers)):
        with write(engine) as s:
            post_final(s, answer, attribution, now_us=now_us())
    engine.dispose()


def _reverse_when_told(url: str, key: str, start: int) -> int:
    engine = make_engine(url)
    os.read(start, 1)
    try:
        with write(engine) as s:
            ledger.reverse(s, key, now_us=now_us())
    except ledger.AlreadyReversed:
        return LOST
    return WON


if __name__ == "__main__":
    mode, address, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if mode == "kill":
        print(kill(address, count))  # noqa: T201
    else:
        print(*reverse(address, count, sys.argv[4]))  # noqa: T201
