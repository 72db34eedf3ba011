"""prompt-inspector import-memories: the arguments and options."""

from pathlib import Path
from typing import Any

import click


@click.command("import-memories")
@click.argument("address")
@click.argument("collection")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Overwrite FILE if it exists.")
def import_memories(**asked: Any) -> None:
    """Ask the Qdrant server at ADDRESS (such as http://127.0.0.1:6333) for all points of COLLECTION.

    They are written to FILE (.workspace.yaml or .workspace.json), which opens like any other beside a chat; the server
    is not asked again. Nothing but ADDRESS is connected to; a key is read from the environment (QDRANT_API_KEY).
    """
    from inspector.cli.import_memories import import_memories as run

    run(**asked)
