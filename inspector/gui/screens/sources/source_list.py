"""The list of sources: a line of 28 pixels each, with an icon or a check box, a name, and a figure at the right."""

from collections.abc import Sequence
from typing import Any, cast

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from inspector.assembly.decisions import Assembly
from inspector.assembly.tidying import NAMED
from inspector.gui.icons import line_icon
from inspector.gui.parts.focus_ring import KeyUse, set_use
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.screens.sources.rows import Source, detail_of
from inspector.gui.theme import RADIUS, UNIT, named_font, scaled, theme

HEIGHT = 28
MOST_LINES = 8
"""With more sources the list scrolls."""
_ICON = 16
_EDGE = 4 * UNIT
_Index = QModelIndex | QPersistentModelIndex
KEYS = (
    KeyUse("Take a source out of the prompt, or bring it in", "Space"),
    KeyUse("Choose a chat, or show what a source brings", "Return"),
    KeyUse("Rename", "F2"),
)


class SourcesModel(QAbstractListModel):
    """A row for each source: DisplayRole is its name, UserRole the source itself.

    `use_asked(source)` asks to take it out or in, `title_asked(source, title)` to rename it.
    """

    use_asked = Signal(object)
    title_asked = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sources: Sequence[Source] = ()
        self._details: list[str] = []

    @property
    def sources(self) -> Sequence[Source]:
        """The sources, from top to bottom."""
        return self._sources

    def show_sources(self, sources: Sequence[Source], assembly: Assembly | None) -> None:
        """List these sources, with the figures of an answer; rows that look the same stay where they are."""
        if [one.key for one in sources] == [one.key for one in self._sources]:
            self._sources = sources
            self.show_figures(assembly)
            return
        self.beginResetModel()
        self._sources = sources
        self._details = [detail_of(source, assembly) for source in sources]
        self.endResetModel()

    def show_figures(self, assembly: Assembly | None) -> None:
        """Show the figures of another answer; rows whose figure stays are left alone."""
        for place, source in enumerate(self._sources):
            detail = detail_of(source, assembly)
            if detail != self._details[place]:
                self._details[place] = detail
                self.dataChanged.emit(self.index(place), self.index(place))

    def detail(self, row: int) -> str:
        """Return the text at the right of a row."""
        return self._details[row]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._sources)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags
        source = self._sources[index.row()]
        if source.is_used is not None:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags | Qt.ItemFlag.ItemIsEditable if source.kind in NAMED else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        source = self._sources[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return one_line(source.name) if role == Qt.ItemDataRole.DisplayRole else source.title
        if role == Qt.ItemDataRole.UserRole:
            return source
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(source.tip, wraps=True)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{source.name}, {self._details[index.row()]}".rstrip(", ")
        if role == Qt.ItemDataRole.CheckStateRole and source.is_used is not None:
            return Qt.CheckState.Checked if source.is_used else Qt.CheckState.Unchecked
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for a use or a title; the row changes once it is granted."""
        if not index.isValid():
            return False
        source = self._sources[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole and source.is_used is not None:
            self.use_asked.emit(source)
            return True
        if role == Qt.ItemDataRole.EditRole and source.kind in NAMED:
            if str(value).strip() not in ("", source.title):
                self.title_asked.emit(source, str(value).strip())
            return True
        return False


class SourceList(QTreeView):
    """`chosen(source)` carries a source that was clicked or taken by Enter, `removed(source)` one to be removed.

    `menu_asked(source, place)` carries a place on the screen.
    """

    chosen = Signal(object)
    removed = Signal(object)
    menu_asked = Signal(object, QPoint)

    def __init__(self, model: SourcesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("workspace_tree")
        self.setAccessibleName("Sources")
        self.setModel(model)
        self._model = model
        self.setItemDelegate(SourceLines(self))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.viewport().setAutoFillBackground(False)
        self.customContextMenuRequested.connect(self._offer)
        self._pressed_box = False
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self)
        set_use(delete, "Remove from what is open")
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)
        model.modelReset.connect(self._fit)

    def source_at(self, index: _Index) -> Source | None:
        """Return the source of a row, None beside all rows."""
        return index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None

    def row_height(self) -> int:
        """Return the height of a row in pixels."""
        return max(scaled(HEIGHT), self.fontMetrics().height() + 2 * UNIT)

    def sizeHint(self) -> QSize:
        """Return the height of all rows, up to so many."""
        lines = min(max(self._model.rowCount(), 1), MOST_LINES)
        return QSize(super().sizeHint().width(), lines * self.row_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(self._model.rowCount(), 2) * self.row_height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Note whether the press is on a box or on the button for more."""
        index = self.indexAt(event.position().toPoint())
        self._pressed_box = self._is_on_box(index, event.position().toPoint())
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Turn a box, open the menu, or choose the row."""
        place = event.position().toPoint()
        index = self.indexAt(place)
        super().mouseReleaseEvent(event)
        source = self.source_at(index)
        if source is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if self._pressed_box and self._is_on_box(index, place):
            self._model.use_asked.emit(source)
        elif more_box(self.visualRect(index)).contains(place):
            self.menu_asked.emit(source, self.viewport().mapToGlobal(place))
        elif not self._pressed_box:
            self.chosen.emit(source)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn the box of a row by Space, choose it by Enter."""
        source = self.source_at(self.currentIndex())
        if event.key() == Qt.Key.Key_Space and source is not None:
            if source.is_used is not None:
                self._model.use_asked.emit(source)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and source is not None:
            if self.state() != QAbstractItemView.State.EditingState:
                self.chosen.emit(source)
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_model"):
            self.doItemsLayout()
            self._fit()

    def _fit(self) -> None:
        """Be as high as the rows, up to so many."""
        self.setFixedHeight(self.sizeHint().height())

    def _is_on_box(self, index: _Index, place: QPoint) -> bool:
        source = self.source_at(index)
        return source is not None and source.is_used is not None and icon_box(self.visualRect(index)).contains(place)

    def _offer(self, place: QPoint) -> None:
        if (source := self.source_at(self.indexAt(place))) is not None:
            self.menu_asked.emit(source, self.viewport().mapToGlobal(place))

    def _remove(self) -> None:
        if (source := self.source_at(self.currentIndex())) is not None:
            self.removed.emit(source)


def icon_box(row: QRect) -> QRect:
    """Return the target of the icon or check box of a row."""
    return QRect(row.left() + _EDGE - UNIT, row.top(), _ICON + 2 * UNIT, row.height())


def more_box(row: QRect) -> QRect:
    """Return the target of the button for more at the right end of a row."""
    return QRect(row.right() - _EDGE - _ICON, row.top(), _ICON + 2 * UNIT, row.height())


class SourceLines(QStyledItemDelegate):
    """Paints the rows. A row that is pointed at or current shows its check box, and a button for more."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        self.initStyleOption(option, index)
        view, shown, look = self.parent(), cast(Any, option), theme()
        assert isinstance(view, SourceList)
        source: Source = index.data(Qt.ItemDataRole.UserRole)
        row, state = shown.rect, shown.state
        is_current = bool(state & QStyle.StateFlag.State_Selected) and view.hasFocus()
        is_lit = bool(state & QStyle.StateFlag.State_MouseOver) or is_current
        if is_lit:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.selected if is_current else look.hover)
            painter.drawRoundedRect(row.adjusted(2 * UNIT, 0, -2 * UNIT, 0), RADIUS - 1, RADIUS - 1)
        self._paint_icon(painter, view, row, source, is_lit)
        is_off = source.is_used is False
        right = self._paint_detail(painter, row, "" if is_lit else view.model().detail(index.row()))  # type: ignore[attr-defined]
        if is_lit:
            middle = row.top() + (row.height() - _ICON) // 2
            line_icon("ellipsis", _ICON).paint(painter, QRect(row.right() - _EDGE - _ICON + 1, middle, _ICON, _ICON))
        painter.setFont(named_font("title" if source.kind == "conversation" else "name"))
        painter.setPen(look.muted_text if is_off else look.text)
        left = row.left() + _EDGE + _ICON + 2 * UNIT
        room = QRect(left, row.top(), right - left - 2 * UNIT, row.height())
        name = elided(painter.fontMetrics(), one_line(source.name), room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, name)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        view = self.parent()
        assert isinstance(view, SourceList)
        return QSize(0, view.row_height())

    def _paint_icon(self, painter: QPainter, view: QWidget, row: QRect, source: Source, is_lit: bool) -> None:
        box = QRect(row.left() + _EDGE, row.top() + (row.height() - _ICON) // 2, _ICON, _ICON)
        if source.is_used is None or (source.is_used and not is_lit):
            line_icon(source.icon, _ICON).paint(painter, box)
            return
        check = QStyleOptionButton()
        shown = cast(Any, check)
        shown.rect = box
        on = QStyle.StateFlag.State_On if source.is_used else QStyle.StateFlag.State_Off
        shown.state = QStyle.StateFlag.State_Enabled | on
        QApplication.style().drawPrimitive(QStyle.PrimitiveElement.PE_IndicatorItemViewItemCheck, check, painter, view)

    def _paint_detail(self, painter: QPainter, row: QRect, detail: str) -> int:
        """Paint the text at the right; return where it begins."""
        end = row.right() - _EDGE + 1
        if not detail:
            return end - _ICON
        painter.setFont(named_font("secondary"))
        painter.setPen(theme().second_text)
        width = painter.fontMetrics().horizontalAdvance(detail)
        painter.drawText(QRect(end - width, row.top(), width, row.height()), Qt.AlignmentFlag.AlignVCenter, detail)
        return end - width


def elided(metrics: QFontMetrics, name: str, width: int) -> str:
    """Return a name cut to a width, in the middle: names of files and parts differ at both ends."""
    return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width)
