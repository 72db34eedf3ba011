"""The tables with figures that are painted: a row for each policy, and a row for each kind of question."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from inspector.gui.palettes import blended
from inspector.gui.screens.recommend.model import CategoriesModel, PolicyModel, ShareBar, Strong, Whisker
from inspector.gui.table.model import Cell
from inspector.gui.table.row_painter import PADDING, Place, RowPainter
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import UNIT, scaled, theme

ROW = 34
_DOT, _LINE, _BAR = 4.5, 3, 10
_PALE = 0.35


class FigurePainter(RowPainter):
    """Paints whiskers, bars and strong texts over their cells."""

    def _paint_cell(self, painter: QPainter, strip: QRect, place: Place, cell: Cell, selected: bool) -> None:
        super()._paint_cell(painter, strip, place, cell, selected)
        room = QRect(place.x, strip.y(), place.width, strip.height())
        if isinstance(cell.figure, Strong):
            self._paint_strong(painter, room, cell.figure.text)
        elif isinstance(cell.figure, Whisker):
            _paint_whisker(painter, room, cell.figure)
        elif isinstance(cell.figure, ShareBar):
            _paint_bar(painter, room, cell.figure)

    def _paint_strong(self, painter: QPainter, room: QRect, text: str) -> None:
        prepared, _, tall = self._texts.text(text, room.width() - 2 * PADDING, bold=True)
        painter.setFont(self._texts.font(bold=True))
        painter.setPen(theme().text)
        painter.drawStaticText(QPointF(room.x() + PADDING, room.y() + (room.height() - tall) / 2), prepared)
        painter.setFont(self._texts.font(bold=False))


def _paint_whisker(painter: QPainter, room: QRect, whisker: Whisker) -> None:
    look, middle = theme(), room.y() + room.height() / 2
    left, wide = room.x() + PADDING, room.width() - 2 * PADDING - _DOT
    at = lambda share: left + share * wide  # noqa: E731
    ink = look.accent if whisker.look == "best" else look.text if whisker.look == "now" else look.muted_text
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(left, middle - _LINE / 2, whisker.recall * wide, _LINE), blended(ink, look.base, _PALE))
    painter.setPen(QPen(ink, 1.2))
    painter.drawLine(QPointF(at(whisker.low), middle), QPointF(at(whisker.high), middle))
    is_wide = (whisker.high - whisker.low) * wide > 2 * _DOT
    for end in (whisker.low, whisker.high) if is_wide else ():
        painter.drawLine(QPointF(at(end), middle - UNIT), QPointF(at(end), middle + UNIT))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawEllipse(QPointF(at(whisker.recall), middle), _DOT, _DOT)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setPen(QPen(look.second_text, 1, Qt.PenStyle.DashLine))
    place = round(at(whisker.now))
    painter.drawLine(place, room.top(), place, room.bottom() + 1)
    painter.restore()


def _paint_bar(painter: QPainter, room: QRect, bar: ShareBar) -> None:
    look, height = theme(), scaled(_BAR)
    track = QRectF(room.x() + PADDING, room.y() + (room.height() - height) / 2, room.width() - 2 * PADDING, height)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.hover)
    painter.drawRoundedRect(track, 2, 2)
    painter.setBrush(look.accent)
    painter.drawRoundedRect(QRectF(track.x(), track.y(), track.width() * bar.share, height), 2, 2)
    if bar.mark is not None:
        place = track.x() + track.width() * bar.mark
        painter.fillRect(QRectF(place - 1, track.y() - UNIT, 2, height + 2 * UNIT), look.text)
    painter.restore()


class PolicyTable(ArrayTableView):
    """The best setting of each policy, in rows with room for their whiskers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.policies = PolicyModel()
        super().__init__(self.policies, parent)
        self.policies.setParent(self)
        self.painter = FigurePainter(self, self.policies)
        self.setObjectName("recommend_table")
        self.setAccessibleName("The best setting of each policy")
        self.setSortingEnabled(True)
        self.horizontalHeader().setSortIndicatorClearable(True)
        self.sort_by("")

    def row_pixels(self) -> int:
        """Return the height of a row."""
        return max(scaled(ROW), super().row_pixels())


class KindTable(ArrayTableView):
    """Recall of each kind of question."""

    def __init__(self, model: CategoriesModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self.painter = FigurePainter(self, model)
