"""Processes that pay out the same credit again and again while they are killed.

Run as `python -m tests.paying_under_fire URL SEED KILLS`, in a process of its own: it forks, which
only a process with one thread may do. Each child makes batches, writes their files, and sends,
confirms or returns their payouts; the parent SIGKILLs a random child at a random moment and forks
another, KILLS times, and then goes on for a while alone. Prints how many children died of SIGKILL.
"""

import os
import random
import signal
import sys
import time
from datetime import date

from haozhi.paying import confirm, create_batch, give_back, mark_sent, write_file
from store.clock import now_us
from store.engine import Engine, make_engine, read
from store.errors import HaozhiError
from store.payouts import Batch, list_batches
from tests.payable_books import SENDERS

PROCESSES = 3


def main(url: str, seed: int, kills: int) -> int:
    """Run the children, kill and replace them; returns how many died of SIGKILL."""
    chance = random.Random(seed)
    make_engine(url).dispose()  # loads the driver once, so that children get to work at once
    children = {_fork(url, chance.random()) for _ in range(PROCESSES)}
    killed = 0
    for _ in range(kills):
        time.sleep(chance.uniform(0.05, 0.3))
        victim = chance.choice(sorted(children))
        os.kill(victim, signal.SIGKILL)
        killed += os.WIFSIGNALED(os.waitpid(victim, 0)[1])
        children.remove(victim)
        children.add(_fork(url, chance.random()))
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    engine = make_engine(url)
    for _ in range(20):  # however slow the children were, something became of payouts
        _round(engine, chance)
    return killed


def _fork(url: str, seed: float) -> int:
    child = os.fork()
    if child:
        return child
    chance, engine = random.Random(seed), make_engine(url)
    while True:
        _round(engine, chance)


def _round(engine: Engine, chance: random.Random) -> None:
    create_batch(engine, "EUR", by="A", now_us=now_us())
    with read(engine) as s:
        batches = list_batches(s)
    for batch in chance.sample(batches, min(3, len(batches))):
        try:
            _go_on(engine, batch, chance)
        except HaozhiError:
            continue  # another process was faster, and this step no longer fits


def _go_on(engine: Engine, batch: Batch, chance: random.Random) -> None:
    write_file(engine, batch.id, "pain001", None, SENDERS, date(2023, 11, 15), now_us=now_us())
    mark_sent(engine, batch.id, by="A", now_us=now_us())
    for payout in batch.payouts:
        if chance.random() < 0.4:
            confirm(engine, batch.id, payout.holder_id, by="A", now_us=now_us())
        if chance.random() < 0.4:
            give_back(engine, batch.id, payout.holder_id, by="A", note="AC04", now_us=now_us())


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))  # noqa: T201
