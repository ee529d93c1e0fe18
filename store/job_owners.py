"""Who holds a job: a process of a machine, so that another one there sees when it has died."""

import os
import secrets
import socket
import sys


def new_owner() -> str:
    """A name for who holds jobs from here on: machine, process and chance."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def has_ended(owner: str) -> bool:
    """Whether the owner was a process of this machine that is no more."""
    host, _, rest = owner.partition(":")
    process = rest.partition(":")[0]
    if host != socket.gethostname() or not process.isdigit() or sys.platform == "win32":
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:  # it is somebody else's
        return False
    return False
