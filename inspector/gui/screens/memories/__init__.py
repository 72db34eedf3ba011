"""The screen of memories and lore: the ranking of each, and why it is in the prompt or not."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Kind
from inspector.assembly.edits import scan_lore, set_class
from inspector.gui.screens.screen import Screen
from inspector.gui.session.marking import ask_for_note, leave_out, mark, pin

if TYPE_CHECKING:
    from inspector.gui.screens.memories.page import MemoriesPage
    from inspector.gui.screens.memories.view import MemoryView


class MemoriesScreen(Screen["MemoriesPage"]):
    """The memories by rank, with their signals and the query; the entries of lorebooks, with the keys that fired."""

    name, title = "memories", "Memories and lore"
    _led_by: int | None = None

    def is_offered(self, answer: Answer | None) -> bool:
        """Return whether there are memories or lore, or anything else that is ranked by a score."""
        if answer is None:
            return False
        candidates = answer.assembly.candidates
        has_any = any(len(candidates.rows(kind)) for kind in (Kind.MEMORY, Kind.LORE, Kind.PASSAGE))
        return has_any or bool(np.isfinite(answer.assembly.score).any())

    def show_workspace(self) -> None:
        """Let go of the memories and the lore of the files before."""
        self.view.memories.show_answer(None, None, self.host.session.pipeline.known.duplicates)
        self.view.lore.show_answer(None)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        session, page = self.host.session, self.view
        self._show_open()
        page.offer_parts(after)
        page.memories.show_answer(after, session.policy, session.pipeline.known.duplicates)
        if self.is_visible and page.shows_lore:
            page.lore.show_answer(after, session.scenario.lore)

    def _show_open(self) -> None:
        session = self.host.session
        memories = sum(len(memory_set.memories) for memory_set in session.workspace.memory_sets)
        self.view.memories.show_open(memories, is_loading=session.answer is None and not session.is_ready)

    def show_details(self) -> None:
        """Catch up with changes of the lore made while hidden."""
        session = self.host.session
        self.view.offer_parts(session.answer)
        self.view.lore.show_answer(session.answer, session.scenario.lore)
        self.show_row()

    def show_row(self) -> None:
        """Select the memory or entry selected elsewhere; only a new selection leads to its part."""
        answer, row = self.host.session.answer, self.host.row
        if row is not None and answer is not None:
            self.view.select_row(answer, row, leads=row != self._led_by)
        self._led_by = row

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the shown entry."""
        if self.is_visible and self.view.shows_lore:
            self.view.lore.mark_words(words)

    def take_keyboard(self) -> None:
        """Focus the table of the shown part, whose keys go to other items."""
        part = self.view.lore if self.view.shows_lore else self.view.memories
        part.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _make(self, parent: QWidget) -> "MemoriesPage":
        from inspector.gui.screens.memories.page import MemoriesPage

        page = MemoriesPage(parent)
        self.host.session.ready_changed.connect(lambda _: self._show_open())
        self._connect_memories(page.memories)
        page.lore.item_chosen.connect(self._select_named)
        page.lore.settings_changed.connect(partial(self.host.session.drag, "lore", scan_lore))
        page.switch.chosen.connect(lambda _: self.show_details())
        return page

    def _connect_memories(self, view: "MemoryView") -> None:
        host, session = self.host, self.host.session
        view.changed.connect(lambda verb, terms, gesture: session.drag(gesture, verb, *terms))
        view.row_selected.connect(host.select)
        view.row_activated.connect(lambda _: host.show_screen("details"))
        view.filter_requested.connect(host.filter_items)
        view.class_requested.connect(partial(session.edit, set_class))
        view.pin_requested.connect(partial(pin, session))
        view.exclude_requested.connect(partial(leave_out, session))
        view.mark_requested.connect(partial(mark, session))
        view.note_requested.connect(lambda row: ask_for_note(session, row, view))

    def _select_named(self, name: str) -> None:
        """Select an item of the answer by its id, if it is there."""
        assembly = self.host.session.assembly
        rows = assembly.candidates.rows_named([name]).tolist() if assembly else []
        if rows:
            self.host.select(rows[0])
