"""The scrolled part of the settings: as wide as its column, with a scroll bar only where it is needed."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from inspector.gui.parts.row_parts import INDENT
from inspector.gui.theme import UNIT

LEFT = 4 * UNIT - INDENT
"""The room left of rows, which begin with the room for their dot."""


class SettingsArea(QScrollArea):
    """Shows `page`, whose `column` keeps its width: the scroll bar takes the place of the margin at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settings_area")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page = QWidget(self)
        self.column = QVBoxLayout(self.page)
        self.column.setSpacing(0)
        self.setWidget(self.page)
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._fit())
        self._fit()

    def _fit(self) -> None:
        bar = self.verticalScrollBar()
        needs_bar = bar.maximum() > bar.minimum()
        self.column.setContentsMargins(LEFT, 0, 0 if needs_bar else bar.sizeHint().width(), 2 * UNIT)
