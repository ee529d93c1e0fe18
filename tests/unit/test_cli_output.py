"""What a command prints is one line of JSON or harmless text."""

import json

import pytest

from haozhi.cli.output import say, show
from haozhi.credits import credits_text


def test_json_is_exactly_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Line separators inside a text do not break the one line, and Chinese stays readable."""
    result = {"text": "一\n二\u2028三\u2029四\x85五"}
    show(result, ["not this"], as_json=True)
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == 1
    assert json.loads(printed) == result
    assert "一" in printed


def test_a_stored_text_cannot_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Escape sequences in a statement or a file name are made visible, not obeyed."""
    show({}, ["red \x1b[31m \x9b1m bell \x07 tab \t"], as_json=False)
    say("\x1b]0;title\x07")
    printed = capsys.readouterr()
    assert printed.out == "red \ufffd[31m \ufffd1m bell \ufffd tab \t\n"
    assert "\x1b" not in printed.err


@pytest.mark.parametrize(
    ("amount_micro", "text"), [(0, "0.000000"), (1, "0.000001"), (-1_500_000, "-1.500000")]
)
def test_credits_show_every_micro(amount_micro: int, text: str) -> None:
    """Amounts are printed exactly, never through a float."""
    assert credits_text(amount_micro) == text
