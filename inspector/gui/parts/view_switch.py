"""A switch between views: a row of buttons of which one is pressed."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from inspector.gui.parts.plain_text import control_text, tooltip
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.theme import theme


class ViewSwitch(QWidget):
    """Buttons side by side, at first with the first one pressed. `chosen(number)` carries a newly pressed button.

    `names` is the pattern of the accessible names, with {} for a button's text; `tips` are the tooltips. With `wraps`,
    the row continues on another line if necessary.
    """

    chosen = Signal(int)

    def __init__(
        self,
        texts: Sequence[str],
        names: str,
        parent: QWidget | None = None,
        tips: Sequence[str] = (),
        wraps: bool = False,
    ) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        row = WrappingRow() if wraps else QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for number, text in enumerate(texts):
            button = QToolButton(self)
            button.setText(control_text(text))
            button.setCheckable(True)
            button.setChecked(number == 0)
            button.setAccessibleName(names.format(text.lower()))
            button.setToolTip(tooltip(tips[number] if tips else ""))
            self._group.addButton(button, number)
            row.addWidget(button)
        self.setLayout(row)
        self._group.idToggled.connect(self._tell)
        self._colour()

    @property
    def current(self) -> int:
        """The number of the pressed button."""
        return self._group.checkedId()

    def choose(self, number: int) -> None:
        """Press a button."""
        self._group.button(number).setChecked(True)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_group"):
            self._colour()

    def _tell(self, number: int, pressed: bool) -> None:
        if pressed:
            self._colour()
            self.chosen.emit(number)

    def _colour(self) -> None:
        """Paint the chosen view in the accent colour: a pressed button alone is hard to see in the dark theme."""
        for button in self._group.buttons():
            palette = self.palette()
            if button.isChecked():
                palette.setColor(palette.ColorRole.Button, theme().accent)
                palette.setColor(palette.ColorRole.ButtonText, theme().text_on(theme().accent))
            button.setPalette(palette)
