"""The delegate of the prompt's pieces: role and tokens, the beginning of the text below, the section's edge."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QAbstractItemView, QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inspector.figures import counted
from inspector.gui.parts.visible_text import first_line, one_line
from inspector.gui.screens.prompt.model import PromptRow
from inspector.gui.theme import PANEL_MARGIN, UNIT, theme

_EDGE = 3
_CHARACTERS = 300
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop


class PieceDelegate(QStyledItemDelegate):
    """The painter of a piece. All pieces have the same height, for laying out 100,000 immediately."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    @property
    def height(self) -> int:
        """The height in pixels: a line for the head and a line of text."""
        return 2 * self._line + 2 * UNIT

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a piece; parts of a message are indented below its head."""
        self.initStyleOption(option, index)
        option.text = ""
        style = self._view.style() or QApplication.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, self._view)
        piece: PromptRow = index.data(Qt.ItemDataRole.UserRole)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        ink = option.palette.highlightedText().color() if selected else theme().text
        quiet = ink if selected else theme().muted_text
        painter.save()
        if not piece.is_part and index.row():
            painter.setPen(theme().border)
            painter.drawLine(option.rect.topLeft(), option.rect.topRight())
        edge = QRect(option.rect.x(), option.rect.y(), _EDGE, option.rect.height())
        painter.fillRect(edge, theme().section_color(piece.section))
        indent = 4 * UNIT if piece.is_part else 0
        box = option.rect.adjusted(PANEL_MARGIN + indent, UNIT, -PANEL_MARGIN, -UNIT)
        self._paint_head(painter, box, piece, (ink, quiet))
        painter.setFont(self._view.font())
        painter.setPen(ink)
        text = first_line(piece.text or piece.item, _CHARACTERS)
        self._paint_line(painter, box.adjusted(0, self._line, 0, 0), text)
        painter.restore()

    @property
    def _line(self) -> int:
        return self._view.fontMetrics().lineSpacing()

    def _paint_head(self, painter: QPainter, box: QRect, piece: PromptRow, inks: tuple[QColor, QColor]) -> None:
        ink, quiet = inks
        tokens = counted(piece.tokens, "token", estimated=not piece.exact)
        painter.setFont(self._view.font())
        painter.setPen(quiet)
        painter.drawText(box, _RIGHT, tokens)
        room = box.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(tokens) - PANEL_MARGIN, 0)
        font = QFont(self._view.font())
        font.setBold(not piece.is_part)
        painter.setFont(font)
        painter.setPen(quiet if piece.is_part else ink)
        self._paint_line(painter, room, _title(piece))

    def _paint_line(self, painter: QPainter, box: QRect, text: str) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, _LEFT, shown)


def _title(piece: PromptRow) -> str:
    if piece.is_part:
        return one_line(piece.item)
    if piece.row is None:
        return f"{piece.role}  ·  {piece.items:,} item{'' if piece.items == 1 else 's'}"
    return f"{piece.role}  ·  {one_line(piece.name)}" if piece.name else piece.role
