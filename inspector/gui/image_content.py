"""Pictures as the content of a file."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SHARPNESS = 2
"""How many pixels of a picture correspond to one of a drawing, on each side."""


def image_content(image: QImage, kind: str) -> bytes:
    """Return the image as a file of this format, such as `png`. Raises ValueError if Qt does not know it."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # The stubs ask for bytes here, which the binding then refuses.
    if not image.save(buffer, kind):  # pyright: ignore[reportArgumentType, reportCallIssue]
        raise ValueError("expected a name that ends in .png")
    return bytes(buffer.data().data())


def picture_content(drawing: str, suffix: str = ".png") -> bytes:
    """Return a drawing (SVG) as a file, unchanged or as pixels. Raises ValueError for any other suffix."""
    if suffix.lower() == ".svg":
        return drawing.encode()
    if suffix.lower() != ".png":
        raise ValueError("expected a name that ends in .png or .svg")
    renderer = QSvgRenderer(QByteArray(drawing.encode()))
    image = QImage(renderer.defaultSize() * SHARPNESS, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image_content(image, "png")
