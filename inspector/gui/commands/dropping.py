"""Dragging files over the window: the effect of dropping is shown, and then carried out."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow

from inspector.derived import cached_property
from inspector.gui.commands.file_commands import FileCommands, local_paths
from inspector.gui.session.session import Session

if TYPE_CHECKING:
    from inspector.gui.parts.drop_overlay import DropOverlay

ADD = "Add to the open files"
REPLACE = "Replace the open files (Shift)"
OPEN = "Open"
OPEN_INSPECTION = "Open the inspection"
_INSPECTIONS = (".inspection.yaml", ".inspection.yml", ".inspection.json")


class Dropping(QObject):
    """Drag and drop for a window, which passes the events on. Dropping adds files, with Shift it replaces."""

    def __init__(self, window: QMainWindow, session: Session, files: FileCommands) -> None:
        super().__init__(window)
        self._window, self._session, self._files = window, session, files

    @cached_property
    def _overlay(self) -> "DropOverlay":
        """The overlay, made at the first drag."""
        from inspector.gui.parts.drop_overlay import DropOverlay

        return DropOverlay(self._window)

    def show(self, event: QDragMoveEvent) -> None:
        """Show the effect of dropping files dragged over the window. Anything without files is ignored."""
        paths = local_paths(event.mimeData())
        if paths:
            self._overlay.say(self._sentence(paths, event.modifiers()))
            _accept(event)

    def hide(self) -> None:
        """Hide the overlay when the files leave the window."""
        self._overlay.hide()

    def drop(self, event: QDropEvent) -> None:
        """Add or open the dropped files."""
        self.hide()
        paths = local_paths(event.mimeData())
        if _replaces(event.modifiers()):
            self._files.open_paths(paths)
        else:
            self._files.add_paths(paths)
        _accept(event)

    def _sentence(self, paths: list[str], modifiers: Qt.KeyboardModifier) -> str:
        if len(paths) == 1 and paths[0].endswith(_INSPECTIONS):
            return OPEN_INSPECTION
        if not self._session.is_anything_open:
            return OPEN
        return REPLACE if _replaces(modifiers) else ADD


def _accept(event: QDropEvent) -> None:
    """Take files as copies: Shift proposes a move, after which the source may delete the files."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def _replaces(modifiers: Qt.KeyboardModifier) -> bool:
    return bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
