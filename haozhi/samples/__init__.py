"""A small bilingual corpus to try haozhi on; README.md says where it comes from."""

from importlib.resources import files
from pathlib import Path


def sample_paths() -> tuple[Path, ...]:
    """The files of the sample corpus, by name; the package must be installed unzipped."""
    folder = Path(str(files(__name__)))
    found = (path for path in folder.iterdir() if path.suffix in (".csv", ".jsonl", ".md", ".tsv"))
    return tuple(sorted(path for path in found if path.name != "README.md"))
