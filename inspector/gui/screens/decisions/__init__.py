"""The screen of the decisions: every item with the decision of the policy."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector.assembly.alternatives import Alternative, alternatives_of
from inspector.assembly.answer import Answer
from inspector.assembly.columns import Bool
from inspector.assembly.compare import NO_ROW, compare
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import set_class
from inspector.assembly.summary_items import row_of_summary
from inspector.gui.files.opening import Opening
from inspector.gui.keeping.asking import ask_what_keeps
from inspector.gui.screens.screen import Screen
from inspector.gui.session.marking import ask_for_note, leave_out, mark, mark_needed, pin, show_alternative
from inspector.model import Message

if TYPE_CHECKING:
    from inspector.gui.screens.decisions.view import DecisionView


class DecisionsScreen(Screen["DecisionView"]):
    """The table in the middle of the window. Pins, exclusions and marks apply to its selection."""

    name, title, at_once, keeps_selection = "decisions", "Items", True, True
    _is_telling = False

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {
            "find": self._find,
            "pin": lambda: pin(self.host.session, self._selected_ids()),
            "exclude": lambda: leave_out(self.host.session, self._selected_ids()),
            "must_survive": lambda: mark(self.host.session, self.view.selected_rows()),
            "need": lambda: self._need(self.view.selected_rows()),
            "keep": self._ask_what_keeps,
            "note": lambda: ask_for_note(self.host.session, self.host.row, self.view),
        }

    def count(self, answer: Answer | None) -> str:
        """Return the number of items."""
        return f"{len(answer.assembly.listed):,}" if answer else ""

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show the decisions of an answer and its differences from the baseline."""
        session, current = self.host.session, self.view.table.current_row
        self._show_loading()
        self.view.show_answer(after)
        self.view.show_changes(_changed(session.baseline, session.assembly))
        if self.host.row is None and before is not None and after is not None and current >= 0:
            version = _version_of(before.assembly, current, after.assembly)
            if version is not None:
                self.view.table.select_row(version)  # unless a filter hides it

    def _show_loading(self) -> None:
        session = self.host.session
        self.view.show_loading(session.answer is None and not session.is_ready)

    def show_row(self) -> None:
        """Select the item selected elsewhere, or nothing."""
        assembly, row = self.host.session.assembly, self.host.row
        if self.host.summary and assembly is not None:
            row = row_of_summary(assembly, self.host.summary)
        if row is None:
            self.view.mark_words(())
            self.view.table.select_nothing()
        elif not self._is_telling:
            self.view.select_row(row)

    def show_details(self) -> None:
        """Do nothing: the table has no slow details, and its selection is kept."""

    def filter_items(self, text: str) -> None:
        """Add a line to the filter, and go to the table."""
        self.host.show_screen(self.name)
        self.view.add_filter(text)

    def turn_filter(self, text: str) -> None:
        """Add a line to the filter, or remove it, and go to the table."""
        self.host.show_screen(self.name)
        self.view.turn_filter(text)

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark the words of a search until no item is selected."""
        self.view.mark_words(words)

    def take_keyboard(self) -> None:
        """Focus the table, whose keys go to other items."""
        self.view.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _make(self, parent: QWidget) -> "DecisionView":
        from inspector.gui.screens.decisions.view import DecisionView

        host, view = self.host, DecisionView(parent)
        host.session.ready_changed.connect(lambda _: self._show_loading())
        view.row_selected.connect(self._tell_row)
        view.row_activated.connect(lambda _: host.show_screen("details"))
        view.class_requested.connect(partial(host.session.edit, set_class))
        view.alternative_requested.connect(self._show_alternative)
        view.mark_requested.connect(partial(mark, host.session))
        view.need_requested.connect(self._need)
        view.note_requested.connect(lambda row: ask_for_note(host.session, row, view))
        view.pin_requested.connect(partial(pin, host.session))
        view.exclude_requested.connect(partial(leave_out, host.session))
        view.filtered.connect(host.session.choose_items)
        host.session.opened.connect(self._take_opened)
        return view

    def _take_opened(self, opening: Opening) -> None:
        """Restore the filter kept with the opened file."""
        if opening.filter is not None:
            self.view.set_filter(opening.filter)

    def _show_alternative(self, conversation: str, chosen: Alternative) -> None:
        """Show the branch with another version of a message, and select that version."""
        self.host.select(show_alternative(self.host.session, conversation, chosen))

    def _find(self) -> None:
        self.host.show_screen(self.name)
        self.view.focus_filter()

    def _ask_what_keeps(self) -> None:
        """Show the settings that would keep the selected items, or the reason why there are none to search for."""
        if trouble := ask_what_keeps(self.host.session, self.view.selected_rows(), self.view):
            self.host.say(trouble)

    def _need(self, rows: list[int]) -> None:
        """Mark items as needed for a question, and show the outcome."""
        self.host.say(mark_needed(self.host.session, rows))

    def _tell_row(self, row: int) -> None:
        """Select the row in the window without touching the selection of the table, which may hold more rows."""
        if row != self.host.row:
            self._is_telling = True
            self.host.select(row)
            self._is_telling = False

    def _selected_ids(self) -> list[str]:
        answer = self.host.session.answer
        return [answer.assembly.candidates.ids[row] for row in self.view.selected_rows()] if answer else []


def _version_of(before: Assembly, row: int, after: Assembly) -> int | None:
    """Return the row of another branch's version of the message at `row`; None if there is no such row."""
    talk, now = before.candidates.items.conversation, after.candidates.items.conversation
    thing = before.candidates.things[row] if row < len(before.candidates) else None
    if not isinstance(thing, Message) or talk is None or talk.tree is None or now is None or now.id != talk.id:
        return None
    versions = [f"messages/{one.message.id}" for one in alternatives_of(talk.tree, thing.id)]
    rows = after.candidates.rows_named(versions)
    return int(rows[0]) if len(rows) else None


def _changed(before: Assembly | None, after: Assembly | None) -> Bool | None:
    """Return whether each candidate differs from the baseline, for the filter `changed:yes`; None without a
    baseline.
    """
    if before is None or after is None:
        return None
    rows = compare(before, after).rows_after
    mask = np.zeros(len(after.candidates), np.bool_)
    mask[rows[rows != NO_ROW]] = True
    return mask
