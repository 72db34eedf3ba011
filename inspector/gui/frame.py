"""The frame timer: many requests, one call per frame (or another interval), the first at once."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

FRAME_MILLISECONDS = 16


class FrameTimer(QObject):
    """Calls a function at most once per frame: the first request at once, later ones together at the frame's end."""

    def __init__(self, call: Callable[[], None], parent: QObject, milliseconds: int = FRAME_MILLISECONDS) -> None:
        super().__init__(parent)
        self._call = call
        self._wanted = False
        self._timer = QTimer(self)
        self._timer.setInterval(milliseconds)
        self._timer.timeout.connect(self._end_frame)

    @property
    def is_waiting(self) -> bool:
        """Whether a call is still to come."""
        return self._wanted

    def request(self) -> None:
        """Ask for the call; it comes now, or when the running frame ends."""
        if self._timer.isActive():
            self._wanted = True
            return
        self._timer.start()
        self._call()

    def flush(self) -> None:
        """Make the waiting call now."""
        if self._wanted:
            self._wanted = False
            self._call()

    def stop(self) -> None:
        """Forget what was asked for; nothing is called any more."""
        self._wanted = False
        self._timer.stop()

    def _end_frame(self) -> None:
        if not self._wanted:
            self._timer.stop()
            return
        self._wanted = False
        self._call()
