"""Hooks and fixtures for every test: what a test needs is there, or it is named and deselected."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

pytest_plugins = ["tests.fixtures_store"]

CI = os.environ.get("CI") == "true"


def _postgres_bin() -> Path | None:
    """The folder of PostgreSQL's server programs; Debian keeps them off PATH."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    return next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


def _has_gpu() -> bool:
    import torch

    return torch.cuda.is_available()


def _missing(marker: str) -> bool:
    """Whether the component that a marker stands for is missing on this machine."""
    match marker:
        case "evaldata":
            return not os.environ.get("HAOZHI_EVAL_DATA")
        case "postgres":
            return not (os.environ.get("HAOZHI_TEST_POSTGRES_URL") or _postgres_bin())
        case "browser":
            return shutil.which("chromium") is None
        case _:
            return not _has_gpu()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect, with one printed line, what lacks its component; in CI such a test runs and fails.

    A GPU is the one component that CI cannot have.
    """
    for marker in ("evaldata", "postgres", "browser", "gpu"):
        affected = [item for item in items if item.get_closest_marker(marker)]
        if not affected or (CI and marker != "gpu") or not _missing(marker):
            continue
        items[:] = [item for item in items if item not in affected]
        config.hook.pytest_deselected(items=affected)
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter:
            reporter.write_line(f"deselected {len(affected)} tests marked {marker}: not available")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a skipped test is a failed test: a green run has run everything."""
    report = yield
    if CI and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def model_dir() -> Path:
    """The model cache with every builtin model installed (`make test` installs them)."""
    from haozhi.models.catalogue import BUILTIN
    from haozhi.models.install import is_installed
    from haozhi.settings import Settings

    settings = Settings()
    missing = [name for name in BUILTIN if not is_installed(name, settings)]
    if missing:
        pytest.fail(f"{', '.join(missing)} not installed: run `make test-models`", pytrace=False)
    return settings.model_dir


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL, with `{database}` in it, of a private PostgreSQL server or of the one named."""
    if named := os.environ.get("HAOZHI_TEST_POSTGRES_URL"):
        yield named
        return
    programs = _postgres_bin()
    assert programs is not None, "no PostgreSQL here: apt-get install postgresql"
    with tempfile.TemporaryDirectory(prefix="haozhi-pg-", dir=_memory()) as folder:
        as_server: list[str] = []
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(folder, "postgres")
            as_server = ["runuser", "-u", "postgres", "--"]
        data = f"{folder}/data"
        control = [*as_server, f"{programs}/pg_ctl", "-D", data, "-w", "-s"]
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        initdb = [f"{programs}/initdb", "-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C"]
        _run([*as_server, *initdb, "--auth=trust", "--no-sync"])
        _run([*control, "-l", f"{folder}/log", "-o", options, "start"])
        try:
            yield f"postgresql+psycopg://postgres@/{{database}}?host={folder}"
        finally:
            _run([*control, "-m", "immediate", "stop"])


def _memory() -> str | None:
    """The file system in memory where it has room: on a disk, copying a database takes 0.2 s."""
    found = Path("/dev/shm")  # noqa: S108  # a folder of a random name is made in it
    return str(found) if found.is_dir() and shutil.disk_usage(found).free > 4 * 1024**3 else None


def _run(command: list[str]) -> None:
    # The server keeps inherited pipes open, so its output must not be captured.
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")
