"""Side by side: the outcome of every item under many settings in one matrix, and ways to go on with one of them."""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Rows, phrase
from inspector.assembly.compare import NO_ROW
from inspector.assembly.side_by_side import SideBySide
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.parts.buttons import WordButton
from inspector.gui.parts.chip import Chip
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.chooser import Chooser
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.texts import control_text
from inspector.gui.screens.side_by_side.adding import COLUMNS
from inspector.gui.screens.side_by_side.header import SideHeader
from inspector.gui.screens.side_by_side.model import GLYPHS, LEGEND, NOW_KEY, SideBySideModel
from inspector.gui.screens.side_by_side.outcomes import OutcomesPane
from inspector.gui.screens.side_by_side.table import SideTable
from inspector.gui.theme import give_font, scaled, theme, tone_color

ADD = "Add policy, model, tokenizer or snapshot"
NOTHING_OPEN = "Open a chat to see what each setting makes of it."
ALL_AGREE = "These settings agree about every item."
NOTHING_THERE = "Nothing here could enter a prompt yet."
_NARROW = 900
"""Below this width the page has no pane."""
_LEAST = 480
_ROW, _POPOVER = 44, QSize(480, 420)
_NO_ROWS = np.empty(0, dtype=np.intp)
_ASCENDING, _DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
_FIRST_ORDER = {"number": _ASCENDING, "differ": _DESCENDING, "tokens": _DESCENDING}
"""The sortable columns, with the order after the first click; the third click sorts by disagreement again."""


class SideBySideView(AskingView):
    """The row of commands, the matrix, and the outcomes of the selected item. The view computes nothing.

    `requested` asks for the sides: when it becomes visible and a moment after `refresh`, never while hidden.
    `row_selected` carries rows of the current candidates. The others carry the key of a column: `use_requested`,
    `changes_requested`, `text_requested`, `snapshot_requested` and `remove_requested`; `added` carries a choice,
    `adding` asks for `choices` to be offered, `export_requested` for the table as a file.
    """

    requested = Signal()
    row_selected = Signal(int)
    use_requested = Signal(str)
    changes_requested = Signal(str)
    text_requested = Signal(str)
    snapshot_requested = Signal(str)
    remove_requested = Signal(str)
    usual_requested = Signal()
    export_requested = Signal()
    added = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sides: SideBySide | None = None
        self._place: int | None = None
        self._order = _DESCENDING
        self._choices: Callable[[], Sequence[Choice]] = tuple
        self.model = SideBySideModel(self)
        self.header = SideHeader()
        self.add = WordButton("plus", ADD)
        self.add.setObjectName("side_by_side_add")
        self.add.clicked.connect(self._open_chooser)
        self.chooser = Chooser("side_chooser", ADD, COLUMNS, self)
        self.chooser.chosen.connect(lambda choice: self.added.emit(choice.thing))
        self.only_disputed = Chip("side_by_side_differing", "Only where they differ", "Show only items that differ")
        self.all_items = Chip("side_by_side_all", "All", "Show all items")
        self.summary = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.summary.setAccessibleName("Settings that have no column, and why")
        self.legend = Legend()
        self.table = self._make_table()
        self.outcomes = OutcomesPane()
        self.outcomes.use_requested.connect(self.use_requested)
        self.outcomes.text_requested.connect(self.text_requested)
        self._chips()
        self._lay_out()
        self.show_sides(None)

    def _chips(self) -> None:
        group = QButtonGroup(self)
        for chip in (self.only_disputed, self.all_items):
            group.addButton(chip)
        self.only_disputed.setChecked(True)
        self.only_disputed.toggled.connect(self._show_rows)

    def _make_table(self) -> SideTable:
        table = SideTable(self.model, self.header)
        table.setObjectName("side_by_side_table")
        table.setAccessibleName("What becomes of each item under each setting")
        table.setFrameShape(SideTable.Shape.NoFrame)
        table.row_selected.connect(self._tell_row)
        table.doubleClicked.connect(self._use_cell)
        self.header.sectionClicked.connect(self._sort)
        self.header.use_requested.connect(self._use)
        self.header.menu_requested.connect(self._open_menu)
        self.model.sort_by("differ", self._order)
        table.show_sorting()
        return table

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(scaled(12), 0, scaled(16), 0)
        top.setSpacing(scaled(8))
        for part in (self.add, self.only_disputed, self.all_items):
            top.addWidget(part)
        top.addWidget(self.summary, 1)
        top.addWidget(self.legend)
        commands = QWidget()
        commands.setFixedHeight(scaled(_ROW))
        commands.setLayout(top)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(commands)
        left.addWidget(self.table, 1)
        left.addWidget(self.table.past)
        whole = QHBoxLayout(self)
        whole.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)  # the pane goes where there is no room
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(left, 1)
        whole.addWidget(_Line())
        whole.addWidget(self.outcomes)

    def minimumSizeHint(self) -> QSize:
        """Return room for the commands and a few columns, without the pane."""
        return QSize(scaled(_LEAST), scaled(2 * _ROW) + self.table.minimumSizeHint().height())

    def heightForWidth(self, width: int) -> int:
        """Return the least height: a page that scrolls would get the preferred height of all lines of the pane."""
        return self.minimumSizeHint().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the room to the matrix where there is little; its tooltips tell the reasons, too."""
        super().resizeEvent(event)
        self.outcomes.setVisible(self.width() >= scaled(_NARROW))
        self.legend.setVisible(self.width() >= scaled(_NARROW))

    def offer(self, choices: Callable[[], Sequence[Choice]]) -> None:
        """Take the function that returns what can be added, called whenever the list opens."""
        self._choices = choices

    def show_sides(self, sides: SideBySide | None) -> None:
        """Show the sides; None if nothing is open."""
        self._stale = False
        self._sides = sides
        self.table.set_dimmed(False)
        self.header.show_sides(sides)
        self._show_rows()

    def show_now(self, answer: Answer) -> None:
        """Show another answer in the column of now, while the others are not answered again yet."""
        if self.model.show_now(answer):
            self.header.show_now(answer)

    def select_row(self, row: int | None) -> None:
        """Make an item current, if it is shown; None for no item."""
        if row is not None:
            self.table.select_row(row)
        self._show_outcomes(row)

    def _dim(self) -> None:
        self.table.set_dimmed(self._sides is not None)

    def _ask(self) -> None:
        self.requested.emit()

    def _show_rows(self) -> None:
        sides, columns = self._sides, self.model.columns
        self.table.set_empty_text(self._empty_text())
        self.model.show_sides(sides, self._rows())
        if self.model.columns is not columns:
            self.table.take_columns()
            self.table.show_sorting()
        self.header.place_buttons()
        self.only_disputed.say(f"Only where they differ {sides.disputed:,}" if sides else "Only where they differ")
        self.all_items.say(f"All {len(sides):,}" if sides else "All")
        self.summary.say(f"Left out: {'; '.join(sides.refused)}" if sides and sides.refused else "")
        self._show_outcomes(self._place)

    def _show_outcomes(self, place: int | None) -> None:
        """Show the outcomes of an item, which stay while a chip hides its row."""
        self._place = place
        self.outcomes.show_item(self.model, place)

    def _rows(self) -> Rows:
        return _NO_ROWS if self._sides is None else self._sides.shown(self.only_disputed.isChecked())

    def _empty_text(self) -> str:
        if self._sides is None:
            return NOTHING_OPEN
        return ALL_AGREE if len(self._sides) else NOTHING_THERE

    def _sort(self, section: int) -> None:
        """Sort by a column of the items; the second click reverses the order, the third sorts by disagreement."""
        key = self.model.columns[section].key
        if key in _FIRST_ORDER:
            first = _FIRST_ORDER[key]
            if self.model.sorted_by != key:
                self._order = first
            elif self._order == first:
                self._order = _DESCENDING if first == _ASCENDING else _ASCENDING
            else:
                key, self._order = "differ", _DESCENDING
            self.model.sort_by(key, self._order)
        self.table.show_sorting()

    def _tell_row(self, place: int) -> None:
        self._show_outcomes(place)
        row = int(self._sides.rows[place, 0]) if self._sides is not None and place < len(self._sides) else NO_ROW
        if row != NO_ROW and not self._stale:
            self.row_selected.emit(row)

    def _use_cell(self, index: QModelIndex) -> None:
        self._use(self.model.columns[index.column()].key)

    def _use(self, key: str) -> None:
        if self.model.place(key):  # the first is in use
            self.use_requested.emit(key)

    def _open_chooser(self) -> None:
        window, below = self.window(), self.add.mapTo(self.window(), QPoint(0, self.add.height() + 4))
        self.chooser.open_over(window, QRect(below, QSize(scaled(_POPOVER.width()), 0)), self._choices())

    def _open_menu(self, key: str, place: QPoint) -> None:
        menu = self.menu_of(key)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def menu_of(self, key: str) -> QMenu:
        """Return the menu of a column."""
        menu = QMenu(self)
        is_now = key == NOW_KEY
        for text, signal in (
            ("Use this setting", self.use_requested),
            ("Compare changes with it", self.changes_requested),
            ("Compare its text", self.text_requested),
        ):
            action = menu.addAction(control_text(text))
            action.setEnabled(not is_now)
            action.triggered.connect(lambda _=False, signal=signal: signal.emit(key))
        menu.addAction("Save as snapshot…").triggered.connect(lambda: self.snapshot_requested.emit(key))
        menu.addSeparator()
        remove: QAction = menu.addAction(
            control_text("Clear the baseline" if key == "baseline" else "Remove the column")
        )
        remove.setEnabled(not is_now)
        remove.triggered.connect(lambda: self.remove_requested.emit(key))
        menu.addAction("Show every policy as designed").triggered.connect(self.usual_requested)
        menu.addSeparator()
        menu.addAction("Export the table…").triggered.connect(self.export_requested)
        return menu


class Legend(QWidget):
    """The glyphs of the outcomes with their words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        give_font(self, "secondary")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Glyphs: " + ", ".join(f"{GLYPHS[fate]} {phrase(fate)}" for fate in LEGEND))

    def _widths(self) -> list[tuple[int, int]]:
        metrics = self.fontMetrics()
        return [
            (metrics.horizontalAdvance(f"{GLYPHS[fate]} "), metrics.horizontalAdvance(phrase(fate))) for fate in LEGEND
        ]

    def sizeHint(self) -> QSize:
        """Return room for all of them."""
        return QSize(sum(glyph + word + scaled(14) for glyph, word in self._widths()), scaled(24))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, x, look = QPainter(self), 0, theme()
        for fate, (glyph, word) in zip(LEGEND, self._widths(), strict=True):
            painter.setPen(tone_color(phrase(fate)) if fate else look.text)  # type: ignore[arg-type]
            painter.drawText(QRect(x, 0, glyph, self.height()), Qt.AlignmentFlag.AlignVCenter, GLYPHS[fate])
            painter.setPen(look.second_text)
            painter.drawText(QRect(x + glyph, 0, word + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, phrase(fate))
            x += glyph + word + scaled(14)
        painter.end()


class _Line(QWidget):
    """A hairline between matrix and pane."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().border)
