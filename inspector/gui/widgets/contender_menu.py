"""The chooser of contenders: a menu of policies and presets that stays open while one checks and unchecks them."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.assembly.shootout import Contender


class ContenderMenu(QMenu):
    """A checkable entry for each policy under each of its presets. `chosen_changed` tells that the choice differs."""

    chosen_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: dict[Contender, QAction] = {}
        self.setToolTipsVisible(True)

    def offer(self, contenders: Sequence[Contender]) -> None:
        """Offer these; at first each policy's own document is chosen."""
        self.clear()
        self._entries.clear()
        for contender in contenders:
            if contender.preset == DEFAULT_PRESET and self._entries:
                self.addSeparator()
            entry = self.addAction(contender.name)
            entry.setCheckable(True)
            entry.setChecked(contender.preset == DEFAULT_PRESET)
            entry.toggled.connect(self._tell)
            self._entries[contender] = entry

    @property
    def chosen(self) -> tuple[Contender, ...]:
        """What is checked, in the order of the menu."""
        return tuple(contender for contender, entry in self._entries.items() if entry.isChecked())

    def choose(self, contenders: Iterable[Contender]) -> None:
        """Check these and no others."""
        wanted = set(contenders)
        for contender, entry in self._entries.items():
            with QSignalBlocker(entry):
                entry.setChecked(contender in wanted)
        self._tell()

    def _tell(self) -> None:
        self.chosen_changed.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Check an entry and stay open."""
        entry = self.actionAt(event.position().toPoint())
        if entry is not None and entry.isCheckable():
            entry.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The space bar checks an entry and stays; Enter does, and closes."""
        entry = self.activeAction()
        if event.key() == Qt.Key.Key_Space and entry is not None and entry.isCheckable():
            entry.trigger()
        else:
            super().keyPressEvent(event)
