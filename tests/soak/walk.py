"""A random walk: moves of a session, with pauses of every kind between them, and comparisons with fresh answers."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer, SignalInstance

from inspector.gui.session.session import Session
from inspector.tokens.cache import CountCache
from tests.soak.comparison import differences

PATIENCE_MILLISECONDS = 120_000


class NotReadyError(AssertionError):
    """The session did not become ready, however long one waited."""


@dataclass
class Findings:
    """What a walk has done, and what it met."""

    moves: int = 0
    comparisons: int = 0
    differences: list[str] = field(default_factory=list)


class Walk:
    """Moves a session on, step by step; `cache` holds the counts of the fresh answers."""

    def __init__(self, session: Session, move: Callable[[], None], choose: random.Random, cache: CountCache) -> None:
        self._session, self._move, self._choose, self._cache = session, move, choose, cache
        self.findings = Findings()

    def step(self) -> None:
        """One move and a pause; now and then a long one with a comparison."""
        self._move()
        self.findings.moves += 1
        pauses = (self._go_on, QCoreApplication.processEvents, self._wait_for_an_answer, self.compare)
        self._choose.choices(pauses, (4, 3, 2, 1))[0]()

    def compare(self) -> None:
        """Wait until the session is ready, and hold what it shows to fresh answers."""
        self.wait_until_ready()
        self.findings.comparisons += 1
        if found := differences(self._session, self._cache):
            place = f"after {self.findings.moves} moves, {self._session.paths}, {self._session.scenario}"
            self.findings.differences.append(f"{place}: {found}")

    def wait_until_ready(self) -> None:
        """Let events happen until the session is ready. NotReadyError where it does not become so."""
        session = self._session
        while not session.is_ready:
            self._wait_for((session.ready_changed,))

    def _go_on(self) -> None:
        """The next move comes before any event."""

    def _wait_for_an_answer(self) -> None:
        if not self._session.is_ready:
            self._wait_for((self._session.assembly_changed, self._session.ready_changed))

    def _wait_for(self, signals: Sequence[SignalInstance]) -> None:
        """Let events happen until one of the signals comes. NotReadyError where none does."""
        loop, patience = QEventLoop(self._session), QTimer(self._session, singleShot=True)
        for signal in (*signals, patience.timeout):
            signal.connect(loop.quit)
        patience.start(PATIENCE_MILLISECONDS)
        loop.exec()
        is_late = not patience.isActive()
        for signal in signals:
            signal.disconnect(loop.quit)
        for made in (loop, patience):
            made.deleteLater()
        if is_late:
            raise NotReadyError(f"not ready after {PATIENCE_MILLISECONDS} ms: {self._session.scenario}")
