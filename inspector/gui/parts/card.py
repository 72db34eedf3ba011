"""Cards: rounded buttons that paint themselves, which is cheaper than rules of style."""

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from inspector.gui.icons import drawn_icon
from inspector.gui.parts.texts import one_line
from inspector.gui.theme import FontName, named_font, scaled, theme

RADIUS = 10
ICON = 18
LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_PRESSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Card(QAbstractButton):
    """A button pressed by Enter and Space, with hover and focus. Its `height` is that of the design."""

    def __init__(self, name: str, words: str, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setAccessibleDescription(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._height = height

    def sizeHint(self) -> QSize:
        return QSize(scaled(200), scaled(self._height))

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(120), scaled(self._height))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press it with Enter, too."""
        if event.key() in _PRESSING:
            self.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.updateGeometry()
            self.update()

    def paint_ground(self, painter: QPainter, ground: QColor, edge: QColor | None) -> None:
        """Paint the rounded ground, and the ring of the focus."""
        look = theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():
            edge, width = look.accent, 2.0
        else:
            width = 1.0
        painter.setPen(QPen(edge, width) if edge is not None else Qt.PenStyle.NoPen)
        painter.setBrush(look.accent_soft if self.isDown() else look.hover if self.underMouse() else ground)
        inset = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)


def write(
    painter: QPainter, place: QRect, text: str, font: FontName, ink: QColor, side: Qt.AlignmentFlag = LEFT
) -> int:
    """Write a line in a place, cut with an ellipsis if too long. Returns its width."""
    painter.setFont(named_font(font))
    metrics = QFontMetrics(painter.font())
    shown = metrics.elidedText(one_line(text), Qt.TextElideMode.ElideRight, place.width())
    painter.setPen(ink)
    painter.drawText(place, int(side), shown)
    return metrics.horizontalAdvance(shown)


def paint_icon(painter: QPainter, name: str, left: int, middle: int, ink: QColor) -> None:
    """Paint an icon from its left end, around the middle of its height."""
    size = scaled(ICON)
    painter.drawPixmap(QPointF(left, middle - size / 2), drawn_icon(name, size, ink))
