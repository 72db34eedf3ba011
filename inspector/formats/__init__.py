"""The registry of file formats, the detection of a file's format, and the workspace of everything opened."""

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
