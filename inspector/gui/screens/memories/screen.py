"""The panel of memories: how each is ranked, and why it is in the prompt or not."""

from typing import TYPE_CHECKING

from inspector.assembly.answer import Answer
from inspector.assembly.presets import load_presets
from inspector.gui.screens.screen import Panel

if TYPE_CHECKING:
    from inspector.gui.screens.memories.view import MemoryView


class MemoriesPanel(Panel["MemoryView"]):
    """Memories by rank, with their signals; the query and the weights that rank them."""

    name, title = "memories", "Memories"

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show the ranking of an answer."""
        session = self.window.session
        self.view.show_answer(after, session.policy, session.pipeline.known.duplicates)

    def show_row(self) -> None:
        """Select the memory that is selected elsewhere."""
        if self.window.row is not None and self.view.is_in_sight:
            self.view.select_row(self.window.row)

    def _make(self) -> "MemoryView":
        from inspector.gui.screens.memories.view import MemoryView

        window, view = self.window, MemoryView(self.window)
        view.set_presets(load_presets())
        view.changed.connect(window.session.edit)
        view.row_selected.connect(window.select_everywhere)
        view.row_activated.connect(lambda _: window.show_panel("text"))
        view.filter_requested.connect(window.decisions.set_filter)
        view.class_requested.connect(window.commands.set_class)
        view.pin_requested.connect(window.commands.toggle_pins)
        view.exclude_requested.connect(window.commands.toggle_exclusions)
        return view
