"""The frame timer: many requests, one call per frame (or another interval), the first at once."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

FRAME_MILLISECONDS = 16


class FrameTimer(QObject):
    """Calls a function at most once per frame: at once for the first request, later ones at the end of the frame."""

    def __init__(self, call: Callable[[], None], parent: QObject, milliseconds: int = FRAME_MILLISECONDS) -> None:
        super().__init__(parent)
        self._call = call
        self._wanted = False
        self._timer = QTimer(self)
        self._timer.setInterval(milliseconds)
        self._timer.timeout.connect(self._end_frame)

    @property
    def is_waiting(self) -> bool:
        """Whether a call is scheduled."""
        return self._wanted

    def request(self) -> None:
        """Request a call, now or at the end of the current frame."""
        if self._timer.isActive():
            self._wanted = True
            return
        self._timer.start()
        self._call()

    def flush(self) -> None:
        """Make the scheduled call now."""
        if self._wanted:
            self._wanted = False
            self._call()

    def stop(self) -> None:
        """Cancel the scheduled call."""
        self._wanted = False
        self._timer.stop()

    def _end_frame(self) -> None:
        if not self._wanted:
            self._timer.stop()
            return
        self._wanted = False
        self._call()
