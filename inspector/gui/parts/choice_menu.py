"""A menu with check marks that stays open during checking."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from inspector.gui.parts.texts import control_text, tooltip

Choice = TypeVar("Choice")


class ChoiceMenu(QMenu, Generic[Choice]):
    """A checkable entry for each choice. `chosen_changed` reports every change."""

    chosen_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: dict[Choice, QAction] = {}
        self.setToolTipsVisible(True)

    def add_choice(self, choice: Choice, text: str, checked: bool) -> None:
        """Add a choice below the others."""
        entry = self.addAction(control_text(text))
        entry.setToolTip(tooltip(text))  # otherwise Qt derives one from the text
        entry.setCheckable(True)
        entry.setChecked(checked)
        entry.toggled.connect(self._tell)
        self._entries[choice] = entry

    def clear_choices(self) -> None:
        """Remove all choices."""
        self.clear()
        self._entries.clear()

    @property
    def chosen(self) -> tuple[Choice, ...]:
        """The checked choices, in the order of the menu."""
        return tuple(choice for choice, entry in self._entries.items() if entry.isChecked())

    def choose(self, choices: Iterable[Choice]) -> None:
        """Check exactly these."""
        self.show_chosen(choices)
        self._tell()

    def show_chosen(self, choices: Iterable[Choice]) -> None:
        """Check exactly these, without a signal."""
        wanted = set(choices)
        for choice, entry in self._entries.items():
            with QSignalBlocker(entry):
                entry.setChecked(choice in wanted)

    def _tell(self) -> None:
        self.chosen_changed.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Check an entry and keep the menu open."""
        entry = self.actionAt(event.position().toPoint())
        if entry is not None and entry.isCheckable():
            entry.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the space bar check an entry and keep the menu open; Enter checks and closes."""
        entry = self.activeAction()
        if event.key() == Qt.Key.Key_Space and entry is not None and entry.isCheckable():
            entry.trigger()
        else:
            super().keyPressEvent(event)
