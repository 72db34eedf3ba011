"""What a file looks like that no format claims, in words for its problem."""

from itertools import islice
from typing import TYPE_CHECKING

from inspector.formats.known_files import known_file
from inspector.reading.source import FileSource
from inspector.reading.text import decode

if TYPE_CHECKING:
    from inspector.reading.table import TextTable

_OUTLINED = 3  # lists in lists
_NAMED = 8
_BINARY_SHAPES = {"png": "a picture", "zip": "an archive", "packed": "a packed file", "sqlite": "a database"}


def description(source: FileSource) -> str:
    """What an unknown file looks like, by the application that it is from where that is known.

    Raises UnreadableError when it is no valid JSON, YAML or Parquet.
    """
    if known := known_file(source):
        return known
    if source.shape == "empty":
        return "is empty; expected a saved chat, a character, a lorebook or a workspace"
    if source.shape == "parquet":
        row = source.first_records[0].value if source.first_records else {}
        return f"is a Parquet file of no chats that this program knows; its first row is {_outline(row)}"
    if source.shape in _BINARY_SHAPES:
        return f"is {_BINARY_SHAPES[source.shape]} in which nothing that this program knows was found"
    if source.shape == "binary" or (source.shape == "text" and "\u2400" in decode(source.data[:1_000]).text):
        return "is neither text nor anything else that this program knows"
    if table := unexplained_table(source):
        names = ", ".join(table.columns[:_NAMED]) + (", …" if len(table.columns) > _NAMED else "")
        return f"is a table of which nobody knows what its columns say: {names} (`columns` explains them)"
    if source.shape == "text":
        return "is text of no format that this program knows"
    if source.shape == "json_lines":
        value = source.first_records[0].value if source.first_records else None
    else:
        value = source.yaml if source.shape == "yaml" else source.json
    return f"is not a format that this program knows: {_outline(value)}"


def unexplained_table(source: FileSource) -> "TextTable | None":
    """The table that a file of no format is; None where it is something else."""
    from inspector.formats.tables.chats import head_of  # few files are of no format
    from inspector.reading.table import table_in

    head = head_of(source)
    return table_in(head) if head else None


def _outline(value: object, depth: int = 0) -> str:
    if isinstance(value, dict):
        keys = [str(key)[:40] for key in islice(value, 12)]
        more = ", …" if len(value) > len(keys) else ""
        return f"an object with the keys {', '.join(keys)}{more}" if keys else "an empty object"
    if isinstance(value, list):
        if not value:
            return "an empty list"
        first = f", the first one: {_outline(value[0], depth + 1)}" if depth < _OUTLINED else ""
        return f"a list of {len(value):,} items{first}"
    return f"a single value of type {type(value).__name__}"
