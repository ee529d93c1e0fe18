"""The command line in this process, as a person or a script meets it."""

import json
from pathlib import Path
from typing import Any

import pytest

from haozhi import cli
from store.engine import Engine
from tests.stored_books import Corpus, add_corpus, settle


class Terminal:
    """Runs `haozhi`, or one of its groups of commands."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *group: str) -> None:
        self.capsys, self.group = capsys, group

    def run(self, *arguments: object) -> tuple[int, str, str]:
        """Exit code, stdout, stderr."""
        with pytest.raises(SystemExit) as ended:
            cli.run(lambda: cli.app([*self.group, *map(str, arguments)]))
        said = self.capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    def text(self, *arguments: object) -> str:
        """What a command that succeeds says to people."""
        code, out, err = self.run(*arguments)
        assert (code, err) == (0, "")
        return out

    def json(self, *arguments: object) -> Any:
        """The one line of JSON of a command that succeeds."""
        (line,) = self.text(*arguments, "--json").splitlines()
        return json.loads(line)


def settled_books(engine: Engine, folder: Path, patch: pytest.MonkeyPatch) -> Corpus:
    """Books with one paid answer in the folder that the settings name."""
    patch.setenv("HAOZHI_DATA_DIR", str(folder))
    patch.delenv("HAOZHI_DATABASE_URL", raising=False)
    corpus = add_corpus(engine)
    settle(engine, corpus)
    return corpus
