"""Interruption of long work: Ctrl+C, a closed terminal or a request to terminate takes effect after the current row.

A row that takes longer than a second is not waited for.
"""

import signal
import sys
from _thread import interrupt_main
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from threading import Timer, main_thread
from types import FrameType
from typing import TypeVar

import click

Row = TypeVar("Row")

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_PATIENCE_SECONDS = 1.0
_BEYOND_SIGNALS = 128  # added by shells to the number of the signal that ended a program


class Interrupted(click.ClickException):
    """The user ended the command before it was done."""

    def __init__(self, number: int) -> None:
        super().__init__("interrupted")
        self.number = number

    @property
    def exit_code(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The exit code used by shells for a program ended by a signal."""
        return _BEYOND_SIGNALS + self.number


@contextmanager
def until_interrupted(rows: Iterable[Row]) -> Iterator[Iterator[Row]]:
    """Yield the rows until the user ends the work: then Interrupted is raised instead of the next row.

    It is raised at once before the first row, at the second request, and while the next row takes long. At the end the
    source of the rows is closed. Use it on the main thread.
    """
    asked: list[int] = []
    urging: list[Timer] = []
    is_begun = False

    def ask(number: int, _: FrameType | None) -> None:
        asked.append(number)
        if len(asked) > 1 or not is_begun:
            raise KeyboardInterrupt  # which nothing on the way takes for a failure of its own
        urging.append(Timer(_PATIENCE_SECONDS, _urge, (number,)))
        urging[0].start()

    def made() -> Iterator[Row]:
        nonlocal is_begun
        for row in rows:
            is_begun = True
            yield row
            if asked:
                raise Interrupted(asked[0])

    signals = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {each: signal.signal(each, ask) for each in signals if signal.getsignal(each) is not signal.SIG_IGN}
    try:
        yield made()
    except KeyboardInterrupt:
        raise Interrupted(asked[0] if asked else signal.SIGINT) from None
    finally:
        for timer in urging:
            timer.cancel()
        if isinstance(rows, Generator):
            rows.close()
        for each, handler in before.items():
            signal.signal(each, handler)


def _urge(number: int) -> None:
    """Send the request to the main thread again, wherever it is waiting."""
    ident = main_thread().ident
    if sys.platform == "win32" or ident is None:
        interrupt_main(signal.Signals(number))
    else:
        signal.pthread_kill(ident, number)
