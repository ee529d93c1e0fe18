"""Searching while another process writes never shows a statement under another's name.

`python -m benchmarks readers` searches 100,000 times.
"""

from benchmarks.readers import measure


def test_no_hit_is_another_statement_while_one_writes() -> None:
    """Eight processes search while one adds, withdraws and rebuilds: every hit is its row's."""
    figures = measure(searches=400)
    assert figures["wrong"] == []
    assert figures["searches"] == 400
    assert figures["hits"] > 2000
    assert figures["batches_written"] > 1
    assert figures["generations_seen"] > 8
