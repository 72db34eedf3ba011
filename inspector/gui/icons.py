"""Icons, and images as the contents of files."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from inspector.gui.theme import theme
from inspector.resources import resource

_SHARPNESS = 3


def app_icon() -> QIcon:
    """Return the icon of the application."""
    return QIcon(str(resource("desktop/icons/hicolor/scalable/apps/prompt-inspector.svg")))


def line_icon(name: str, size: int = 16, quiet: bool = False) -> QIcon:
    """Return a one-colour icon of `size` pixels. When disabled it is faint, or invisible if `quiet`."""
    icon = QIcon(drawn_icon(name, size, theme().muted_text))
    disabled = QColor(Qt.GlobalColor.transparent) if quiet else theme().border
    icon.addPixmap(drawn_icon(name, size, disabled), QIcon.Mode.Disabled)
    icon.addPixmap(drawn_icon(name, size, theme().accent), QIcon.Mode.Normal, QIcon.State.On)
    icon.addPixmap(drawn_icon(name, size, theme().text), QIcon.Mode.Active)
    return icon


def drawn_icon(name: str, size: int, color: QColor) -> QPixmap:
    """Return the drawing at several times its size, for sharpness on dense screens; cached for each colour."""
    key = f"{name}/{size}/{color.name(QColor.NameFormat.HexArgb)}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    pixmap = QPixmap(QSize(size, size) * _SHARPNESS)
    pixmap.fill(Qt.GlobalColor.transparent)
    if color.alpha():
        drawing = resource(f"icons/{name}.svg").read_text(encoding="utf-8").replace("currentColor", color.name())
        painter = QPainter(pixmap)
        QSvgRenderer(QByteArray(drawing.encode())).render(painter)
        painter.end()
    pixmap.setDevicePixelRatio(_SHARPNESS)
    QPixmapCache.insert(key, pixmap)
    return pixmap


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


def picture_content(drawing: bytes, suffix: str = ".png") -> bytes:
    """Return a drawing (SVG) as a file, unchanged or as pixels. Raises ValueError for any other suffix."""
    if suffix.lower() == ".svg":
        return drawing
    if suffix.lower() != ".png":
        raise ValueError("expected a name that ends in .png or .svg")
    renderer = QSvgRenderer(QByteArray(drawing))
    image = QImage(renderer.defaultSize() * SHARPNESS, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image_content(image, "png")
