"""Terms of a grant are an SPDX expression or the address of RSL terms, and nothing else."""

import pytest

from store.errors import BadInput
from store.terms import MOST_CHARACTERS, check_terms


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("MIT", "MIT"),
        (" mit or apache-2.0 ", "MIT OR Apache-2.0"),
        ("CC-BY-NC-4.0 AND LicenseRef-Press-2024", "CC-BY-NC-4.0 AND LicenseRef-Press-2024"),
        ("DocumentRef-a:LicenseRef-b", "DocumentRef-a:LicenseRef-b"),
        (
            "GPL-2.0-only WITH Classpath-exception-2.0",
            "GPL-2.0-only WITH Classpath-exception-2.0",
        ),
        ("https://example.org/rsl.xml?a=1#b", "https://example.org/rsl.xml?a=1#b"),
        ("https://例子.中国/许可", "https://例子.中国/许可"),
    ],
)
def test_terms_are_kept_in_their_usual_spelling(given: str, stored: str) -> None:
    """Expressions are spelt as SPDX does, addresses stay as they are."""
    assert check_terms(given) == stored
    assert check_terms(stored) == stored


@pytest.mark.parametrize(
    "given",
    [
        "",
        " ",
        "foo",
        "all rights reserved",
        "许可",
        "(MIT",
        "()",
        "MIT AND",
        "MIT Apache-2.0",
        "MIT WITH Apache-2.0",
        "MIT; DROP",
        "MIT\0",
        "LicenseRef-许可",
        "http://example.org/rsl",
        "ftp://example.org/rsl",
        "https://",
        "https://user:secret@example.org/",
        "https://example.org/a b",
        "https://example.org/\na",
        "https://[::1",
        "MIT OR " * 1000 + "MIT",
    ],
)
def test_other_terms_are_refused_in_one_line(given: str) -> None:
    """What is neither is bad input; so is an address that nobody should follow or is too long."""
    with pytest.raises(BadInput) as caught:
        check_terms(given)
    assert len(str(caught.value)) < 2 * MOST_CHARACTERS
