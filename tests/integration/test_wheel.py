"""The wheel is complete: it works without the source tree beside it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source tree, unpacked by pip into an empty folder."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = (folder / "dist").iterdir()
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([*install, str(folder / "site"), str(wheel)], check=True)
    return folder / "site"


def test_the_wheel_holds_the_packages_and_nothing_else(installed: Path) -> None:
    """The three packages, the licence, the migrations; no tests and no second copy of anything."""
    folders = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert folders == {"haozhi", "ingest", "store", "bin"}
    assert list((installed / "store/_migrations/versions").glob("0001*.py"))
    assert list(installed.glob("haozhi-*.dist-info/licenses/LICENSE"))


def test_the_installed_wheel_upgrades_a_database(installed: Path, tmp_path: Path) -> None:
    """`haozhi db upgrade` finds its migrations inside the wheel and leaves no drift."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(installed),
        "HAOZHI_DATA_DIR": str(tmp_path),
    }
    code = "import store, haozhi.cli; print(store.__file__); haozhi.cli.main()"
    for command in ("upgrade", "check"):
        done = subprocess.run(
            [sys.executable, "-c", code, "db", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(str(installed))
    assert (tmp_path / "haozhi.db").exists()
