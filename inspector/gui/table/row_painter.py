"""Painting of rows: a table paints itself in one pass over what is in sight, so that a slider's tick fits a frame.

A delegate would be called for every cell with a copy of all options: 4.5 ms for what takes 1.5 ms here.
"""

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QStaticText
from PySide6.QtWidgets import QTableView

from inspector.gui.palettes import Theme, blended
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme

PADDING = 8
EDGE_WIDTH = 3
DIMMED = 0.4
SELECTED_WITHOUT_FOCUS = 0.25
REMEMBERED_TEXTS = 4_000


class Place(NamedTuple):
    """Where a column stands in the viewport: its number in the model, left end and width in pixels."""

    column: int
    x: int
    width: int


class PreparedTexts:
    """Texts laid out once for a font and a width, elided where they are too long."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, int, bool], tuple[QStaticText, float, float]] = {}
        self._font_key = ""

    def use(self, font: QFont) -> None:
        """Lay out with this font; another one than before makes all texts again."""
        if font.key() == self._font_key:
            return
        self._font_key = font.key()
        self._texts.clear()
        self._fonts = {False: QFont(font), True: QFont(font)}
        self._fonts[True].setWeight(QFont.Weight.DemiBold)

    def font(self, bold: bool) -> QFont:
        """The font in use, or its bold face."""
        return self._fonts[bold]

    def text(self, text: str, width: int, bold: bool = False) -> tuple[QStaticText, float, float]:
        """A text for a width, with the width and height that it came out at, all in pixels."""
        known = self._texts.get((text, width, bold))
        if known is None:
            font = self._fonts[bold]
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, width)
            prepared = QStaticText(shown)
            prepared.setTextFormat(Qt.TextFormat.PlainText)
            prepared.prepare(font=font)
            size = prepared.size()
            if len(self._texts) >= REMEMBERED_TEXTS:
                self._texts.clear()
            known = self._texts[text, width, bold] = (prepared, size.width(), size.height())
        return known


class RowPainter:
    """Paints the rows of a table in sight. `dimmed` shows them as a picture of before."""

    def __init__(self, view: QTableView, model: ArrayTableModel) -> None:
        self._view = view
        self._model = model
        self._texts = PreparedTexts()
        self.dimmed = False

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Paint the rows that touch an area of the viewport, over the ground that is there."""
        view, model = self._view, self._model
        self._texts.use(view.font())
        first, last = view.rowAt(area.top()), view.rowAt(area.bottom())
        if first < 0:
            return
        last = len(model.rows) - 1 if last < 0 else last
        places, look = self._places(area), theme()
        is_selected = view.selectionModel().isRowSelected
        focused, current = view.hasFocus(), view.currentIndex().row()
        for position in range(first, last + 1):
            strip = QRect(0, view.rowViewportPosition(position), view.viewport().width(), view.rowHeight(position) - 1)
            selected = is_selected(position)
            ink = self._paint_ground(painter, strip, look, position, selected, focused)
            if focused and position == current:
                painter.setPen(look.accent)
                painter.drawRect(strip.adjusted(0, 0, -1, 0))
            self._paint_row(painter, strip, position, places, ink, selected and focused)

    def _places(self, area: QRect) -> list[Place]:
        """The columns that touch an area."""
        header, places = self._view.horizontalHeader(), []
        for column in range(len(self._model.columns)):
            if not header.isSectionHidden(column):
                x, width = header.sectionViewportPosition(column), header.sectionSize(column)
                if x <= area.right() and x + width > area.left():
                    places.append(Place(column, x, width))
        return places

    def _paint_ground(
        self, painter: QPainter, strip: QRect, look: Theme, position: int, selected: bool, focused: bool
    ) -> QColor:
        """The ground of a row, and the colour of usual text on it."""
        ground = strip.adjusted(0, 0, 0, 1)
        if selected:
            fill = look.accent if focused else blended(look.accent, look.base, SELECTED_WITHOUT_FOCUS)
            painter.fillRect(ground, fill)
            return look.text_on(look.accent) if focused else look.text
        if position % 2:
            painter.fillRect(ground, look.alternate)
        return look.text

    def _paint_row(
        self, painter: QPainter, strip: QRect, position: int, places: list[Place], ink: QColor, plain: bool
    ) -> None:
        model, y, height = self._model, strip.y(), strip.height()
        marking = model.marking(position)
        if self.dimmed:
            painter.setOpacity(DIMMED)
        if marking is not None and marking.heading:
            self._paint_heading(painter, strip, marking.heading, ink)
        else:
            for column, x, width in places:
                text, color = model.cell(position, column)
                if text:
                    room = width - 2 * PADDING
                    prepared, used, tall = self._texts.text(text, room)
                    painter.setPen(ink if plain or color is None else color)
                    left = x + PADDING + (room - used if model.columns[column].right and used < room else 0)
                    painter.drawStaticText(QPointF(left, y + (height - tall) / 2), prepared)
            if marking is not None:
                self._paint_marking(painter, strip, marking, places, plain)
        painter.setOpacity(1.0)

    def _paint_heading(self, painter: QPainter, strip: QRect, heading: str, ink: QColor) -> None:
        """A row that is a title for those below it, across all columns."""
        painter.setFont(self._texts.font(bold=True))
        painter.setPen(ink)
        prepared, _, tall = self._texts.text(heading, strip.width() - 2 * PADDING, bold=True)
        painter.drawStaticText(QPointF(PADDING, strip.y() + (strip.height() - tall) / 2), prepared)
        painter.setFont(self._texts.font(bold=False))

    def _paint_marking(
        self, painter: QPainter, strip: QRect, marking: Marking, places: list[Place], plain: bool
    ) -> None:
        """The thin line and the glyph at the left end of the first column."""
        if not places or places[0].column != 0:
            return
        x, width = places[0].x, places[0].width
        painter.fillRect(x, strip.y(), EDGE_WIDTH, strip.height() + 1, marking.edge)
        if marking.glyph:
            if not plain:
                painter.setPen(marking.color)
            prepared, _, tall = self._texts.text(marking.glyph, width)
            painter.drawStaticText(QPointF(x + EDGE_WIDTH + 2, strip.y() + (strip.height() - tall) / 2), prepared)
