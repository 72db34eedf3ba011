"""Parts of rows of settings that paint themselves: a name that marks a changed value, and a switch."""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.texts import one_line
from inspector.gui.theme import give_font, named_font, scaled, theme

INDENT = 10
"""The room for the dot before a name, in pixels."""
_DOT = 5
_NAME = 136
_LEAST, _LEAST_SHORT = 96, 64
_TRACK = QSize(28, 16)
_TARGET = 24
_KNOB_MARGIN = 2.5


class RowName(QWidget):
    """The name of a setting; while its value is changed, it is bold and has a dot before it.

    Names have the common width of a column, or with `takes_rest` the free width of their line.
    """

    clicked = Signal()

    def __init__(self, text: str, takes_rest: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._is_changed = one_line(text), False
        self._least = _LEAST_SHORT if takes_rest else _LEAST
        across = QSizePolicy.Policy.Expanding if takes_rest else QSizePolicy.Policy.Maximum
        self.setSizePolicy(across, QSizePolicy.Policy.Preferred)
        give_font(self, "name")

    @property
    def is_changed(self) -> bool:
        """Whether the value is shown as changed."""
        return self._is_changed

    def text(self) -> str:
        """Return the whole name."""
        return self._text

    def show_changed(self, is_changed: bool) -> None:
        """Show whether the value is another than that of the preset."""
        if is_changed != self._is_changed:
            self._is_changed = is_changed
            self.update()

    def sizeHint(self) -> QSize:
        """Return the common width of names, which does not change when one becomes bold."""
        return QSize(INDENT + scaled(_NAME), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._least, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme()
        if self._is_changed:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.accent)
            painter.drawEllipse(QPointF(_DOT / 2, self.height() / 2), _DOT / 2, _DOT / 2)
            painter.setFont(named_font("title"))
        painter.setPen(self.palette().color(self.foregroundRole()))
        room = self.rect().adjusted(INDENT, 0, 0, 0)
        shown = painter.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(event.button() == Qt.MouseButton.LeftButton)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()


class SecondText(PlainLabel):
    """A few words in the second ink, beside a name."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        give_font(self, "secondary")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(theme().second_text)
        painter.drawText(self.contentsRect(), int(self.alignment()), self.text())


class Toggle(QCheckBox):
    """A check box without words that looks like a switch."""

    def sizeHint(self) -> QSize:
        return QSize(_TRACK.width(), _TARGET)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        """Return whether a place is on the switch: everywhere in the target."""
        return self.rect().contains(pos)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look, on = QPainter(self), theme(), self.isChecked()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(1, (self.height() - _TRACK.height()) / 2, _TRACK.width() - 2, _TRACK.height())
        fill = (look.accent if self.isEnabled() else look.outline) if on else look.border
        painter.setBrush(fill)
        painter.setPen(QPen(fill if on else look.outline, 1))
        radius = track.height() / 2
        painter.drawRoundedRect(track, radius, radius)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.on_accent if on else look.button)
        x = track.right() - radius if on else track.left() + radius
        painter.drawEllipse(QPointF(x, track.center().y()), radius - _KNOB_MARGIN, radius - _KNOB_MARGIN)
