"""`haozhi backup` and `haozhi restore`: all that cannot be made again, and back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haozhi.cli.options import given_path
from haozhi.cli.output import JsonOption, counted, show, working

if TYPE_CHECKING:
    from haozhi.archives import BackupManifest


_ONE = {"entries": "entry"}


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(backup)
    app.command()(restore)


def backup(
    target: Annotated[
        Path, typer.Argument(help="A new folder, or a new file NAME.tar.", parser=given_path)
    ],
    as_json: JsonOption = False,
) -> None:
    """Copy database, index, signing keys and settings while others go on working.

    Whoever has the backup can read every text and sign as this ledger: keep it as safe as the
    original. Models are not in it, their fingerprints are.
    """
    from haozhi.app import open_app
    from haozhi.backup import back_up
    from haozhi.settings import load_settings

    settings = load_settings()
    target = target.expanduser().absolute()
    with working("backing up"):
        made = back_up(open_app(settings).engine, settings, target)
    lines = [f"{target}: {_figures(made)}", _keys(made)]
    show({"backup": str(target), **_json(made)}, lines, as_json=as_json)


def restore(
    source: Annotated[
        Path, typer.Argument(help="A folder or file that `backup` made.", parser=given_path)
    ],
    as_json: JsonOption = False,
) -> None:
    """Restore a backup into an empty data folder; it is checked whole before it appears."""
    from haozhi.backup import restore as restore_backup
    from haozhi.settings import load_settings

    settings = load_settings()
    with working("restoring"):
        done = restore_backup(settings, source.expanduser().absolute())
    lines = [
        f"{settings.data_dir}: {_figures(done.manifest)}",
        "schema, books and index are what they were",
        _keys(done.manifest),
    ]
    lines += [
        f"the {role} was {fingerprint}, which is not the one here: haozhi models list"
        for role, fingerprint in done.other_models.items()
    ]
    result = {"data_dir": str(settings.data_dir), "other_models": done.other_models}
    show({**result, **_json(done.manifest)}, lines, as_json=as_json)


def _json(manifest: "BackupManifest") -> dict[str, Any]:
    return {
        "created_ms": manifest.created_ms,
        "haozhi": manifest.haozhi,
        "revision": manifest.revision,
        "figures": dict(manifest.figures),
        "models": dict(manifest.models),
        "files": [dict(vars(each)) for each in manifest.files],
        "has_signing_key": _has_key(manifest),
    }


def _figures(manifest: "BackupManifest") -> str:
    counts = {k: v for k, v in manifest.figures.items() if isinstance(v, int)}
    size = sum(each.bytes for each in manifest.files)
    said = ", ".join(counted(n, _ONE.get(many, many[:-1]), many) for many, n in counts.items())
    return f"{said}; {counted(len(manifest.files), 'file')}, {size / 1e6:.1f} MB"


def _keys(manifest: "BackupManifest") -> str:
    if _has_key(manifest):
        return "the ledger's signing key is in it: whoever has the backup can sign as this ledger"
    return "there is no signing key in it: this ledger has signed nothing yet"


def _has_key(manifest: "BackupManifest") -> bool:
    return any(each.path.startswith("keys/") for each in manifest.files)
