"""prompt-inspector policies, formats and presets: what is available."""

import inspect
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from inspector.cli.options import format_option
from inspector.cli.output import print_json

Value = dict[str, Any]


@click.command(short_help="List the policies and their parameters.")
@format_option
def policies(answer_format: str) -> None:
    """List the policies and their parameters, with range and default."""
    values, problems = _policies()
    for problem in problems:
        click.echo(f"prompt-inspector: {problem}", err=True)
    if answer_format == "json":
        print_json({"policies": values})
        return
    from inspector.cli.tables import print_policies

    print_policies(values)


@click.command(short_help="List the file formats that can be opened.")
@format_option
def formats(answer_format: str) -> None:
    """List the file formats that can be opened; each is found by its content, not by its name."""
    from inspector.formats import formats as known_formats

    rows = [{"name": known.name, "title": known.title} for known in known_formats()]
    _print("formats", rows, ("name", "title"), answer_format)


@click.command(short_help="List the presets of the policies.")
@format_option
def presets(answer_format: str) -> None:
    """List the named sets of parameters of each policy."""
    from inspector.assembly.presets import load_presets

    rows = [{"policy": policy, "preset": name, **asdict(preset)} for (policy, name), preset in load_presets().items()]
    _print("presets", rows, ("policy", "preset", "title", "description"), answer_format)


def _policies() -> tuple[list[Value], Sequence[Any]]:
    from inspector.assembly.policy import parameters_of
    from inspector.assembly.presets import load_presets
    from inspector.plugins import policies as known_policies

    found, problems = known_policies()
    values = [
        {
            "name": name,
            "description": inspect.getdoc(kind) or "",
            "presets": [preset for policy, preset in load_presets() if policy == name],
            "parameters": [asdict(parameter) for parameter in parameters_of(kind)],
        }
        for name, kind in found.items()
    ]
    return values, problems


def _print(noun: str, rows: Sequence[Value], columns: Sequence[str], answer_format: str) -> None:
    if answer_format == "json":
        print_json({noun: rows})
        return
    from inspector.cli.tables import print_rows

    print_rows(rows, columns)
