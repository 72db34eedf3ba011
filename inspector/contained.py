"""Running third-party code, which may raise SystemExit and the like: unguarded, these would end the program."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import Literal, TypeVar

Made = TypeVar("Made")


class EndingError(Exception):
    """Third-party code raised an exception that would have ended the program; the message is its representation."""


class _Contained:
    """A context, entered for each format and file: one made by a generator takes longer than most looks at a file."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, ending: BaseException | None, trace: object) -> Literal[False]:
        if ending is not None and not isinstance(ending, Exception | KeyboardInterrupt):
            raise EndingError(repr(ending)) from ending
        return False


_CONTAINED = _Contained()


def contained() -> _Contained:
    """Let code inside raise only Exceptions, or the KeyboardInterrupt of the user."""
    return _CONTAINED


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
