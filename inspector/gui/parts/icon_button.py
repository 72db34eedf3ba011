"""A small flat button with only an icon, drawn again when the theme changes."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QToolButton, QWidget

from inspector.gui.icons import line_icon
from inspector.gui.parts.plain_text import tooltip

SIZE = 20


class IconButton(QToolButton):
    """An icon with a name for screen readers; a `quiet` button is invisible while disabled."""

    def __init__(self, icon: str, words: str, quiet: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._quiet = icon, quiet
        self.setAutoRaise(True)
        self.setFixedSize(SIZE, SIZE)
        self.setIconSize(QSize(14, 14))
        self.say(words)
        self._draw()

    def say(self, words: str) -> None:
        """Set the button's description, as tooltip and accessible name."""
        self.setToolTip(tooltip(words))
        self.setAccessibleName(words)

    def show_icon(self, icon: str) -> None:
        """Show another icon."""
        if icon != self._icon:
            self._icon = icon
            self._draw()

    def _draw(self) -> None:
        self.setIcon(line_icon(self._icon, 14, self._quiet))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
        super().changeEvent(event)
