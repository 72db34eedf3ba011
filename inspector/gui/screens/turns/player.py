"""The player: it goes from turn to turn at a chosen speed, and stops at the last."""

from PySide6.QtCore import QObject, QTimer, Signal

SPEEDS = (1, 2, 4, 10, 30)
"""Turns a second; each appears at once, without animation."""
_SECOND = 1_000


class Player(QObject):
    """Plays from a turn to the last. `stepped(turn)` is emitted for each, `playing_changed(playing)` at start and
    stop.
    """

    stepped = Signal(int)
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._turn, self._last = 0, 0
        self._timer = QTimer(self, interval=_SECOND // SPEEDS[1])
        self._timer.timeout.connect(self._step)

    @property
    def is_playing(self) -> bool:
        """Whether it is playing."""
        return self._timer.isActive()

    def stand_at(self, turn: int, last: int) -> None:
        """Set the current turn and the last."""
        self._turn, self._last = turn, last
        if not last:
            self.pause()

    def set_speed(self, turns_a_second: int) -> None:
        """Set the speed, even while playing."""
        self._timer.setInterval(_SECOND // turns_a_second)

    def play(self) -> None:
        """Start playing; from the beginning if the current turn is the last."""
        if self._last and not self.is_playing:
            if self._turn >= self._last:
                self._turn = 0
            self._timer.start()
            self.playing_changed.emit(True)
            self._step()

    def pause(self) -> None:
        """Stop at the current turn."""
        if self.is_playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def toggle(self) -> None:
        """Play, or pause."""
        (self.pause if self.is_playing else self.play)()

    def _step(self) -> None:
        if self._turn < self._last:
            self._turn += 1
            self.stepped.emit(self._turn)
        if self._turn >= self._last:
            self.pause()
