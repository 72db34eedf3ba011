"""prompt-inspector import-memories: the points of a collection of a Qdrant server, written to a workspace file."""

import os
from pathlib import Path

from inspector.cli.failure import InputError
from inspector.cli.loading import report_problems
from inspector.cli.output import say_written

KEY_VARIABLE = "QDRANT_API_KEY"


def import_memories(address: str, collection: str, file: Path, replace: bool) -> None:
    """Run `prompt-inspector import-memories` with the values of its options."""
    from inspector.formats.memories.qdrant_server import read_collection
    from inspector.formats.native.write import save_workspace
    from inspector.reading.values import UnreadableError

    if file.exists() and not replace:
        raise InputError(f"{file}: exists already; choose another name or overwrite it with --replace")
    try:
        workspace = read_collection(address, collection, os.environ.get(KEY_VARIABLE, ""))
    except UnreadableError as error:
        raise InputError(str(error)) from None
    report_problems(workspace.problems)
    count = sum(len(memories.memories) for memories in workspace.memory_sets)
    if not count:
        raise InputError(f"{address}: the collection {collection} holds no memory; nothing was written")
    try:
        save_workspace(workspace, file)
    except OSError as problem:
        raise InputError(f"{file}: cannot be written: {problem.strerror or problem}") from None
    noun = "memory" if count == 1 else "memories"
    say_written(f"{count:,} {noun} of {collection}", file)
