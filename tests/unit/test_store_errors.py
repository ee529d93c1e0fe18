"""Errors are one line, and their class decides the exit code."""

import pytest

from store import errors


@pytest.mark.parametrize(
    ("kind", "exit_code"),
    [
        (errors.HaozhiError, 4),
        (errors.BooksDiffer, 1),
        (errors.UsageError, 2),
        (errors.NotFound, 3),
        (errors.BadInput, 4),
        (errors.ModelMissing, 5),
        (errors.IndexMissing, 5),
        (errors.StoreBusy, 6),
        (errors.StoreReadOnly, 6),
        (errors.StoreFull, 6),
        (errors.Cancelled, 130),
    ],
)
def test_class_decides_exit_code(kind: type[errors.HaozhiError], exit_code: int) -> None:
    """Each class has the exit code that the design gives it, and folds its message to one line."""
    error = kind("first\n  second")
    assert (error.exit_code, str(error)) == (exit_code, "first second")


def test_the_same_bytes_at_the_same_moment_name_their_work() -> None:
    """Whoever comes second is told which work the bytes become."""
    error = errors.AlreadyThere("being stored", "w1")
    assert (error.exit_code, error.work_id) == (4, "w1")


def test_ambiguous_lists_candidates() -> None:
    """An ambiguous name shows five candidates and keeps all of them."""
    error = errors.Ambiguous("several authors", [f"a{i}" for i in range(7)])
    assert error.exit_code == 3
    assert str(error) == "several authors: a0, a1, a2, a3, a4, …"
    assert len(error.candidates) == 7
