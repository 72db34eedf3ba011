"""Thumbnails of the pictures of a message, read from their places in the source."""

from collections.abc import Iterator, Sequence

from PySide6.QtGui import QImage

from inspector.gui.parts.thumbnails import MOST_BYTES, thumbnail
from inspector.model import Image, Place
from inspector.reading.media_data import DataGoneError, MediaSource

SIDE = 224
"""The longer side of a thumbnail in pixels: sharp on screens of twice the density."""


def read_pictures(wanted: Sequence[Image]) -> Iterator[tuple[Place, QImage]]:
    """Yield the thumbnail of each picture with its place; none of those that are gone, too large or damaged."""
    source = MediaSource()
    for part in wanted:
        if part.place is None:
            continue
        try:
            data = source.data_at(part.place, part.bytes, MOST_BYTES)
        except DataGoneError:
            continue
        if (picture := thumbnail(data, SIDE)) is not None:
            yield part.place, picture
