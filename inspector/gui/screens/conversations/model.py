"""The rows of the list of chats: figures as they come, kept items as a bar, dropped ones with their share."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from inspector.analysis.archive.figures import ChatFigures
from inspector.analysis.archive.listing import CONVERSATION_COLUMNS, Archive
from inspector.assembly.columns import Rows, Section
from inspector.figures import percentage
from inspector.gui.table.model import ArrayTableModel, Cell
from inspector.gui.table.row_painter import PADDING, Place, RowPainter
from inspector.gui.theme import scaled, theme
from inspector.tables import Column

WAITING = "waiting"
_BAR = 8
_BLANK = {"tokens": "", "dropped": "", "findings": "", "prompt": WAITING}
"""The cells of a chat that has not been looked at."""
_SERIOUS = ("error", "warning")


@dataclass(frozen=True, slots=True)
class KeptBar:
    """The share of the items that are kept."""

    share: float


@dataclass(frozen=True, slots=True)
class Dropped:
    """How many items are dropped, and their share."""

    count: str
    share: str


class ConversationsModel(ArrayTableModel[Archive]):
    """Rows of an archive."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(CONVERSATION_COLUMNS, parent)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles of the columns; that of the bars stands over their beginnings."""
        if role == Qt.ItemDataRole.TextAlignmentRole and section == self.column("kept"):
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return super().headerData(section, orientation, role)

    def cell(self, position: int, column: Column[Archive]) -> Cell:
        """Return the cell; what is not known yet is blank, and said once."""
        row, subject = int(self.rows[position]), self.subject
        assert subject is not None
        looked = subject.looked.get(row)
        if looked is None and column.key in _BLANK:
            return Cell(_BLANK[column.key], theme().muted_text)
        figures = looked.figures if looked else None
        if figures is None:
            return super().cell(position, column)
        if column.key == "kept":
            return Cell("", figure=None if figures.kept_share is None else KeptBar(figures.kept_share))
        if column.key == "dropped" and figures.left_out:
            return Cell("", figure=_dropped(figures))
        if column.key == "findings" and not figures.findings:
            return Cell("")
        return super().cell(position, column)


def _dropped(figures: ChatFigures) -> Dropped:
    share = 1 - (figures.kept_share or 0)
    return Dropped(f"{figures.left_out:,}", percentage(share, 0))


class ConversationRowPainter(RowPainter):
    """The painter of the list."""

    def _paint_cell(self, painter: QPainter, strip: QRect, place: Place, cell: Cell, selected: bool) -> None:
        super()._paint_cell(painter, strip, place, cell, selected)
        room = QRect(place.x + PADDING, strip.y(), place.width - 2 * PADDING, strip.height())
        if isinstance(cell.figure, KeptBar):
            self._paint_bar(painter, room, cell.figure.share)
        elif isinstance(cell.figure, Dropped):
            self._paint_dropped(painter, room, cell.figure)

    def _paint_bar(self, painter: QPainter, room: QRect, share: float) -> None:
        look, height = theme(), scaled(_BAR)
        bar = QRectF(room.x(), room.y() + (room.height() - height) / 2, room.width(), height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.hover)
        painter.drawRoundedRect(bar, 2, 2)
        painter.setBrush(look.section_color(Section.HISTORY))
        bar.setWidth(max(bar.width() * share, 2.0 if share else 0.0))
        painter.drawRoundedRect(bar, 2, 2)
        painter.restore()

    def _paint_dropped(self, painter: QPainter, room: QRect, dropped: Dropped) -> None:
        """Paint the share at the right in the third ink, the count before it."""
        share, used, tall = self._texts.text(dropped.share, room.width())
        widest = self._texts.text("100 %", room.width())[1]
        top = room.y() + (room.height() - tall) / 2
        painter.setPen(theme().muted_text)
        painter.drawStaticText(QPointF(room.right() + 1 - used, top), share)
        left = room.right() + 1 - widest - scaled(8)
        count, wide, _ = self._texts.text(dropped.count, max(int(left - room.x()), 1))
        painter.setPen(theme().text)
        painter.drawStaticText(QPointF(left - wide, top), count)


def matching(archive: Archive, wanted: str, hits: Collection[int], only: str) -> Rows:
    """Return the rows with the words `wanted` in title or file, or among `hits`, of the kind `only`.

    Kinds are the words of the chips: "" for all, "over" the window, with "warnings", or the code of a finding.
    """
    rows = archive.matching(wanted)
    if wanted.split() and hits:
        rows = np.union1d(rows, np.array(sorted(hits), dtype=np.intp))
    return rows if not only else rows[np.array([is_of(archive, int(row), only) for row in rows], dtype=bool)]


def is_of(archive: Archive, row: int, only: str) -> bool:
    """Return whether a chat is over the window, has a warning or an error, or a finding of this code.

    Not before it was looked at.
    """
    looked = archive.looked.get(row)
    figures = looked.figures if looked else None
    if figures is None:
        return False
    if only == "over":
        return figures.over > 0
    if only == "warnings":
        return any(kind.severity in _SERIOUS for kind in figures.kinds)
    return any(kind.code == only for kind in figures.kinds)
