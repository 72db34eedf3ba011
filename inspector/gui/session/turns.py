"""The turns of the conversation: playing them, and the replay of all of them, which several screens show."""

from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.assembly.answer import Answer
from inspector.assembly.edits import go_to_turn
from inspector.assembly.scenario import Scenario
from inspector.gui.session.session import Session

if TYPE_CHECKING:
    from inspector.analysis.replay.ask import Replay
    from inspector.assembly.contenders import Contender

SPEEDS = (1, 2, 4, 10, 30)
"""Turns a second; each appears at once, without animation."""
REPLAY = "replay"
"""The name of the task."""
_SECOND = 1_000
_runs = count(1)


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


class Turns(QObject):
    """The turn of the scenario, the player, and the replay under the current policy and perhaps a second one.

    `moved` follows every change of the turn. `outdated` reports that the replay belongs to other settings; `found` then
    holds it until a screen asks for another. `changed` follows a new replay or a part of it, `share_changed` the
    progress, and `ended` carries the reason for an end without a replay, "" for none.
    """

    moved = Signal()
    outdated = Signal()
    changed = Signal()
    share_changed = Signal(object)
    ended = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.found: tuple[Replay, ...] = ()
        self.contender: Contender | None = None
        self.player = Player(self)
        self._replayed: Scenario | None = None
        self._is_fresh = self._was_asked = False
        self._run = ""
        self.player.playing_changed.connect(self._begin_run)
        self.player.stepped.connect(lambda turn: self.go_to(turn, self._run))
        session.workspace_changed.connect(self._forget)
        session.assembly_changed.connect(lambda _, after: self._take(after))

    @property
    def last(self) -> int:
        """The number of messages of the conversation; 0 without any."""
        answer = self._session.answer
        return 0 if answer is None else len(answer.case.chosen.parts.messages)

    @property
    def turn(self) -> int:
        """How many messages exist at the turn of the scenario."""
        at = self._session.scenario.at
        return self.last if at is None else min(at, self.last)

    def step_to(self, turn: int) -> None:
        """Go to a turn by way of the one before it, as one step: what falls is told by comparison with that one."""
        gesture = f"stepping#{next(_runs)}"
        self.go_to(turn - 1, gesture)
        self._session.flush()
        self.go_to(turn, gesture)

    @property
    def is_fresh(self) -> bool:
        """Whether `found` is the whole replay of the current settings."""
        return self._is_fresh

    def go_to(self, turn: int, gesture: str = "") -> None:
        """Go to a turn; the turns of a gesture are undone together."""
        self._session.drag(gesture, go_to_turn, None if turn >= self.last else max(turn, 0))

    def ask(self, contender: "Contender | None") -> str:
        """Replay the conversation, with a second contender beside it if given, unless that is done or being done.

        Return the reason if this is impossible, else "".
        """
        if contender == self.contender and (self._is_fresh or self._session.tasks.is_running(REPLAY)):
            return ""
        from inspector.analysis.replay.ask import replayed_scenario, replays  # not needed for the first picture

        answer = self._session.answer
        self.contender, self._is_fresh, self._was_asked = contender, False, True
        self._replayed = None if answer is None else replayed_scenario(answer.scenario)
        contenders = (None,) if contender is None else (None, contender)

        def end(trouble: str) -> None:
            self._is_fresh = not trouble
            self.ended.emit(trouble)

        is_asked = self._session.ask(
            REPLAY, lambda basis: replays(basis, contenders), self._show, end, self.share_changed.emit
        )
        return "" if is_asked else self._session.trouble or NOTHING_TO_REPLAY

    def give_up(self) -> None:
        """Stop a running replay: another is wanted."""
        self._session.tasks.cancel(REPLAY)

    def _show(self, found: "tuple[Replay, ...]") -> None:
        """Take a replay, or its first part where no other is shown."""
        if not self.found or all(each.is_whole for each in found):
            self.found = found
            self.changed.emit()

    def _begin_run(self, playing: bool) -> None:
        self._run = f"playing#{next(_runs)}" if playing else ""

    def _forget(self) -> None:
        """Forget the turns of the workspace before, and stop playing: another conversation does not start by itself."""
        self.player.pause()
        self.give_up()
        self.found, self._replayed, self._is_fresh = (), None, False
        self.changed.emit()

    def _take(self, after: Answer | None) -> None:
        """Notice another conversation or setting, once a replay was asked for, and another turn."""
        if self._was_asked:
            self._compare(after)
        self.player.stand_at(self.turn, self.last)
        self.moved.emit()

    def _compare(self, after: Answer | None) -> None:
        """Give up a replay of other settings; the turn of the scenario makes no difference."""
        from inspector.analysis.replay.ask import replayed_scenario

        replayed = None if after is None else replayed_scenario(after.scenario)
        is_missing = not self.found and not self._session.tasks.is_running(REPLAY)
        if replayed != self._replayed or is_missing:
            self._replayed, self._is_fresh = replayed, False
            self.give_up()
            self.outdated.emit()


NOTHING_TO_REPLAY = (
    "A whole conversation turn by turn: what each prompt held, what fell out of it, and how much a cache of prompts "
    "holds. Open a saved chat with messages to see it."
)
