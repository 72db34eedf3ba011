"""The list of what just fell out, in large rows for an audience."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from inspector.assembly.columns import Action, Section, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.who import who
from inspector.figures import counted, figures
from inspector.gui.screens.present.falling import Falling
from inspector.gui.screens.present.stage_text import least_pixels, stage_font
from inspector.gui.theme import theme
from inspector.tables import OUTCOME_GLYPHS, first_line

NOTHING_OUT = "Everything is whole in the prompt."
_HEAD, _ROW = 52, 60
_EDGE, _WHO, _TEXT, _TOKENS = 8, 28, 206, 150
"""Left ends of the columns, and the width of the last, in units of the page."""
_WHEEL = 120


class FallList(QWidget):
    """The rows of a `Falling` below a heading; `row_selected` carries a row of the candidates.

    The wheel scrolls. Up and Down select rows. `unit` is the size of a pixel of the design.
    """

    row_selected = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("falling_list")
        self.setAccessibleName("What just fell out of the prompt")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._falling: Falling | None = None
        self._first = 0
        self._row: int | None = None
        self._unit = 1.0
        self._turned = 0

    def set_unit(self, unit: float) -> None:
        """Take another size."""
        if unit != self._unit:
            self._unit = unit
            self.update()

    def show_falling(self, falling: Falling | None) -> None:
        """Show what just fell, or all that is out of the prompt; None shows nothing."""
        self._falling, self._first, self._turned = falling, 0, 0
        self.setAccessibleDescription(" ".join(self.heading))
        self.update()

    def show_row(self, row: int | None) -> None:
        """Mark the selected item."""
        if row != self._row:
            self._row = row
            self.update()

    @property
    def heading(self) -> tuple[str, str]:
        """The heading and the figures beside it."""
        falling = self._falling
        if falling is None:
            return "", ""
        shown, count = min(self._room, len(falling.rows)), len(falling.rows)
        part = f"{figures(shown)} of {figures(count)}, newest first" if shown < count else figures(count)
        if falling.is_fresh:
            return "Just fell out" if falling.is_dropped else "Just shortened", part
        return ("Out of the prompt", falling.counts) if count else (NOTHING_OUT, "")

    @property
    def shown_rows(self) -> list[int]:
        """The rows of the candidates in sight, from top to bottom."""
        return [] if self._falling is None else self._falling.rows[self._first : self._first + self._room].tolist()

    @property
    def _room(self) -> int:
        """How many rows there is room for."""
        return max(int((self.height() / self._unit - _HEAD) / _ROW), 0)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the heading and the rows in sight."""
        if self._falling is None:
            return
        painter = QPainter(self)
        painter.scale(self._unit, self._unit)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_heading(painter)
        for place, row in enumerate(self.shown_rows):
            self._paint_row(painter, self._falling.assembly, row, _HEAD + place * _ROW)
        painter.end()

    def _paint_heading(self, painter: QPainter) -> None:
        (title, said), look, left = self.heading, theme(), 0.0
        least = stage_font(least_pixels(self._unit) / self._unit)
        runs = [(title, look.text, stage_font(24, QFont.Weight.DemiBold)), (said, look.second_text, least)]
        if self._falling is not None and self._falling.is_fresh:
            action = Action.DROPPED if self._falling.is_dropped else Action.SUMMARIZED
            runs.insert(0, (OUTCOME_GLYPHS[word(action)], look.action_color(action), stage_font(24)))
        for words, ink, font in runs:
            painter.setFont(font)
            painter.setPen(ink)
            painter.drawText(QPointF(left, 32), words)
            left += QFontMetricsF(font).horizontalAdvance(words) + 14

    def _paint_row(self, painter: QPainter, assembly: Assembly, row: int, top: float) -> None:
        look, width, candidates = theme(), self.width() / self._unit, assembly.candidates
        if row == self._row:
            painter.fillRect(QRectF(0, top, width, _ROW - 1), look.selected)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.section_color(Section(int(candidates.home_section[row]))))
        painter.drawRoundedRect(QRectF(0, top + 10, _EDGE, _ROW - 21), 3, 3)
        painter.fillRect(QRectF(0, top + _ROW - 1, width, 1), look.border)
        tokens = _tokens(assembly, row)
        font = stage_font(22)
        wide = max(_TOKENS, QFontMetricsF(font).horizontalAdvance(tokens) + 24)
        middle = Qt.AlignmentFlag.AlignVCenter
        for words, ink, place, side in (
            (who(candidates, row), look.second_text, QRectF(_WHO, top, _TEXT - _WHO - 12, _ROW), middle),
            (first_line(candidates.texts[row]), look.text, QRectF(_TEXT, top, width - _TEXT - wide, _ROW), middle),
            (tokens, look.second_text, QRectF(width - wide, top, wide, _ROW), middle | Qt.AlignmentFlag.AlignRight),
        ):
            shown = QFontMetricsF(font).elidedText(words, Qt.TextElideMode.ElideRight, place.width())
            painter.setFont(font)
            painter.setPen(ink)
            painter.drawText(place, int(side), shown)

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the row under the mouse."""
        place = int((event.position().y() / self._unit - _HEAD) // _ROW)
        rows = self.shown_rows
        if 0 <= place < len(rows):
            self.row_selected.emit(rows[place])

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll by a row for each notch; finer wheels and touch pads add up to notches."""
        self._turned += event.angleDelta().y()
        notches = int(self._turned / _WHEEL)
        self._turned -= notches * _WHEEL
        self._scroll(self._first - notches)

    def _scroll(self, first: int) -> None:
        most = 0 if self._falling is None else max(len(self._falling.rows) - self._room, 0)
        self._first = min(max(first, 0), most)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the next or the previous row, and bring it into sight."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        rows = [] if self._falling is None else self._falling.rows.tolist()
        if step is None or not rows:
            super().keyPressEvent(event)
            return
        at = rows.index(self._row) + step if self._row in rows else 0
        place = min(max(at, 0), len(rows) - 1)
        self._scroll(min(max(self._first, place - self._room + 1), place))
        self.row_selected.emit(rows[place])


def _tokens(assembly: Assembly, row: int) -> str:
    """Return the length of an item, and what became of it unless it is gone."""
    candidates, action = assembly.candidates, Action(int(assembly.action[row]))
    tokens = counted(int(candidates.tokens[row]), "token", estimated=bool(candidates.estimated[row]))
    return tokens if action is Action.DROPPED else f"{word(action)}, {tokens}"
