"""A dock whose buttons are visible in every theme, and whose title has the size of all text."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QStyle,
    QStyleOptionDockWidget,
    QStyleOptionFrame,
    QStylePainter,
    QWidget,
)

from inspector.gui.icons import line_icon

ICON = 12
_ICONS = {"qt_dockwidget_floatbutton": "picture-in-picture-2", "qt_dockwidget_closebutton": "x"}


class Dock(QDockWidget):
    """Replaces Qt's button icons, which are nearly black, and the font of its titles, which never changes."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.topLevelChanged.connect(self._draw)
        self.topLevelChanged.connect(self._come_to_front)

    def showEvent(self, event: QShowEvent) -> None:
        """Replace the icons, which Qt draws by now at the latest."""
        super().showEvent(event)
        self._draw()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the title in the current font of all text, unless the desktop draws the frame and title."""
        if self.isFloating() and not self.windowFlags() & Qt.WindowType.FramelessWindowHint:
            super().paintEvent(event)
            return
        painter = QStylePainter(self)
        if self.isFloating():
            frame = QStyleOptionFrame()
            frame.initFrom(self)
            painter.drawPrimitive(QStyle.PrimitiveElement.PE_FrameDockWidget, frame)
        title = QStyleOptionDockWidget()
        self.initStyleOption(title)
        painter.drawControl(QStyle.ControlElement.CE_DockWidgetTitle, title)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._draw()

    def _come_to_front(self, is_floating: bool) -> None:
        """Bring a dock to the front when it is put back among others."""
        if not is_floating:
            self.raise_()

    def _draw(self) -> None:
        for name, icon in _ICONS.items():
            button = self.findChild(QAbstractButton, name)
            if isinstance(button, QAbstractButton):
                button.setIcon(line_icon(icon, ICON))
                button.setIconSize(QSize(ICON, ICON))
