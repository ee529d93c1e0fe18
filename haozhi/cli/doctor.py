"""`haozhi doctor`: what is there and what is missing."""

import typer

from haozhi.cli.output import JsonOption, show


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(doctor)


def doctor(as_json: JsonOption = False) -> None:
    """Look at database, models, index, device, mirrors; exit 1 if something needed is missing."""
    from haozhi.doctor import examine
    from haozhi.settings import load_settings

    findings = list(examine(load_settings()))
    lines = [f"{_mark(f.ok, f.needed)} {f.name}: {f.detail}" for f in findings]
    show({"findings": [dict(vars(f)) for f in findings]}, lines, as_json=as_json)
    if any(f.needed and not f.ok for f in findings):
        raise typer.Exit(1)


def _mark(ok: bool, needed: bool) -> str:
    return "ok     " if ok else "MISSING" if needed else "absent "
