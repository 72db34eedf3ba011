"""The screen of memories: the ranking of each, and why it is in the prompt or not."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import set_class, toggle_pins
from inspector.gui.marking import ask_for_note, leave_out, mark
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.memories.view import MemoryView


class MemoriesScreen(Screen["MemoryView"]):
    """The memories by rank, with their signals, and the query and weights of the ranking."""

    name, title = "memories", "Memories"

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        session = self.host.session
        self._show_open()
        self.view.show_answer(after, session.policy, session.pipeline.known.duplicates)

    def _show_open(self) -> None:
        session = self.host.session
        memories = sum(len(memory_set.memories) for memory_set in session.workspace.memory_sets)
        self.view.show_open(memories, is_loading=session.answer is None and not session.is_ready)

    def show_row(self) -> None:
        """Select the memory selected elsewhere."""
        if self.host.row is not None and self.view.is_in_sight:
            self.view.select_row(self.host.row)

    def _make(self, parent: QWidget) -> "MemoryView":
        from inspector.gui.screens.memories.view import MemoryView

        host, session, view = self.host, self.host.session, MemoryView(parent)
        session.ready_changed.connect(lambda _: self._show_open())
        view.set_presets(session.presets)
        session.presets_changed.connect(lambda: view.set_presets(session.presets))
        view.changed.connect(lambda verb, terms, gesture: session.drag(gesture, verb, *terms))
        view.row_selected.connect(host.select)
        view.row_activated.connect(lambda _: host.show_screen("details"))
        view.filter_requested.connect(host.filter_items)
        view.class_requested.connect(partial(session.edit, set_class))
        view.pin_requested.connect(partial(session.edit, toggle_pins))
        view.exclude_requested.connect(partial(leave_out, session))
        view.mark_requested.connect(partial(mark, session))
        view.note_requested.connect(lambda row: ask_for_note(session, row, view))
        return view
