"""Small controls of the details, which paint themselves: switches, links, and a scroll bar in the margin."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QScrollBar,
    QSizePolicy,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from inspector.gui.icons import line_icon
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import OFF_OPACITY, RADIUS, UNIT, give_font, scaled, theme

LEAST_TARGET = 24
"""The least width and height of a control, in pixels of the design."""
MARGIN = 4 * UNIT
"""The distance of text from the edges of the column, and the width of a scroll bar beside it."""


_THUMB = 6


class Quiet(ElidedLabel):
    """A line in the second ink, at the left. Where it has no room, it gives way to a shorter one, if there is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._short = ""

    def say_either(self, text: str, short: str) -> None:
        """Show a line, or the shorter one where there is little room."""
        self._short = one_line(short)
        self.say(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        text, metrics = self.text(), self.fontMetrics()
        text = self._short if self._short and metrics.horizontalAdvance(text) > self.width() else text
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        painter = QPainter(self)
        painter.setPen(theme().second_text)
        painter.drawText(self.rect(), self.alignment().value, shown)
        painter.end()


class Switch(QAbstractButton):
    """A word that is on or off, with the accent while it is on."""

    def __init__(self, text: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        give_font(self, "secondary")
        self.setText(text)
        self.setAccessibleName(text)
        self.setToolTip(tooltip(tip))
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """Return the room of the word, and of its ground around it."""
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 4 * UNIT, scaled(LEAST_TARGET))

    def minimumSizeHint(self) -> QSize:
        """Return the full size: half a word would say nothing."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or self.isDown() or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.accent_soft if self.isChecked() or self.isDown() else look.hover)
            painter.drawRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        painter.setPen(look.accent if self.isChecked() else look.second_text)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


class Link(QAbstractButton):
    """Words that lead somewhere, in the accent, underlined below the mouse; `name` is read while there are none."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def say(self, text: str, tip: str = "") -> None:
        """Show these words; without any, take no room."""
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(text or self.accessibleName())
            self.updateGeometry()
        self.setToolTip(tooltip(tip))
        self.setVisible(bool(text))

    def sizeHint(self) -> QSize:
        """Return the room of the words."""
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 1, scaled(LEAST_TARGET))

    def minimumSizeHint(self) -> QSize:
        """Return no width: words that are too long end in an ellipsis."""
        return QSize(0, scaled(LEAST_TARGET))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = QFont(self.font())
        font.setUnderline(self.underMouse() or self.hasFocus())
        painter.setFont(font)
        painter.setPen(theme().accent)
        shown = self.fontMetrics().elidedText(one_line(self.text()), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()


ICON = 16
HEAD_TARGET = 7 * UNIT


class HeadButton(QAbstractButton):
    """An icon without a frame, in the accent while it is on."""

    def __init__(self, icon: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        """Return a square around the icon, large enough for the mouse."""
        return QSize(scaled(HEAD_TARGET), scaled(HEAD_TARGET))

    def say(self, name: str, tip: str) -> None:
        """Set the name for screen readers, and the tooltip."""
        self.setAccessibleName(name)
        self.setToolTip(tooltip(tip))

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.accent_soft if self.isDown() else look.hover)
            painter.drawRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        painter.setOpacity(1.0 if self.isEnabled() else OFF_OPACITY)
        place = QRect(0, 0, scaled(ICON), scaled(ICON))
        place.moveCenter(self.rect().center())
        state = QIcon.State.On if self.isChecked() else QIcon.State.Off
        line_icon(self._icon, scaled(ICON)).paint(painter, place, mode=QIcon.Mode.Normal, state=state)
        painter.end()


class MarginBar(QScrollBar):
    """The vertical scroll bar of an area, in the margin beside it: contents are as wide with it as without."""

    def __init__(self, area: QAbstractScrollArea, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedWidth(MARGIN)
        self._own = area.verticalScrollBar()
        self._own.rangeChanged.connect(self._follow)
        self._own.valueChanged.connect(self.setValue)
        self.valueChanged.connect(self._own.setValue)
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self._follow(self._own.minimum(), self._own.maximum())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the handle alone, narrower than it can be gripped."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        kind = QStyle.ComplexControl.CC_ScrollBar
        handle = self.style().subControlRect(kind, option, QStyle.SubControl.SC_ScrollBarSlider, self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        is_held = self.underMouse() or self.isSliderDown()
        painter.setBrush(theme().outline if is_held else theme().border)
        side = (handle.width() - _THUMB) / 2
        painter.drawRoundedRect(QRectF(handle).adjusted(side, 0, -side, 0), _THUMB / 2, _THUMB / 2)
        painter.end()

    def _follow(self, least: int, most: int) -> None:
        self.setPageStep(self._own.pageStep())
        self.setSingleStep(self._own.singleStep())
        self.setRange(least, most)
        self.setVisible(most > least)
