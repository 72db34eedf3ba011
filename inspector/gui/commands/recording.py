"""Recording from the menu: the dialog, the state in the status line, and the file that opens with its first request."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Signal
from PySide6.QtWidgets import QMainWindow

from inspector.derived import cached_property
from inspector.gui.commands.file_commands import FileCommands
from inspector.gui.parts.texts import one_line
from inspector.gui.recording.dialog import RecordDialog
from inspector.gui.recording.recorders import Recorders
from inspector.gui.screens.screen import Host


class Recording(QObject):
    """The recorder of a window. `told(words)` carries its state for the status line, "" while none runs."""

    told = Signal(str)

    def __init__(self, window: QMainWindow, host: Host, files: FileCommands) -> None:
        super().__init__(window)
        self._window, self._host, self._files = window, host, files
        self._shows = False
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
    def _recorders(self) -> Recorders:
        """Made when first asked for."""
        made = Recorders(self)
        made.changed.connect(self._tell)
        made.has_file.connect(self._open)
        return made

    @cached_property
    def _dialog(self) -> RecordDialog:
        return RecordDialog(self._recorders, self._folder, self._window)

    def _folder(self) -> str:
        return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.HomeLocation)

    def _tell(self) -> None:
        running = self._recorders.running
        self.told.emit("" if running is None else f"● Recording to {one_line(Path(running.order.file).name)}")

    def _open(self, file: str) -> None:
        """Open the file beside what is open, unless it is there already, and show its requests."""
        self._shows = True
        if file in self._host.session.opened_files:
            self._show()
        else:
            self._files.add_paths([file])

    def _show(self, _: object = None) -> None:
        """Show the requests of a recording once it is open."""
        if self._shows:
            self._shows = False
            self._host.show_screen("requests")
