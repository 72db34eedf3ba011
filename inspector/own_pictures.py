"""Pictures of the window made by this program: they are marked as its own, and it replaces no other picture unasked."""

from pathlib import Path

from inspector.reading.files import read_head
from inspector.reading.png import text_chunks
from inspector.reading.values import UnreadableError

KEY, TEXT = "Software", "Prompt Inspector"
"""Keyword and text of the PNG chunk that names the creator (PNG specification, section 11.3.4.2)."""
_HEAD_BYTES = 4096


def is_own_picture(file: Path) -> bool:
    """Return whether a file is a picture made by this program; False for unreadable files."""
    try:
        head = read_head(file, _HEAD_BYTES)
    except UnreadableError:
        return False
    return any((chunk.keyword, chunk.packed) == (KEY, TEXT.encode()) for chunk in text_chunks(head))
