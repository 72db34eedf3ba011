"""Running third-party code, which may raise SystemExit and the like: unguarded, these would end the program."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread
from typing import TypeVar

Made = TypeVar("Made")


class EndingError(Exception):
    """Third-party code raised an exception that would have ended the program; the message is its representation."""


@contextmanager
def contained() -> Iterator[None]:
    """Let code inside raise only Exceptions, or the KeyboardInterrupt of the user."""
    try:
        yield
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as ending:
        raise EndingError(repr(ending)) from ending


def made_within(seconds: float, make: Callable[[], Made]) -> Made:
    """Return the result of third-party code, run on its own thread, which is abandoned if it takes longer.

    Raise TimeoutError then; everything raised is an Exception.
    """
    made: Future[Made] = Future()

    def run() -> None:
        try:
            made.set_result(make())
        except Exception as problem:  # noqa: BLE001 - raised where it is waited for
            made.set_exception(problem)
        except BaseException as ending:  # noqa: BLE001 - even KeyboardInterrupt, which no user causes on this thread
            made.set_exception(EndingError(repr(ending)))

    Thread(target=run, daemon=True).start()
    return made.result(seconds)
