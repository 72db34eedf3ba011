"""Calls of libraries that are written in other languages, and what goes wrong in them."""

from collections.abc import Iterator
from contextlib import contextmanager

from inspector.tokens.tokenizer import TokenizerUnavailableError

_LONGEST_SHOWN = 300  # some libraries quote what is wrong, however long it is
_OF_RUST = "PanicException"  # each library has a class of its own, which is no Exception and cannot be imported


@contextmanager
def library_call(what: str) -> Iterator[None]:
    """Whatever a tokenizer library raises inside, a panic among it, as TokenizerUnavailableError that says `what`.

    Libraries raise bare Exception for files that contradict themselves. An error of this program passes as it is.
    """
    try:
        yield
    except (TokenizerUnavailableError, MemoryError):
        raise
    except BaseException as problem:
        if not isinstance(problem, Exception) and type(problem).__name__ != _OF_RUST:
            raise
        raise TokenizerUnavailableError(f"{what} ({str(problem)[:_LONGEST_SHOWN]})") from problem
