"""Ending long work where it stands: Ctrl+C, a closed terminal or a request to end comes after the row of now."""

import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

import click

Row = TypeVar("Row")

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_BEYOND_SIGNALS = 128  # what shells add to the number of the signal that ended a program


class Interrupted(click.ClickException):
    """Somebody ended the command before it was done."""

    def __init__(self, number: int) -> None:
        super().__init__("interrupted")
        self.number = number

    @property
    def exit_code(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What shells give for a program that a signal ended."""
        return _BEYOND_SIGNALS + self.number


@contextmanager
def until_interrupted(rows: Iterable[Row]) -> Iterator[Iterator[Row]]:
    """The rows, until somebody ends the work: then Interrupted is raised instead of the next one.

    Before the first row, and at the second request, it is raised at once. To be used on the main thread.
    """
    asked: list[int] = []
    is_begun = False

    def ask(number: int, _: FrameType | None) -> None:
        asked.append(number)
        if len(asked) > 1 or not is_begun:
            raise KeyboardInterrupt  # which nothing on the way takes for a failure of its own

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
        for each, handler in before.items():
            signal.signal(each, handler)
