"""The command line. Each module registers its commands; a command calls one thin function.

Exit codes: 0 ok (also refused), 1 a check found differences, 2 usage, 3 not found or ambiguous,
4 bad input (a file that is not there, too), 5 model or index missing, 6 store busy, full or
read-only (an output that cannot be written, too), 130 interrupted, 70 a defect of haozhi itself.
"""

import io
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import typer

from haozhi.cli import (
    answers,
    ask,
    audit,
    author,
    backup,
    calibrate,
    clusters,
    db,
    delete,
    dispute,
    doctor,
    evaluate,
    identity,
    index,
    ingest,
    jobs,
    ledger,
    mcp,
    models,
    page,
    payee,
    payout,
    period,
    policy,
    receipt,
    report,
    rights,
    search,
    serve,
)
from haozhi.cli.output import say
from store.errors import HaozhiError

DEFECT = 70

app = typer.Typer(
    name="haozhi",
    help="Answers that cite their authors, with every author's credit booked.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain help, in a fraction of the time
    pretty_exceptions_enable=False,
)
for module in (
    ingest, jobs, ask, answers, search, clusters, report, author, identity, delete, rights, policy,
    ledger, period, dispute, payee, payout, receipt, audit, index, models, calibrate, evaluate, db,
    backup, doctor, page, serve, mcp,
):  # fmt: skip
    module.register(app)


def main() -> None:
    """The `haozhi` script: run the command, end with its exit code."""
    run(app)


def run(command: Callable[[], object]) -> None:
    """Call a command; an expected failure is one line and its exit code, a defect a log."""
    _quiet_libraries()
    if isinstance(sys.stdout, io.TextIOWrapper):  # an old encoding lacks some character
        sys.stdout.reconfigure(errors="replace")
    try:
        command()
    except HaozhiError as error:
        say(f"haozhi: {error}")
        sys.exit(error.exit_code)
    except Exception as error:
        if os.environ.get("HAOZHI_DEBUG") == "1":
            raise
        say(f"haozhi: {type(error).__name__}, a defect; please report it with {_log(error)}")
        sys.exit(DEFECT)


def _quiet_libraries() -> None:
    """Keep progress bars and advice of the model libraries off stderr unless asked for."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if not sys.stderr.isatty():
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")


def _log(error: Exception) -> Path:
    """Write the traceback to a new file and return its path."""
    prefix = f"haozhi-{datetime.now(UTC):%Y%m%dT%H%M%S}-"
    with tempfile.NamedTemporaryFile("w", prefix=prefix, suffix=".log", delete=False) as file:
        file.write("".join(traceback.format_exception(error)))
    return Path(file.name)
