"""prompt-inspector window: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.option_types import Size
from inspector.cli.options import paths_argument

PERSPECTIVES = ("inspect", "compare", "tune", "replay", "archive", "present")


@click.command(hidden=True)
@paths_argument
@click.option(
    "--scenario",
    "-s",
    "scenario_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="Scenario to start from; else the one beside a workspace, or in a folder.",
)
@click.option(
    "--tour",
    "tour_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="Tour to play: captions, values and turns, step by step.",
)
@click.option(
    "--screenshot",
    metavar="FILE.png",
    shell_complete=completion.files,
    help="Save a picture of the window and exit; needs no display.",
)
@click.option(
    "--out",
    "-o",
    "folder",
    metavar="FOLDER",
    shell_complete=completion.files,
    help="Save each step of the tour as PNG, and all as one GIF, and exit (extra pictures).",
)
@click.option("--size", type=Size(), default="1600x1000", show_default=True, help="Size of the pictures.")
@click.option("--theme", type=click.Choice(["system", "light", "dark"]), help="Colours of the window.")
@click.option("--perspective", type=click.Choice(PERSPECTIVES), help="Perspective to begin with.")
@click.option("--page", metavar="NAME", help="Page to begin with, such as findings or snapshots.")
@click.option("--install-desktop", "desktop", flag_value="install", help="Add menu entry, icons, file types (Linux).")
@click.option("--uninstall-desktop", "desktop", flag_value="uninstall", help="Take them away again.")
def window(**asked: Any) -> None:
    """Open the window on files, folders or workspaces; - is standard input."""
    from inspector.cli.window import window as run

    run(**asked)
