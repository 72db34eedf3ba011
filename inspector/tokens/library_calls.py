"""Calls of libraries written in other languages, and their failures."""

from collections.abc import Iterator
from contextlib import contextmanager

from inspector.tokens.tokenizer import TokenizerUnavailableError

_LONGEST_SHOWN = 300  # some libraries quote the faulty content at any length
_OF_RUST = "PanicException"  # each library has its own class, not derived from Exception and not importable


@contextmanager
def library_call(what: str) -> Iterator[None]:
    """Turn any exception of a tokenizer library, even a panic, into a TokenizerUnavailableError with `what`.

    Libraries raise bare Exception for contradictory files. This program's own errors pass through unchanged.
    """
    try:
        yield
    except (TokenizerUnavailableError, MemoryError):
        raise
    except BaseException as problem:
        if not isinstance(problem, Exception) and type(problem).__name__ != _OF_RUST:
            raise
        raise TokenizerUnavailableError(f"{what} ({str(problem)[:_LONGEST_SHOWN]})") from problem
