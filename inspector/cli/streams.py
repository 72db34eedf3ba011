"""The two streams that a command writes on, as they have to be before it writes its first line.

Not every stream takes every sign: what Windows writes into a file is cp1252, and a log may be ASCII. What is missing
there is written in another way, in the length that it has where a table counts on it, and is never an error. Standard
output that takes no more ends the command with one line; standard error that takes no more ends nothing.
"""

import codecs
import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from inspector.cli.failure import InputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_SIGNS = {
    "-": "–—−─━╸╺",
    ".": "·",
    "...": "…",
    "x": "×✕",
    "~": "≈",
    "+/-": "±",
    "<=": "≤",
    ">=": "≥",
    "->": "→",
    "<-": "←",
    ">": "▸",
    "*": "•★",
    "+": "✓",
    "!": "⚠",
    "/": "✂⁄",
    "|": "│",
    "[": "⟦",
    "]": "⟧",
    '"': "“”„«»",
    "'": "‘’",
    " ": "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}",
}
"""The program's own signs, by what is written where an encoding has none for them."""
_PLAIN = {sign: plain for plain, signs in _SIGNS.items() for sign in signs}
_UNKNOWN = "?"
_IN_PLAIN_SIGNS = "in-plain-signs"
_PLAIN_ASCII = "plain_ascii"
"""ASCII by a name of its own: click takes a stream that is called ASCII for one that is UTF-8 by mistake."""
_OUTPUT, _ERRORS = 1, 2


def prepare_streams() -> None:
    """Make both streams ready. To be called once, before anything is opened: closed ones get their place back."""
    codecs.register_error(_IN_PLAIN_SIGNS, _in_plain_signs)
    codecs.register(_plain_ascii)
    _fill_places()
    sys.stdout = _ready(sys.stdout, _Output, _OUTPUT)
    sys.stderr = _ready(sys.stderr, _Errors, _ERRORS)


def writable(text: str) -> str:
    """The text as standard output will show it, for whoever has to know how long that is."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if text.isascii() or encoding.lower().startswith("utf"):
        return text
    return text.encode(encoding, _IN_PLAIN_SIGNS).decode(encoding)


def _in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    """What is written in place of what cannot be."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(sign, _UNKNOWN) for sign in error.object[error.start : error.end]), error.end


def _plain_ascii(name: str) -> codecs.CodecInfo | None:
    if name != _PLAIN_ASCII:
        return None
    known = codecs.lookup("ascii")
    return codecs.CodecInfo(
        *(known.encode, known.decode, known.streamreader, known.streamwriter),
        *(known.incrementalencoder, known.incrementaldecoder),
        name=_PLAIN_ASCII,
    )


def _fill_places() -> None:
    """Nothing that is opened later may take the place of a stream that is closed, and get what is written on it.

    What stands there can only be read, so that writing on it fails as it does on a closed one.
    """
    for place in (0, _OUTPUT, _ERRORS):
        try:
            os.fstat(place)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)


class _Output(io.FileIO):
    """Standard output, which ends the command where it takes no more, as on a full disk."""

    _is_over = False

    def write(self, written: "ReadableBuffer") -> int | None:
        """Write, or raise InputError, once: what is left is dropped."""
        if self._is_over:
            return memoryview(written).nbytes
        try:
            return super().write(written)
        except BrokenPipeError:
            raise  # whoever read it has seen enough, which is no failure
        except OSError as problem:
            self._is_over = True
            raise InputError(f"standard output: {problem.strerror}") from None


class _Errors(io.FileIO):
    """Standard error: what cannot be said there is no reason to stop."""

    def write(self, written: "ReadableBuffer") -> int | None:
        """Write, or drop what cannot be written."""
        try:
            return super().write(written)
        except OSError:
            return memoryview(written).nbytes


def _ready(stream: TextIO | None, kind: Callable[..., io.FileIO], place: int) -> TextIO:
    """The stream as it is to be used. A terminal stays what it is: it is never full."""
    if stream is not None and not isinstance(stream, io.TextIOWrapper):
        return stream
    encoding = _encoding(stream)
    if stream is not None and stream.isatty():
        stream.reconfigure(encoding=encoding, errors=_IN_PLAIN_SIGNS)
        return stream
    raw = kind(place, "w", closefd=False)
    is_by_line = stream is not None and stream.line_buffering
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=encoding, errors=_IN_PLAIN_SIGNS, line_buffering=is_by_line
    )


def _encoding(stream: io.TextIOWrapper | None) -> str:
    named = "utf-8" if stream is None else stream.encoding
    return _PLAIN_ASCII if codecs.lookup(named).name == "ascii" else named
