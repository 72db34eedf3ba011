"""The page of memories and lore: two parts, of which one is shown."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Kind
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.screens.memories.lore_view import LoreView
from inspector.gui.screens.memories.view import MemoryView
from inspector.gui.theme import GAP, PANEL_MARGIN

MEMORIES, LORE = range(2)


class MemoriesPage(QWidget):
    """The memories or the lore, with a switch where there is something of both."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.memories, self.lore = MemoryView(), LoreView()
        self.switch = ViewSwitch(("Memories", "Lore"), "Show the {}")
        self.switch.setObjectName("memories_or_lore")
        self._head = QWidget()
        head = QHBoxLayout(self._head)
        head.setContentsMargins(GAP, PANEL_MARGIN, PANEL_MARGIN, 0)
        head.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignLeft)
        self._parts = QStackedWidget()
        for part in (self.memories, self.lore):
            self._parts.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head)
        layout.addWidget(self._parts, 1)
        self.switch.chosen.connect(self._parts.setCurrentIndex)
        self._head.hide()

    @property
    def shows_lore(self) -> bool:
        """Whether the lore is the part that is shown."""
        return self._parts.currentIndex() == LORE

    def offer_parts(self, answer: Answer | None) -> None:
        """Offer the switch where an answer has memories and lore; of one alone, that part is shown."""
        if answer is None:
            return
        candidates = answer.assembly.candidates
        has_lore = len(candidates.rows(Kind.LORE)) > 0
        has_memories = len(candidates.rows(Kind.MEMORY)) > 0 or not has_lore
        self._head.setVisible(has_lore and has_memories)
        if not (has_lore if self.shows_lore else has_memories):
            self.choose(LORE if has_lore else MEMORIES)

    def choose(self, part: int) -> None:
        """Show a part."""
        self.switch.choose(part)
        self._parts.setCurrentIndex(part)

    def select_row(self, answer: Answer, row: int, leads: bool = True) -> None:
        """Select an item in its part, which comes to the front for an entry of lore or a memory if that `leads`."""
        kind = answer.assembly.candidates.kind[row]
        if leads and kind in (int(Kind.LORE), int(Kind.MEMORY)):
            self.choose(LORE if kind == int(Kind.LORE) else MEMORIES)
        if self.shows_lore:
            self.lore.select_item(row)
        elif self.memories.is_in_sight:
            self.memories.select_row(row)
