"""A header with several lines over each column that can be put to use, and a button that asks for that."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QToolButton, QWidget

from inspector.gui.table.header_entries import HeaderEntry, HeaderLine
from inspector.gui.theme import UNIT, heading_font, small_font, theme

BUTTON_LINE = 1
"""The second line, which leaves room at its right; the name above it needs the whole width."""
PADDING = 2 * UNIT
USE = "Use"


class EntryHeader(QHeaderView):
    """Titles of the columns before `first`, and some lines over each of the others.

    `use_requested` tells the place of an entry. A column with an entry is at least `digits` figures wide.
    """

    use_requested = Signal(int)

    def __init__(self, first: int, lines: int, digits: int, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.first = first
        self._line_count, self._digits = lines, digits
        self._entries: tuple[HeaderEntry, ...] = ()
        self._buttons: list[QToolButton] = []
        self.setSectionsClickable(True)
        self.setSortIndicatorShown(True)
        for changed in (self.sectionResized, self.sectionMoved, self.geometriesChanged):
            changed.connect(self.place_buttons)
        self.sectionDoubleClicked.connect(self._ask_for_section)

    def show_entries(self, entries: Sequence[HeaderEntry]) -> None:
        """Show these over the columns from `first` on."""
        self._entries = tuple(entries)
        self._make_buttons(len(entries))
        for entry, button in zip(entries, self._buttons, strict=True):
            _describe(button, entry)
        self.viewport().update()

    def _make_buttons(self, count: int) -> None:
        while len(self._buttons) > count:
            self._buttons.pop().deleteLater()
        while len(self._buttons) < count:
            button, place = QToolButton(self.viewport()), len(self._buttons)
            button.setFont(small_font())
            button.setText(USE)
            button.clicked.connect(lambda _, place=place: self.use_requested.emit(place))
            self._buttons.append(button)

    def place_buttons(self) -> None:
        """Put each button at the right end of its column; scrolling takes it along by itself."""
        for place, button in enumerate(self._buttons):
            column = self.first + place
            is_there = column < self.count() and not self.isSectionHidden(column)
            button.setVisible(is_there)
            if is_there:
                left, width = self.sectionViewportPosition(column), self.sectionSize(column)
                size, height = button.sizeHint(), self._line_height()
                button.setGeometry(
                    left + width - size.width() - UNIT, UNIT + BUTTON_LINE * height, size.width(), height
                )

    def width_of(self, place: int) -> int:
        """The width in pixels that the lines of an entry start with: the name is never cut off."""
        if place >= len(self._entries):
            return 0
        name = QFontMetrics(heading_font()).horizontalAdvance(self._entries[place].lines[0].text)
        return max(name + 2 * PADDING, self._digits * self.fontMetrics().horizontalAdvance("0"))

    def _ask_for_section(self, section: int) -> None:
        if section >= self.first:
            self.use_requested.emit(section - self.first)

    def _line_height(self) -> int:
        return QFontMetrics(heading_font()).height()

    def sizeHint(self) -> QSize:
        """Room for the lines of an entry; that of plain titles where there is none."""
        hint = super().sizeHint()
        return QSize(hint.width(), self._line_count * self._line_height() + 2 * UNIT) if self._buttons else hint

    def changeEvent(self, event: QEvent) -> None:
        """Another font has another height."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.geometriesChanged.emit()

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        """The ground of an entry carries no title: its lines are painted over it."""
        super().initStyleOptionForIndex(option, section)
        if section >= self.first and self._entries:
            option.text = ""  # type: ignore[attr-defined]

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint a title, or the lines of an entry."""
        super().paintSection(painter, rect, section)
        place = section - self.first
        if not 0 <= place < len(self._entries):
            return
        painter.save()
        inside, height = rect.adjusted(PADDING, UNIT, -PADDING, 0), self._line_height()
        for number, line in enumerate(self._entries[place].lines):
            room = inside.adjusted(0, number * height, 0, 0)
            room.setHeight(height)
            if number == BUTTON_LINE:
                room.setRight(self._buttons[place].x() - UNIT)
            self._paint_line(painter, room, line)
        painter.restore()

    def _paint_line(self, painter: QPainter, room: QRect, line: HeaderLine) -> None:
        look = theme()
        colors = {"name": look.text, "usual": look.text, "muted": look.muted_text, "error": look.error}
        painter.setFont(heading_font() if line.kind == "name" else self.font())
        painter.setPen(colors[line.kind])
        text = painter.fontMetrics().elidedText(line.text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)


def _describe(button: QToolButton, entry: HeaderEntry) -> None:
    button.setObjectName(f"use:{entry.name}")
    button.setEnabled(not entry.in_use)
    button.setText("In use" if entry.in_use else USE)
    button.setAccessibleName(f"Use the {entry.what} {entry.name}")
    button.setToolTip(f"This {entry.what} is in use" if entry.in_use else f"Use this {entry.what}: {entry.name}")
    button.adjustSize()
