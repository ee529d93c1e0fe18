"""The benchmarks that CI does not time still run."""

from benchmarks import check, report


def test_the_benchmarks_of_accounting_run_on_small_books() -> None:
    """Books that are written in bulk are whole, and their period closes."""
    assert check.measure(450)["transfers"] == 450
    assert report.measure(200)["lines"] == 200
