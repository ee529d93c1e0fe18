"""A folder that is written whole or not at all."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from store.errors import BadInput, StoreReadOnly


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A draft to write into, which becomes the folder once nothing failed.

    BadInput: the folder has something in it. StoreReadOnly: it cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder} is not empty: name a new folder")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as name:
            draft = Path(name) / "draft"
            draft.mkdir()
            yield draft
            draft.replace(folder)
    except OSError as error:
        raise StoreReadOnly(f"{folder} cannot be written: {error.strerror}") from error
