"""What commands open. Imported when it is opened, so that help and a wrong option stay quick."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haozhi.app import App
    from store.engine import Session


def opened() -> "App":
    """The app over the store that settings name."""
    from haozhi.app import open_app
    from haozhi.settings import load_settings

    return open_app(load_settings())


@contextmanager
def reading() -> Iterator["Session"]:
    """One snapshot of that store."""
    from store.engine import read

    with read(opened().engine) as session:
        yield session
