"""The table of the matrix: the items and now stay in sight, the other settings are passed a column at a time."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.screens.side_by_side.header import SideHeader
from inspector.gui.screens.side_by_side.model import NOW_KEY, SideBySideModel
from inspector.gui.table.header import PADDING
from inspector.gui.table.matrix_model import GlyphPainter, MatrixTable
from inspector.gui.table.view import copied_rows
from inspector.tables import Column

KEYS = (KeyUse("Pass the settings", "Left, Right"),)
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class SideTable(MatrixTable):
    """The matrix. `past` is its scroll bar over the settings, placed by the owner; Left and Right move it, too."""

    def __init__(self, model: SideBySideModel, header: SideHeader, parent: QWidget | None = None) -> None:
        self._sides, self._heads = model, header
        self.past = QScrollBar(Qt.Orientation.Horizontal)
        self.past.setObjectName("side_by_side_scroll")
        self.past.setAccessibleName("Settings in sight")
        super().__init__(model, header, parent)
        self.painter = GlyphPainter(self, model)
        self.painter.lasting = NOW_KEY
        self.past.valueChanged.connect(self._pass)

    def take_columns(self) -> None:
        """Give the columns their places, with as many settings in sight as fit."""
        self._take_room()
        super().take_columns()

    def show_columns(self) -> None:
        """Show as many settings as fit."""
        self._take_room()
        super().show_columns()
        self._heads.place_buttons()

    def copy_rows(self) -> None:
        """Put the selected rows on the clipboard with every setting, in sight or not."""
        if len(rows := self._selected()):
            items = [column for column in self._sides.columns if self.shows(column.key)]
            sides = [column for column in self._sides.columns if self._sides.place(column.key) is not None]
            own = [column for column in items if column not in sides]
            QGuiApplication.clipboard().setMimeData(copied_rows(self._sides, [*own, *sides], rows))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass the settings with Left and Right."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            self.past.setValue(self.past.value() + step)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Pass the settings with a wheel that turns sideways."""
        across = event.angleDelta().x()
        if abs(across) > abs(event.angleDelta().y()):
            self.past.setValue(self.past.value() - (across > 0) + (across < 0))
        else:
            super().wheelEvent(event)

    def _pass(self, first: int) -> None:
        self._sides.in_sight = range(first + 1, first + 1 + len(self._sides.in_sight))
        super().show_columns()
        self._heads.place_buttons()

    def _least_room(self, column: Column) -> int:
        """Return the width that a column of the items keeps, however many settings there are."""
        if not column.stretches:
            return self.columns.declared_width(column)
        return column.least * self.fontMetrics().horizontalAdvance("0") + 2 * PADDING

    def _take_room(self) -> None:
        """Find out how many settings fit beside the items and now."""
        sides = [column.key for column in self._sides.columns if self._sides.place(column.key) is not None]
        items = [column for column in self._sides.columns if column.key not in sides and column.at_first]
        needed = sum(map(self._least_room, items))
        widths = [self._heads.width_of(key) for key in sides] or [1]
        most = max((self.viewport().width() - needed - widths[0]) // max(widths), 1)
        others = max(len(sides) - 1, 0)
        self.past.blockSignals(True)
        self.past.setRange(0, max(others - most, 0))
        self.past.setPageStep(most)
        self.past.blockSignals(False)
        self.past.setVisible(others > most)
        self._sides.in_sight = range(self.past.value() + 1, self.past.value() + 1 + most)
