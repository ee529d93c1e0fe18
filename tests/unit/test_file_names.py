"""What keeps all tests in one run."""

from collections import Counter
from pathlib import Path


def test_no_two_test_files_have_one_name() -> None:
    """pytest imports a test file by its base name, and stops the whole run at the second one."""
    names = Counter(path.name for path in Path(__file__).parents[1].rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
