"""Recording from the menu: the dialog, the state in the status line, and the file that opens with its first request."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Signal
from PySide6.QtWidgets import QMainWindow

from inspector.derived import cached_property
from inspector.gui.commands.file_commands import FileCommands
from inspector.gui.parts.texts import one_line
from inspector.gui.screens.screen import Host
from inspector.gui.session.session import LOADING

if TYPE_CHECKING:
    from inspector.gui.recording.dialog import RecordDialog
    from inspector.gui.recording.recorders import Recorders


class Recording(QObject):
    """The recorder of a window. `told(words)` carries its state for the status line, "" while none runs."""

    told = Signal(str)

    def __init__(self, window: QMainWindow, host: Host, files: FileCommands) -> None:
        super().__init__(window)
        self._window, self._host, self._files = window, host, files
        self._tried, self._waits = ("", 0), False
        host.session.opened.connect(self._show)
        host.session.renewed.connect(self._show)

    def slots(self) -> dict[str, Callable[[], object]]:
        """Return the functions of the declared actions, by name."""
        return {"record": lambda: self._dialog.open_beside()}

    def close(self) -> None:
        """End the recorder with the window."""
        if "_recorders" in self.__dict__:
            self._recorders.close()

    @cached_property
    def _recorders(self) -> "Recorders":
        """Made when first asked for."""
        from inspector.gui.recording.recorders import Recorders

        made = Recorders(self)
        made.changed.connect(self._tell)
        made.has_file.connect(self._open)
        return made

    @cached_property
    def _dialog(self) -> "RecordDialog":
        """Made when first opened."""
        from inspector.gui.recording.dialog import RecordDialog

        return RecordDialog(self._recorders, self._folder, self._window)

    def _folder(self) -> str:
        return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.HomeLocation)

    def _tell(self) -> None:
        running = self._recorders.running
        self.told.emit("" if running is None else f"● Recording to {one_line(Path(running.order.file).name)}")

    def _open(self, file: str, size: int) -> None:
        """Open the file beside what is open, and show its requests; again after it grew, if it could not be opened."""
        session = self._host.session
        if (file, size) == self._tried or session.tasks.is_running(LOADING):
            return
        is_other = file != self._tried[0]
        self._tried = file, size
        if not self._is_read:
            self._waits = True
            self._files.add_paths([file])
        elif is_other:
            self._host.show_screen("requests")

    def _show(self, _: object = None) -> None:
        """Show the requests of the recording once it is open."""
        if self._waits and self._is_read:
            self._waits = False
            self._host.show_screen("requests")

    @property
    def _is_read(self) -> bool:
        """Whether the file is open, and gave something."""
        return any(source.path == self._tried[0] for source in self._host.session.workspace.sources)
