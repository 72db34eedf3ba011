"""The registry of file formats, the detection of a file's format, and the workspace of everything opened.

Names are imported when they are first used: plain text is counted without what opens files.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspector.formats.format import Format
    from inspector.formats.looking import Look, look
    from inspector.formats.opening import Part, joined, load_file, load_parts, load_workspace
    from inspector.formats.registry import built_in_formats, rank_formats
    from inspector.reading.source import FileSource, Record, UnreadableError

__all__ = [
    "FileSource",
    "Format",
    "Look",
    "Part",
    "Record",
    "UnreadableError",
    "built_in_formats",
    "joined",
    "load_file",
    "load_parts",
    "load_workspace",
    "look",
    "rank_formats",
]
_PLACES = {
    "inspector.formats.format": ("Format",),
    "inspector.formats.looking": ("Look", "look"),
    "inspector.formats.opening": ("Part", "joined", "load_file", "load_parts", "load_workspace"),
    "inspector.formats.registry": ("built_in_formats", "rank_formats"),
    "inspector.reading.source": ("FileSource", "Record", "UnreadableError"),
}


def __getattr__(name: str) -> Any:
    for module, names in _PLACES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
