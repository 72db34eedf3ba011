"""The outline painted over fields on a dark window, where the style's own is invisible."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from inspector.gui.style import outline_color
from inspector.gui.theme import theme

_ROUNDING = 2.5


def paint_outline(field: QWidget) -> None:
    """Draw the outline of a field: in the accent while it has the focus, not at all on a light window."""
    current = theme()
    if not current.dark:
        return
    color = current.accent if field.hasFocus() else outline_color(current)
    painter = QPainter(field)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(color if field.isEnabled() else current.border)
    painter.drawRoundedRect(QRectF(field.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _ROUNDING, _ROUNDING)
    painter.end()
