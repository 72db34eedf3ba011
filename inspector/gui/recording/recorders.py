"""The recorder that a window started or found: whether it runs, what it says, and its file once it has a request."""

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.recording.apart import Apart, found_apart, start_apart
from inspector.recording.order import Order
from inspector.settings import recorders_folder

LOOK_MILLISECONDS = 300


class Recorders(QObject):
    """At most one recorder of this window. Looking at it takes a stat and a read of a short file, never a wait.

    `changed` follows its start, its address, everything it says and its end; `has_file(path, size)` says again
    and again that there is something in its file.
    """

    changed = Signal()
    has_file = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.running: Apart | None = None
        self.said: tuple[str, ...] = ()
        self.address = ""
        self._looking = QTimer(self, interval=LOOK_MILLISECONDS)
        self._looking.timeout.connect(self.look)

    def start(self, order: Order) -> None:
        """Start a recorder. Raise OSError if no process can be started."""
        self._take(start_apart(order, recorders_folder()))

    def find(self) -> None:
        """Take over a recorder that a killed window left behind, if there is one."""
        if self.running is None and (found := next(found_apart(recorders_folder()), None)) is not None:
            self._take(found)

    def end(self) -> None:
        """Ask the recorder to end; `changed` follows once it has."""
        if self.running is not None:
            self.running.end()

    def close(self) -> None:
        """End the recorder with the window, and wait until its file is whole."""
        self._looking.stop()
        if self.running is not None:
            self.running.end()
            self.running.wait()
            self.running.forget()
            self.running = None

    def look(self) -> None:
        """Notice what has changed."""
        now = self.running
        if now is None:
            return
        runs, before = now.runs, (self.address, self.said)
        self.address, self.said = now.address, now.said
        if size := _size_of(now.order.file):
            self.has_file.emit(str(now.order.file.absolute()), size)
        if not runs:
            now.forget()
            self.running, self.address = None, ""
            self._looking.stop()
        if not runs or (self.address, self.said) != before:
            self.changed.emit()

    def _take(self, recorder: Apart) -> None:
        self.running, self.said, self.address = recorder, (), ""
        self._looking.start()
        self.look()
        self.changed.emit()


def _size_of(file: Path) -> int:
    """Return the bytes of a file, 0 without one."""
    try:
        return file.stat().st_size
    except OSError:
        return 0
