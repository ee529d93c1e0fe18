"""Processes that open and close disputes about the same lines, racing or being killed.

Run in a process of its own: it forks, which only a process with one thread may do.

`python -m tests.disputing_under_fire race URL PROCESSES` lets so many processes open a dispute
about one line at once; prints how many won and how many were told in words that they did not.
`python -m tests.disputing_under_fire kill URL KILLS` SIGKILLs one of three processes that open and
close disputes at random, again and again; prints how many died of it.
"""

import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable

from store.disputes import list_disputes
from store.engine import Engine, make_engine, read
from store.errors import BadInput
from tests.disputing import OF_A, OF_B, OF_NOBODY, close, dispute, key_of

PROCESSES = 3
ANSWERS = 3
WON, LOST = 10, 11


def race(url: str, processes: int) -> Counter[int]:
    """How often each exit code came of opening one dispute in so many processes."""
    start, go = os.pipe()
    children = [_fork(lambda: _open_when_told(url, start)) for _ in range(processes)]
    os.write(go, b"x" * processes)
    return Counter(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)


def kill(url: str, kills: int) -> int:
    """Kill and replace children that work at random; returns how many died of SIGKILL."""
    chance = random.Random(kills)
    steps, stepped = os.pipe()
    children = {_fork(lambda: _work(url, chance.random(), stepped)) for _ in range(PROCESSES)}
    killed = 0
    for _ in range(kills):
        os.read(steps, 1), os.read(steps, 1)  # there is something to kill
        time.sleep(chance.uniform(0, 0.05))
        victim = chance.choice(sorted(children))
        children.remove(victim)
        killed += _ended(victim) == -signal.SIGKILL
        children.add(_fork(lambda: _work(url, chance.random(), stepped)))
    for child in children:
        _ended(child)
    return killed


def _fork(job: Callable[[], int]) -> int:
    child = os.fork()
    if child:
        return child
    os._exit(job())


def _ended(child: int) -> int:
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _open_when_told(url: str, start: int) -> int:
    os.read(start, 1)
    try:
        dispute(make_engine(url), OF_A)
    except BadInput:
        return LOST
    return WON


def _work(url: str, seed: float, stepped: int) -> int:
    engine, chance, parent = make_engine(url), random.Random(seed), os.getppid()
    while os.getppid() == parent:
        try:
            _step(engine, chance)
            os.write(stepped, b".")
        except BadInput:  # somebody else was faster
            continue
    return 0


def _step(engine: Engine, chance: random.Random) -> None:
    """Close one that is open, or open one about money that is somewhere."""
    with read(engine) as s:
        disputes = list_disputes(s)
    waiting = [found for found in disputes if found.closing is None]
    if waiting and chance.random() < 0.5:
        close(engine, chance.choice(waiting), chance.choice([None, "A", "B"]))
        return
    moved = [(d.close_key, 0) for d in disputes if d.closing and d.closing.outcome == "on"]
    paid = [(key_of(n + 1), line) for n in range(ANSWERS) for line in (OF_A, OF_B, OF_NOBODY)]
    entry_key, line = chance.choice(paid + moved)
    dispute(engine, line, entry_key=entry_key, keep_back=chance.random() < 0.5)


if __name__ == "__main__":
    mode, address, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if mode == "race":
        codes = race(address, count)
        print(codes[WON], codes[LOST])  # noqa: T201
    else:
        print(kill(address, count))  # noqa: T201
