"""A dock whose buttons can be seen in every theme."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QWidget

from inspector.gui.icons import line_icon

ICON = 12
_ICONS = {"qt_dockwidget_floatbutton": "float", "qt_dockwidget_closebutton": "close"}


class Dock(QDockWidget):
    """Qt's own icons for its buttons are nearly black, whatever they lie on."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.topLevelChanged.connect(self._draw)

    def showEvent(self, event: QShowEvent) -> None:
        """Qt draws its own at the latest now."""
        super().showEvent(event)
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        """Another theme, another ink."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._draw()

    def _draw(self) -> None:
        for name, icon in _ICONS.items():
            button = self.findChild(QAbstractButton, name)
            if isinstance(button, QAbstractButton):
                button.setIcon(line_icon(icon, ICON))
                button.setIconSize(QSize(ICON, ICON))
