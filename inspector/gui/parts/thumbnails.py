"""Small pictures of the pictures in files, decoded within limits of bytes and pixels."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

MOST_BYTES = 24 * 1024 * 1024
"""The size in bytes up to which a picture is read for its thumbnail."""
_MOST_PIXELS = 60_000_000
_ALLOCATION = 256  # megabytes
_FORMATS = frozenset((b"png", b"jpeg", b"jpg", b"gif", b"webp", b"bmp"))


def thumbnail(data: bytes, side: int) -> QImage | None:
    """Return a picture that fits into a square of `side` pixels, as it is seen; None if it cannot be decoded.

    Drawings that could name other files, and pictures beyond the limits, are not decoded. May run on any thread.
    """
    QImageReader.setAllocationLimit(_ALLOCATION)
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    size = reader.size()
    if bytes(reader.format().data()) not in _FORMATS or not 0 < size.width() * size.height() <= _MOST_PIXELS:
        return None
    if max(size.width(), size.height()) > side:
        reader.setScaledSize(size.scaled(QSize(side, side), Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else image
