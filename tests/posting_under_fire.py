"""Processes that settle the same answers again and again while they are killed.

Run as `python -m tests.posting_under_fire URL SEED KILLS`, in a process of its own: it forks, which
only a process with one thread may do. Each child settles every stored answer in a random order;
the parent SIGKILLs a random child at a random moment and forks another, KILLS times, then lets the
children finish one last round. Prints how many children died of SIGKILL.
"""

import os
import random
import signal
import sys
import time

from haozhi.accounting.settle import post_final
from store.answers import get_attribution, list_answers
from store.clock import now_us
from store.engine import make_engine, read, write

PROCESSES = 3


def main(url: str, seed: int, kills: int) -> int:
    """Run the children, kill and replace them; returns how many died of SIGKILL."""
    chance = random.Random(seed)
    children = {_fork(url, chance.random()) for _ in range(PROCESSES)}
    killed = 0
    for _ in range(kills):
        time.sleep(chance.uniform(0.002, 0.12))
        victim = chance.choice(sorted(children))
        os.kill(victim, signal.SIGKILL)
        killed += os.WIFSIGNALED(os.waitpid(victim, 0)[1])
        children.remove(victim)
        children.add(_fork(url, chance.random()))
    for child in children:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
    _settle_all(url, random.Random(seed))
    return killed


def _fork(url: str, seed: float) -> int:
    child = os.fork()
    if child:
        return child
    stopping: list[int] = []
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(1))
    while not stopping:
        _settle_all(url, random.Random(seed))
    os._exit(0)


def _settle_all(url: str, chance: random.Random) -> None:
    """Settle every answer from its provisional attribution, each in its own transaction."""
    engine = make_engine(url)
    with read(engine) as s:
        answers = [(a, get_attribution(s, a.id, 1)) for a in list_answers(s, 1000)]
    for answer, attribution in chance.sample(answers, len(answers)):
        with write(engine) as s:
            post_final(s, answer, attribution, now_us=now_us())
    engine.dispose()


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))  # noqa: T201
