"""Code of strangers, which may raise what is no error: SystemExit and its like end a program that runs it unguarded."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread
from typing import TypeVar

Made = TypeVar("Made")


class EndingError(Exception):
    """Code of strangers raised what would have ended the program; the message is what that was."""


@contextmanager
def contained() -> Iterator[None]:
    """What is called inside raises errors only, or the KeyboardInterrupt of the user."""
    try:
        yield
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as ending:
        raise EndingError(repr(ending)) from ending


def made_within(seconds: float, make: Callable[[], Made]) -> Made:
    """What code of strangers makes, on a thread of its own, which is left behind where it takes longer.

    Raises TimeoutError then, and no other than errors.
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
