"""Icons: the shipped drawings, painted in the text colour of the current theme."""

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from inspector.gui.theme import theme
from inspector.resources import resource

_SHARPNESS = 3


def app_icon() -> QIcon:
    """Return the icon of the application."""
    return QIcon(str(resource("desktop/icons/hicolor/scalable/apps/prompt-inspector.svg")))


def line_icon(name: str, size: int = 16, quiet: bool = False) -> QIcon:
    """Return a one-colour icon of `size` pixels. When disabled it is faint, or invisible if `quiet`."""
    icon = QIcon(_drawn(name, size, theme().muted_text))
    disabled = QColor(Qt.GlobalColor.transparent) if quiet else theme().border
    icon.addPixmap(_drawn(name, size, disabled), QIcon.Mode.Disabled)
    icon.addPixmap(_drawn(name, size, theme().accent), QIcon.Mode.Normal, QIcon.State.On)
    icon.addPixmap(_drawn(name, size, theme().text), QIcon.Mode.Active)
    return icon


def _drawn(name: str, size: int, color: QColor) -> QPixmap:
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
