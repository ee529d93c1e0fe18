"""The import rules hold, and the linter that guards them notices a planted violation."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PLANTED = {
    "store/planted.py": "import haozhi",
    "ingest/planted.py": "import sqlalchemy",
    "haozhi/planted.py": "def late() -> None:\n    import torch",
    "haozhi/accounting/planted.py": "import store.engine",
    "store/vectors2.py": "import faiss",
    "haozhi/cli/planted.py": "import fastapi",
}


def _lint(root: Path) -> subprocess.CompletedProcess[str]:
    linter = Path(sys.executable).with_name("lint-imports")
    command: list[str | Path] = [linter, "--no-cache"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the three packages and their import rules."""
    for package in ("haozhi", "ingest", "store"):
        shutil.copytree(ROOT / package, tmp_path / package)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_code_keeps_the_import_rules(copy: Path) -> None:
    """Imports go haozhi -> ingest -> store, and each heavy library is imported in its home only."""
    result = _lint(copy)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("module", PLANTED)
def test_a_planted_violation_fails_the_linter(copy: Path, module: str) -> None:
    """A back import, or a heavy library outside its home, breaks a contract and is named."""
    (copy / module).write_text(PLANTED[module] + "\n")
    result = _lint(copy)
    assert result.returncode == 1, result.stdout
    planted = module.removesuffix(".py").replace("/", ".")
    assert f"{planted} is not allowed" in result.stdout or f"{planted} ->" in result.stdout
