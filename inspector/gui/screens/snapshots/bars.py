"""The bars of several answers below each other, on a common scale: names, segments, totals. Only a picture."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inspector.assembly.answer import Answer
from inspector.gui.parts.bar_picture import BarPicture, Segment, bar_picture
from inspector.gui.parts.texts import one_line, told_apart, tooltip
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, theme

BAR = 5 * UNIT
LEAST_BAR = 15 * UNIT
_NAME_DIGITS = 18


class AlignedBars(QWidget):
    """A bar for each answer, its name at the left, its total at the right if there is room; a token has the same width
    in all.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("snapshot_bars")
        self.setAccessibleName("Token budgets side by side")
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.names: tuple[str, ...] = ()
        self.pictures: tuple[BarPicture | None, ...] = ()

    def show_answers(self, names: Sequence[str], answers: Sequence[Answer]) -> None:
        """Show these answers; an answer without a prompt has no bar."""
        self.names = tuple(names)
        self.pictures = tuple(None if answer.assembly.error else bar_picture(answer) for answer in answers)
        said = (f"{name}: {picture.description if picture else 'no prompt'}" for name, picture in self._rows)
        self.setAccessibleDescription(" ".join(said))
        self.setVisible(bool(names))
        self.updateGeometry()
        self.update()

    @property
    def _rows(self) -> list[tuple[str, BarPicture | None]]:
        return list(zip(self.names, self.pictures, strict=True))

    def sizeHint(self) -> QSize:
        """Return a height with a line for each bar."""
        return QSize(80 * UNIT, len(self.names) * (BAR + UNIT) + UNIT)

    def bar(self, number: int) -> QRect:
        """Return the rectangle of a bar, as wide as the largest window or prompt."""
        digit = QFontMetrics(self.font()).horizontalAdvance("0")
        left = PANEL_MARGIN + _NAME_DIGITS * digit + GAP
        right = self.width() - PANEL_MARGIN - self._side - GAP
        return QRect(left, UNIT + number * (BAR + UNIT), max(right - left, 1), BAR)

    @property
    def _side(self) -> int:
        """The width of the totals; 0 if they would leave no room to compare bars."""
        metrics = QFontMetrics(self.font())
        widest = max((metrics.horizontalAdvance(picture.total_text) for picture in self.pictures if picture), default=0)
        others = 2 * (PANEL_MARGIN + GAP) + _NAME_DIGITS * metrics.horizontalAdvance("0")
        return widest if self.width() - others - widest >= LEAST_BAR else 0

    def span_of(self, number: int, segment: Segment) -> QRect:
        """Return the rectangle of a segment of a bar."""
        row, scale = self.bar(number), max((picture.scale for picture in self.pictures if picture), default=1)
        left, right = (row.left() + round(place * row.width() / scale) for place in (segment.start, segment.end))
        return QRect(left, row.top(), max(right - left, 1), row.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme()
        for number, (name, (_, picture)) in enumerate(zip(told_apart(self.names), self._rows, strict=True)):
            row = self.bar(number)
            place = QRect(PANEL_MARGIN, row.top(), row.left() - GAP - PANEL_MARGIN, row.height())
            elided = painter.fontMetrics().elidedText(one_line(name), Qt.TextElideMode.ElideRight, place.width())
            painter.setPen(look.text)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), elided)
            if picture is None:
                painter.setPen(look.error)
                painter.drawText(row, int(Qt.AlignmentFlag.AlignVCenter), "no prompt")
                continue
            self._paint_bar(painter, number, picture)
            if not self._side:
                continue
            side = QRect(row.right() + GAP, row.top(), self._side, row.height())
            painter.setPen(look.error if picture.over else look.muted_text)
            painter.drawText(side, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), picture.total_text)
        painter.end()

    def _paint_bar(self, painter: QPainter, number: int, picture: BarPicture) -> None:
        look = theme()
        for segment in picture.segments:
            span = self.span_of(number, segment)
            if segment.section is not None:
                painter.fillRect(span, look.section_color(segment.section))
            elif segment.word == "overhead":
                painter.fillRect(span, look.muted_text)
            elif segment.word == "reserve":
                painter.fillRect(span, look.border)
        painter.setPen(look.border)
        window = Segment("window", "", None, 0, picture.window)
        painter.drawRect(self.span_of(number, window).adjusted(0, 0, -1, -1))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tooltip(self._sentence(event)), self)
            return True
        return super().event(event)

    def _sentence(self, event: QHelpEvent) -> str:
        for number, (name, picture) in enumerate(self._rows):
            for segment in picture.segments if picture else ():
                if picture and self.span_of(number, segment).contains(event.pos()):
                    return f"{name}: {picture.sentence(segment)}"
        return ""
