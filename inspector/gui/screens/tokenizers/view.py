"""The tokenizer view: the same items counted by several tokenizers, the error of each, and the decisions that flip."""

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.analysis.tokenizers.ask import DEFAULT_CONTENDERS, TokenizerComparison
from inspector.analysis.tokenizers.errors import ErrorTable, error_columns, short_name
from inspector.assembly.columns import Rows
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.parts.buttons import MenuButton, ViewSwitch
from inspector.gui.parts.chip import Chip
from inspector.gui.parts.choice_menu import ChoiceMenu
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.screens.tokenizers.model import TokenizerComparisonModel, header_entries
from inspector.gui.table.header import EntryHeader
from inspector.gui.table.matrix_model import MatrixTable
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import scaled, theme
from inspector.tokens.embedded import EMBEDDED_NAMES
from inspector.tokens.estimate import ESTIMATORS


class KindErrorsModel(ArrayTableModel[ErrorTable]):
    """Errors by kind of content."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(error_columns(None), parent)

    def show_comparison(self, comparison: TokenizerComparison | None) -> None:
        """Show the errors of a comparison."""
        table = None if comparison is None else ErrorTable(comparison)
        self.set_columns(error_columns(table))  # only the titles are others
        rows, ids = (np.empty(0, np.intp), ()) if table is None else (table.rows, table.ids)
        self.show(table, rows, self.ids if ids == self.ids else ids)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def worst_row(self, row: int) -> int | None:
        """Return the item with the largest error in a row of this table, None if there is none."""
        errors = self.subject.cells[row] if self.subject else None
        return errors.worst if errors else None

    def heading(self, row: int) -> str:
        return self.subject.title(-1 - row) if self.subject else ""

    def marking(self, position: int) -> Marking | None:
        """Return the heading of a group."""
        row = int(self.rows[position])
        return Marking(theme().border, heading=self.heading(row)) if row < 0 else None


class TokenizerMenu(ChoiceMenu[str]):
    """A checkable entry for each name; `usual_requested` asks for the usual choice, which follows the model in use."""

    usual_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.addAction("The usual ones", self.usual_requested.emit)
        for names in (tuple(f"embedded:{name}" for name in EMBEDDED_NAMES), tuple(ESTIMATORS)):
            self.addSeparator()
            for name in names:
                self.add_choice(name, short_name(name), name in DEFAULT_CONTENDERS)


HEADER_LINES = 4
HEADER_DIGITS = 20
"""The least width of a tokenizer's column, in digits."""
PAGES = ("By kind of content", "By item")
BY_KIND, BY_ITEM = range(2)
_ROW = 44

NOTHING_OPEN = "Open a chat to see what each tokenizer counts."
NOTHING_FLIPS = "No decision flips under these tokenizers."
NOTHING_THERE = "Nothing here could enter a prompt yet."

_NO_ROWS = np.empty(0, dtype=np.intp)
_ASCENDING, _DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
_RISING = ("number", "kind")
"""The columns sorted upwards by the first click; the others begin with the greatest difference."""


class TokenizerComparisonView(AskingView):
    """Chooser, filter, errors by kind of content, and items. The view counts nothing.

    `requested` asks for a comparison: with a list of names, or with None for the usual ones. `row_selected` carries
    rows of the candidates, `tokenizer_requested` the tokenizer to use.
    """

    requested = Signal(object)
    row_selected = Signal(int)
    tokenizer_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison: TokenizerComparison | None = None
        self._is_usual = True
        self._order = _DESCENDING
        self._model = TokenizerComparisonModel(self)
        self._errors_model = KindErrorsModel(self)
        self.menu = TokenizerMenu(self)
        self.menu.chosen_changed.connect(self._take_choice)
        self.menu.usual_requested.connect(self._take_usual)
        self.chooser = self._make_chooser()
        words = "Show only items that are decided otherwise under some tokenizer"
        self.only_flipped = Chip("tokenizers_only_flipped", "Only where decisions flip", words)
        self.only_flipped.toggled.connect(self._show_rows)
        self.summary = ElidedLabel()
        self.summary.setAccessibleName("Summary of the tokenizer comparison")
        self.errors = self._make_errors()
        self.table = self._make_table()
        self.pages = self._make_pages()
        self.tables = QStackedWidget()
        self.tables.addWidget(self.errors)
        self.tables.addWidget(self.table)
        self._lay_out()
        self.show_comparison(None)

    def _make_chooser(self) -> MenuButton:
        chooser = MenuButton("tokenizers_chosen", "Tokenizers", self.menu)
        chooser.setAccessibleName("Choose the tokenizers that are compared")
        return chooser

    def _make_errors(self) -> ArrayTableView:
        table = ArrayTableView(self._errors_model)
        table.setObjectName("tokenizers_errors")
        table.setFrameShape(ArrayTableView.Shape.NoFrame)
        table.setAccessibleName("How far each tokenizer is off, by kind of content")
        table.row_selected.connect(self._tell_worst)
        return table

    def _make_table(self) -> MatrixTable:
        header = EntryHeader(HEADER_LINES, HEADER_DIGITS)
        table = MatrixTable(self._model, header)
        table.setObjectName("tokenizers_table")
        table.setFrameShape(ArrayTableView.Shape.NoFrame)
        table.setAccessibleName("What each tokenizer counts for each item")
        table.row_selected.connect(self._tell_row)
        table.doubleClicked.connect(self._use_cell)
        header.sectionClicked.connect(self._sort)
        header.use_requested.connect(self._use)
        self._model.sort_by("flips", self._order)
        table.show_sorting()
        return table

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(scaled(12), 0, scaled(16), 0)
        top.setSpacing(scaled(8))
        top.addWidget(self.pages)
        top.addWidget(self.chooser)
        top.addWidget(self.only_flipped)
        top.addWidget(self.summary, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 1, 0, 0)  # a view covered completely by its parts counts as out of sight
        layout.setSpacing(0)
        row = QWidget()
        row.setFixedHeight(scaled(_ROW))
        row.setLayout(top)
        layout.addWidget(row)
        layout.addWidget(self.tables, 1)
        self._show_page(BY_KIND)

    def _make_pages(self) -> ViewSwitch:
        pages = ViewSwitch(PAGES, "Show errors {}", self)
        pages.setObjectName("tokenizers_page")
        pages.setAccessibleName("How the comparison is shown")
        pages.chosen.connect(self._show_page)
        return pages

    def _show_page(self, page: int) -> None:
        self.tables.setCurrentIndex(page)
        self.only_flipped.setVisible(page == BY_ITEM)

    def show_comparison(self, comparison: TokenizerComparison | None) -> None:
        """Show a comparison as far as it is counted; None if nothing is open."""
        self._comparison = comparison
        if not self.is_waiting or comparison is None:
            self._stale = False
            self._dim()
            if comparison is not None:
                self.menu.show_chosen(column.name for column in comparison.columns)
        self._show_rows()

    def select_row(self, row: int) -> None:
        """Make an item current, if it is shown."""
        self.table.select_row(row)

    def _dim(self) -> None:
        for table in (self.table, self.errors):
            table.set_dimmed(self._stale and self._comparison is not None)

    def _take_choice(self) -> None:
        self._is_usual = False
        self.refresh()

    def _take_usual(self) -> None:
        self._is_usual = True
        self.refresh()

    def _ask(self) -> None:
        if self._comparison is None:
            self.summary.say("Counting …")
        self.requested.emit(None if self._is_usual else list(self.menu.chosen))

    def _show_rows(self) -> None:
        comparison, columns = self._comparison, self._model.columns
        untouched = [table for table in (self.table, self.errors) if _is_untouched(table)]
        self.table.set_empty_text(self._empty_text())
        self.table.header.show_entries(() if comparison is None else header_entries(comparison))
        self._model.show_comparison(comparison, self._rows())
        self._errors_model.show_comparison(comparison)
        if self._model.columns is not columns:
            self.table.take_columns()
            self.table.show_sorting()
        self.table.header.place_buttons()
        for table in untouched:  # what is to be seen first changes with every column that is counted
            table.scrollToTop()
        self.summary.say("" if comparison is None else _summary(comparison))

    def _rows(self) -> Rows:
        if self._comparison is None:
            return _NO_ROWS
        if self.only_flipped.isChecked():
            return np.flatnonzero(self._comparison.dissent)
        return np.arange(len(self._comparison.kinds))

    def _empty_text(self) -> str:
        if self._comparison is None:
            return NOTHING_OPEN
        return NOTHING_FLIPS if len(self._comparison.kinds) else NOTHING_THERE

    def _sort(self, section: int) -> None:
        """Sort by a column; a second click on it reverses the order."""
        key = self._model.columns[section].key
        if key != "text":
            first = _ASCENDING if key in _RISING else _DESCENDING
            again = self._model.sorted_by == key and self._order == first
            self._order = (_DESCENDING if first == _ASCENDING else _ASCENDING) if again else first
            self._model.sort_by(key, self._order)
        self.table.show_sorting()

    def _tell_row(self, row: int) -> None:
        if not self._stale:
            self.row_selected.emit(row)

    def _tell_worst(self, row: int) -> None:
        worst = self._errors_model.worst_row(row)
        if worst is not None and not self._stale:
            self.select_row(worst)
            self.row_selected.emit(worst)

    def _use_cell(self, index: QModelIndex) -> None:
        self._use(self._model.columns[index.column()].key)

    def _use(self, key: str) -> None:
        place = self._model.place(key)
        if self._comparison is not None and place:  # the first is the one in use
            self.tokenizer_requested.emit(self._comparison.columns[place].name)


def _is_untouched(table: ArrayTableView) -> bool:
    """Return whether the user has neither selected a row of the table nor scrolled it."""
    return table.current_row < 0 and table.verticalScrollBar().value() == 0


def _summary(comparison: TokenizerComparison) -> str:
    reference, total, disputed = comparison.reference, len(comparison.kinds), comparison.disputed
    flips = f"{disputed:,} of {total:,} decisions flip" if disputed else "no decision flips"
    if reference is not None:
        return f"Reference: {short_name(reference.name)}, exact · {flips}"
    base = short_name(comparison.columns[comparison.base].name)
    return f"None of these is exact: differences to {base}, no errors · {flips}"
