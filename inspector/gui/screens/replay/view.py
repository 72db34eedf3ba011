"""The page of the turns: the row that plays them, made with the window, and the lanes, made when first seen."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.gui.screens.replay.transport import Transport
from inspector.gui.session.turns import Player
from inspector.gui.theme import theme

if TYPE_CHECKING:
    from inspector.gui.screens.replay.lanes import LanesView


class ReplayPage(QWidget):
    """The transport row above the lanes. `first_seen` asks for them: plots are not needed for the first picture."""

    first_seen = Signal()

    def __init__(self, player: Player, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.transport = Transport(player)
        self.lanes: LanesView | None = None
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(1)
        self._rows.addWidget(self.transport)
        self._rows.addStretch()

    def take_lanes(self, lanes: "LanesView") -> None:
        """Show the lanes below the row."""
        self._rows.takeAt(1)
        self._rows.addWidget(lanes, 1)
        self.lanes = lanes

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.lanes is None:
            self.first_seen.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a hairline below the row."""
        painter = QPainter(self)
        painter.fillRect(0, self.transport.geometry().bottom() + 1, self.width(), 1, theme().border)
        painter.end()
