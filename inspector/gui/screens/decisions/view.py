"""The decision view: every item with its decision, filtered and sorted as the user likes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QTableView, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.columns import I64, Bool, Fate, Rows, Section
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.items import ItemTexts
from inspector.assembly.marks import Marks, marked_rows
from inspector.assembly.summary_items import fates_with_summaries, ids_with_summaries
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.screens.decisions.filter_line import FilterLine, TroubleLine
from inspector.gui.screens.decisions.model import NOTHING_MARKED, VERSIONS_KEY, DecisionModel
from inspector.gui.screens.decisions.row_map import RowMap
from inspector.gui.table.filter import parse_filter
from inspector.gui.table.filter_fields import Subject
from inspector.gui.table.item_menu import alternatives_menu, decision_menu
from inspector.gui.table.view import ArrayTableView

NOTHING_OPEN = "Open a conversation (Ctrl+O), drop a file here, or try a sample."
LOADING = "What is being opened is still loading."
NOTHING_MATCHES = "No item matches this filter."
NOTHING_THERE = "Nothing here could enter a prompt yet."

KEYS = (
    KeyUse("Pin or unpin the selected items", "P"),
    KeyUse("Leave them out or take them back in", "X"),
    KeyUse("They must stay, or need not", "M"),
    KeyUse("This question needs them", "Q"),
    KeyUse("Note something on the current item", "N"),
    KeyUse("Show another version of it", VERSIONS_KEY),
)

_NO_ROWS = np.empty(0, dtype=np.intp)


class DecisionView(QWidget):
    """Filter line and table. The view shows answers and emits the user's wishes; it decides nothing.

    `row_selected` and `row_activated` carry rows of the table; `pin_requested` and `exclude_requested` lists of
    ids, to be toggled by the receiver. `mark_requested` carries rows to mark as must-survive or to unmark,
    `need_requested` the rows of a question and its needed items, `note_requested` the row for a note. `class_requested`
    carries ids and the `MessageClass` for these messages, None for their own; `alternative_requested` the id of the
    conversation and an `Alternative` to show. `filtered` carries the text of the current filter.
    """

    row_selected = Signal(int)
    row_activated = Signal(int)
    pin_requested = Signal(list)
    exclude_requested = Signal(list)
    class_requested = Signal(list, object)
    alternative_requested = Signal(str, object)
    mark_requested = Signal(list)
    need_requested = Signal(list)
    note_requested = Signal(int)
    filtered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._assembly: Assembly | None = None
        self._findings: Sequence[Finding] = ()
        self._overrides: Mapping[str, Mapping[str, Any]] = {}
        self._changed: Bool | None = None
        self._searched: tuple[str, ...] = ()
        self._marks = Marks()
        self._marked_items: ItemTexts | None = None
        self._is_loading = False
        self._source: tuple[str, str] | None = None
        self._model = DecisionModel(self)
        self._line = FilterLine()
        self.table = self._make_table()
        self._map = RowMap(self.table)
        self._placed: tuple[object, ...] = ()
        self._trouble = TroubleLine(self.table)
        self._lay_out()
        self._map.row_requested.connect(self._scroll_near)
        self._line.more.clicked.connect(lambda _=False: self._open_more())
        self._line.filter_changed.connect(self._show_filtered)
        self._line.left.connect(self._enter_table)
        self.show_answer(None)

    def _make_table(self) -> ArrayTableView:
        table = ArrayTableView(self._model)
        table.setObjectName("decision_table")
        table.setAccessibleName("Items and what happens to each")
        table.setFrameShape(QTableView.Shape.NoFrame)
        header = table.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open_menu)
        table.row_selected.connect(self.row_selected)
        table.row_followed.connect(self.row_selected)
        table.row_activated.connect(self.row_activated)
        table.letter_pressed.connect(self._press_letter)
        return table

    def _lay_out(self) -> None:
        below = QHBoxLayout()
        below.setSpacing(0)
        below.addWidget(self.table, 1)
        below.addWidget(self._map)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._line)
        layout.addLayout(below, 1)

    def show_answer(self, answer: Answer | None) -> None:
        """Show an answer. After an error, the last good picture of the same items stays, dimmed, with the reason."""
        error = answer.assembly.error if answer else None
        self._show_trouble("" if error is None else error.message)
        self._overrides = answer.scenario.overrides if answer else {}
        self._note_source(answer)
        self._take_marks(answer)
        if answer is None:
            self._assembly, self._findings = None, ()
        elif error is None or not self._shows_items_of(answer.assembly):
            self._assembly, self._findings = answer.assembly, answer.findings
        self._refresh()

    def _take_marks(self, answer: Answer | None) -> None:
        marks = answer.heard.marks if answer else Marks()
        items = answer.assembly.candidates.items if answer else None
        if marks is not self._marks or items is not self._marked_items:
            self._marks, self._marked_items = marks, items
            self._model.take_marks(marked_rows(marks, items) if items is not None else NOTHING_MARKED)

    def show_loading(self, is_loading: bool) -> None:
        """Set whether files are being opened while nothing is open yet."""
        if is_loading != self._is_loading:
            self._is_loading = is_loading
            self._refresh()

    def _note_source(self, answer: Answer | None) -> None:
        """Start over for another conversation: its ids mean other items, since files without ids count from the same
        number.
        """
        if answer is None:
            return
        conversation = answer.case.chosen.parts.conversation
        source = (conversation.origin, conversation.id) if conversation else None
        if source != self._source:
            self._source = source
            self.mark_words(())
            self.table.start_over()

    def _show_filtered(self) -> None:
        """Show the filtered rows from the top; without a filter, the selected row stays in place."""
        self._mark()
        self._refresh()
        if self._line.filter.terms or self.table.current_row < 0:
            self.table.scrollToTop()
        self.filtered.emit(self._line.filter.text)

    def show_changes(self, mask: Bool | None) -> None:
        """Set which candidates differ from the baseline, for `changed:yes`; None without a baseline."""
        self._changed = mask
        if self._line.filter.names("changed"):
            self._refresh()

    def set_filter(self, text: str) -> None:
        """Set the text of the filter."""
        self._line.set_text(text)

    def add_filter(self, text: str) -> None:
        """Add a line to the filter."""
        self._line.add(parse_filter(text))

    def turn_filter(self, text: str) -> None:
        """Add a line to the filter, or remove it if it is there."""
        self._line.turn(parse_filter(text))

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the texts, beside those of the filter, until the next search."""
        self._searched = words
        self._mark()

    def _mark(self) -> None:
        self._model.mark_words(tuple(dict.fromkeys((*self._searched, *self._line.filter.words))))

    def focus_filter(self) -> None:
        """Focus the filter line and select its text."""
        self._line.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._line.edit.selectAll()

    def select_row(self, row: int) -> None:
        """Make a row current and bring it into sight; a filter hiding it is cleared."""
        if not self.table.select_row(row) and self._assembly is not None:
            self._line.set_text("")
            self.table.select_row(row)

    def selected_rows(self) -> list[int]:
        """Return the candidate rows selected and shown, without summaries of the program, which nothing can mark."""
        number = len(self._assembly.candidates) if self._assembly is not None else 0
        return [row for row in self.table.selected_rows() if row < number]

    def _shows_items_of(self, assembly: Assembly) -> bool:
        shown = self._assembly
        return shown is not None and shown.error is None and shown.candidates.items is assembly.candidates.items

    def _show_trouble(self, message: str) -> None:
        self._trouble.say(message)
        self.table.set_dimmed(bool(message))

    def _refresh(self) -> None:
        assembly = self._assembly
        if assembly is None:
            self.table.set_empty_text(LOADING if self._is_loading else NOTHING_OPEN)
            self._model.show(None, _NO_ROWS, ())
            self._line.show_counts(0, None, None)
            self._map.show_rows(None, _NO_ROWS)
            return
        rows, found = self._found(assembly)
        self.table.set_empty_text(NOTHING_MATCHES if len(assembly.listed) else NOTHING_THERE)
        self._model.show(assembly, rows, ids_with_summaries(assembly))
        self._line.show_counts(len(rows), assembly.fate_counts, found)
        self.table.show_columns()
        self._show_map(assembly)

    def _found(self, assembly: Assembly) -> tuple[Rows, I64]:
        """Return the rows that the filter lets through, and how many of each fate match it but for their outcome."""
        order, (on_action, others) = assembly.listed, self._line.filter.parted("action")
        changed = self._changed if self._changed is not None and len(self._changed) == len(assembly.action) else None
        subject = Subject(assembly, changed, self._model.marked, self._findings)
        found, rows = assembly.fate_counts, order
        if others.terms:
            mask = others.mask(subject)
            rows = order[mask[order]]
            found = np.bincount(fates_with_summaries(assembly)[rows], minlength=len(Fate))
        return rows[on_action.mask(subject)[rows]] if on_action.terms else rows, found

    def _show_map(self, assembly: Assembly) -> None:
        """Show all rows on the map, in the order of the table unless a filter hides some."""
        model = self._model
        is_filtered = bool(self._line.filter.terms)
        order = assembly.listed if is_filtered else model.rows
        self._map.show_rows(assembly, order)
        placed = (order, model.rows, is_filtered, assembly.candidates, model.marked)
        if self._placed and all(one is other for one, other in zip(placed, self._placed, strict=True)):
            return
        self._placed = placed
        marked = assembly.candidates.pinned.copy()
        marked[list(model.marked.notes)] = True
        if len(model.marked.must_survive) == len(marked):
            marked |= model.marked.must_survive
        marked = np.append(marked, np.zeros(len(assembly.compactions), np.bool_))
        self._map.show_marks(marked, order)
        self._map.show_found(np.flatnonzero(np.isin(order, model.rows)) if is_filtered else None)

    def _scroll_near(self, place: int) -> None:
        """Scroll to the row at this place among all rows, or to the nearest one that the filter shows."""
        order, rows, is_filtered = self._placed[0], self._model.rows, bool(self._line.filter.terms)
        if self._assembly is None or not len(rows) or not isinstance(order, np.ndarray):
            return
        shown = np.flatnonzero(np.isin(order, rows)) if is_filtered else None
        near = place if shown is None else int(shown[np.abs(shown - place).argmin()])
        position = self._model.position(int(order[near]))
        if position is not None:
            index = self._model.index(position, 0)
            self.table.scrollTo(index, QTableView.ScrollHint.PositionAtCenter)

    def light(self, section: Section | None) -> None:
        """Put the rows of a section on a faint ground; None puts all back."""
        if section != self._model.lit:
            self._model.lit = section
            self.table.viewport().update()

    def _open_more(self) -> None:
        """Open the menu of the filter and of the columns."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setObjectName("filter_menu")
        self._line.add_entries(menu)
        columns = self.table.column_menu(menu)
        menu.addMenu(columns)
        button = self._line.more
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _enter_table(self) -> None:
        # Before setting the focus: a table without a current row would make a row current without selecting it.
        if not self.table.currentIndex().isValid():
            self.table.step(1)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _selected_ids(self) -> list[str]:
        return [self._model.ids[row] for row in self.selected_rows()]

    def _press_letter(self, letter: str) -> None:
        if letter == "m" and (rows := self.selected_rows()):
            self.mark_requested.emit(rows)
        elif letter == "q" and (rows := self.selected_rows()):
            self.need_requested.emit(rows)
        elif letter == "n" and self.table.current_row in self.selected_rows():
            self.note_requested.emit(self.table.current_row)
        elif letter == VERSIONS_KEY.lower():
            self._open_versions()
        signal = {"p": self.pin_requested, "x": self.exclude_requested}.get(letter)
        ids = self._selected_ids()
        if signal is not None and ids:
            signal.emit(ids)

    def _open_menu(self, point: QPoint) -> None:
        menu = self.menu() or self.table.plain_menu()
        menu.popup(self.table.viewport().mapToGlobal(point))

    def _open_versions(self) -> None:
        """Open the menu of versions below the row of the only selected message."""
        rows = self.selected_rows()
        if self._assembly is None or len(rows) != 1:
            return
        menu = alternatives_menu(self.table, self._assembly, rows[0], self.alternative_requested.emit)
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            place = self.table.visualRect(self.table.currentIndex().siblingAtColumn(self._model.column("text")))
            menu.popup(self.table.viewport().mapToGlobal(place.bottomLeft()))

    def menu(self) -> QMenu | None:
        """Return the menu for the selection, None if nothing is selected."""
        rows = self.selected_rows()
        if not rows or self._assembly is None:
            return None
        menu = decision_menu(
            self.table,
            self._assembly,
            rows,
            pin=lambda: self._press_letter("p"),
            exclude=lambda: self._press_letter("x"),
            mark=lambda: self._press_letter("m"),
            note=lambda: self._press_letter("n"),
            need=lambda: self._press_letter("q"),
            filter_by=self._line.set_text,
            shown=self._line.filter,
            overrides=self._overrides,
            must_survive=self._model.marked.must_survive,
            classify=lambda kind: self.class_requested.emit(self._selected_ids(), kind),
            show_alternative=self.alternative_requested.emit,
        )
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu
