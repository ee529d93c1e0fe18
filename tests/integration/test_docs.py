"""The documents tell the truth about commands and dependencies."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from haozhi.cli import app

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
# In a code block at the start of a line, or as a whole span of inline code.
NAMED = re.compile(r"(?:^ {4}(?:HAOZHI_\w+=\S+ )?|`)haozhi((?: [a-z]+)+)", re.MULTILINE)


def _commands() -> Iterator[tuple[str, ...]]:
    """The path of every command and group, e.g. ("models", "list")."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), typer.main.get_command(app))]
    while waiting:
        path, command = waiting.pop()
        yield path
        children = getattr(command, "commands", {})
        waiting += [((*path, name), child) for name, child in children.items()]


COMMANDS = sorted(_commands())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_documents_name_only_commands_that_exist(document: Path) -> None:
    """A command in the documents can be typed as it stands there."""
    named = {tuple(words.split()) for words in NAMED.findall(document.read_text("utf-8"))}
    known = set(COMMANDS)
    wrong = [words for words in named if not _is_known(words, known)]
    assert not wrong


def _is_known(words: tuple[str, ...], known: set[tuple[str, ...]]) -> bool:
    """A command, or a command that takes arguments and some words for them."""
    if words[:2] in known:
        return True
    is_group = any(len(path) == 2 and path[0] == words[0] for path in known)
    return words[:1] in known and not (is_group and len(words) > 1)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(path: tuple[str, ...]) -> None:
    """`--help` works for every command and says what it does."""
    result = CliRunner().invoke(app, [*path, "--help"])
    assert result.exit_code == 0
    assert re.match(r"Usage: .*\n\n  [A-Z]", result.output)


def test_every_result_can_be_json() -> None:
    """Every command that prints a result has `--json`; those that serve print none."""
    groups = {path[:-1] for path in COMMANDS if path}
    quiet = groups | {("serve",), ("mcp",)}
    commands = [path for path in COMMANDS if path not in quiet]
    outputs = {path: CliRunner().invoke(app, [*path, "--help"]).output for path in commands}
    assert [path for path, output in outputs.items() if "--json" not in output] == []


def test_every_runtime_dependency_has_one_decision_note() -> None:
    """What we depend on at run time, and why, is written down once."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    users = (extras[name] for name in ("eval", "mcp", "ocr", "pdf", "postgres"))
    required = [line for group in (project["dependencies"], *users) for line in group]
    names = [re.split(r"[\[<>=~!;]", line)[0].strip() for line in required]
    noted = [
        name
        for note in (ROOT / "docs/decisions").glob("*.md")
        for line in note.read_text("utf-8").splitlines()
        if line.startswith("Packages: ")
        for name in re.findall(r"`([a-z0-9-]+)` \(", line)
    ]
    assert sorted(noted) == sorted(names)


def test_every_dependency_is_pinned_for_the_tests() -> None:
    """constraints.txt has a version for each, and torch without a local build suffix."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    required = [line for group in (project["dependencies"], *extras) for line in group]
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = {line.split("==")[0].lower().replace("_", "-") for line in lines if "==" in line}
    assert {re.split(r"[\[<>=]", line)[0] for line in required} <= pins
    assert not [line for line in lines if "+" in line.split("#")[0]]
