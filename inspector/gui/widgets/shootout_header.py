"""The header of a shoot-out: over each policy its name and totals, and a button that makes it the one in use."""

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QToolButton, QWidget

from inspector.assembly.shootout import Shootout, contender_of
from inspector.gui.models.shootout import FIRST_POLICY, HeaderLine, header_lines
from inspector.gui.theme import UNIT, heading_font, small_font, theme

LINES = 5
BUTTON_LINE = 1
"""The line of the preset, which leaves room at its right; the name of a policy needs the whole width."""
PADDING = 2 * UNIT
DIGITS = 17
"""How wide a policy is at least, in figures."""
USE = "Use"


class ShootoutHeader(QHeaderView):
    """Titles of the item columns, and five lines over each policy. `use_requested` tells the place of a policy."""

    use_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._shootout: Shootout | None = None
        self._buttons: list[QToolButton] = []
        self.setSectionsClickable(True)
        self.setSortIndicatorShown(True)
        for changed in (self.sectionResized, self.sectionMoved, self.geometriesChanged):
            changed.connect(self.place_buttons)
        self.sectionDoubleClicked.connect(self._ask_for_section)

    def show_shootout(self, shootout: Shootout | None) -> None:
        """Show the totals of a shoot-out over its columns."""
        self._shootout = shootout
        self._make_buttons(len(shootout.contenders) if shootout else 0)
        for place, button in enumerate(self._buttons):
            self._describe(button, place)
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

    def _describe(self, button: QToolButton, place: int) -> None:
        contender = self._shootout.contenders[place] if self._shootout else None
        if self._shootout is None or contender is None:
            return
        in_use = contender == contender_of(self._shootout.scenario)
        button.setObjectName(f"use:{contender.name}")
        button.setEnabled(not in_use)
        button.setText("In use" if in_use else USE)
        button.setAccessibleName(f"Use the policy {contender.name}")
        button.setToolTip("This policy is in use" if in_use else f"Use this policy: {contender.name}")
        button.adjustSize()

    def place_buttons(self) -> None:
        """Put each button at the right end of its column; scrolling takes it along by itself."""
        for place, button in enumerate(self._buttons):
            column = FIRST_POLICY + place
            is_there = column < self.count() and not self.isSectionHidden(column)
            button.setVisible(is_there)
            if is_there:
                left, width = self.sectionViewportPosition(column), self.sectionSize(column)
                size, height = button.sizeHint(), self._line_height()
                button.setGeometry(
                    left + width - size.width() - UNIT, UNIT + BUTTON_LINE * height, size.width(), height
                )

    def width_of(self, place: int) -> int:
        """The width in pixels that the lines of a policy start with: the name is never cut off."""
        if self._shootout is None:
            return 0
        name = QFontMetrics(heading_font()).horizontalAdvance(self._shootout.contenders[place].policy)
        return max(name + 2 * PADDING, DIGITS * self.fontMetrics().horizontalAdvance("0"))

    def _ask_for_section(self, section: int) -> None:
        if section >= FIRST_POLICY:
            self.use_requested.emit(section - FIRST_POLICY)

    def _line_height(self) -> int:
        return QFontMetrics(heading_font()).height()

    def sizeHint(self) -> QSize:
        """Room for the lines of a policy; that of plain titles where there is none."""
        hint = super().sizeHint()
        return QSize(hint.width(), LINES * self._line_height() + 2 * UNIT) if self._buttons else hint

    def changeEvent(self, event: QEvent) -> None:
        """Another font has another height."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.geometriesChanged.emit()

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        """The ground of a policy's header carries no title: its lines are painted over it."""
        super().initStyleOptionForIndex(option, section)
        if section >= FIRST_POLICY and self._shootout is not None:
            option.text = ""  # type: ignore[attr-defined]

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint a title, or the lines of a policy."""
        super().paintSection(painter, rect, section)
        place = section - FIRST_POLICY
        if place < 0 or self._shootout is None or place >= len(self._shootout.contenders):
            return
        painter.save()
        inside, height = rect.adjusted(PADDING, UNIT, -PADDING, 0), self._line_height()
        for number, line in enumerate(header_lines(self._shootout, place)):
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
