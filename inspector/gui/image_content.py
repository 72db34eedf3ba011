"""Pictures as the content of a file."""

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage


def image_content(image: QImage, kind: str) -> bytes:
    """The image as the content of a file of this kind, such as `png`. Raises ValueError where Qt knows none such."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # The stubs ask for bytes here, which the binding then refuses.
    if not image.save(buffer, kind):  # pyright: ignore[reportArgumentType, reportCallIssue]
        raise ValueError("expected a name that ends in .png")
    return bytes(buffer.data().data())
