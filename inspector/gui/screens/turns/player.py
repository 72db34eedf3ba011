"""The player: it goes on from turn to turn while it plays, at a speed, and stops at the last one."""

from PySide6.QtCore import QObject, QTimer, Signal

SPEEDS = (1, 2, 4, 10, 30)
"""Turns a second; each is shown at once, without a movement in between."""
_SECOND = 1_000


class Player(QObject):
    """Plays from a turn to the last one. `stepped(turn)` tells each, `playing_changed(playing)` whether it plays."""

    stepped = Signal(int)
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._turn, self._last = 0, 0
        self._timer = QTimer(self, interval=_SECOND // SPEEDS[1])
        self._timer.timeout.connect(self._step)

    @property
    def is_playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._timer.isActive()

    def stand_at(self, turn: int, last: int) -> None:
        """Go on from this turn, up to the last one."""
        self._turn, self._last = turn, last
        if not last:
            self.pause()

    def set_speed(self, turns_a_second: int) -> None:
        """Go so fast, also while it plays."""
        self._timer.setInterval(_SECOND // turns_a_second)

    def play(self) -> None:
        """Go on by itself; from the beginning where it stands at the end."""
        if self._last and not self.is_playing:
            if self._turn >= self._last:
                self._turn = 0
            self._timer.start()
            self.playing_changed.emit(True)
            self._step()

    def pause(self) -> None:
        """Stay at the turn."""
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
