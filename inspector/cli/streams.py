"""The two output streams of a command, prepared before its first line.

Not every stream supports every character: files on Windows are written in cp1252, and a log may be ASCII. Missing
characters are replaced, with the same length where a table relies on it, and never cause an error. Standard output that
cannot be written ends the command with one line; standard error that cannot be written ends nothing.
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
"""The program's own symbols, by their replacement in encodings without them."""
_PLAIN = {sign: plain for plain, signs in _SIGNS.items() for sign in signs}
_UNKNOWN = "?"
_IN_PLAIN_SIGNS = "in-plain-signs"
_PLAIN_ASCII = "plain_ascii"
"""ASCII under a different name: click mistakes a stream named ASCII for a UTF-8 stream."""
_OUTPUT, _ERRORS = 1, 2


def prepare_streams() -> None:
    """Prepare both streams. Call it once, before anything is opened: closed streams get their place back."""
    codecs.register_error(_IN_PLAIN_SIGNS, _in_plain_signs)
    codecs.register(_plain_ascii)
    _fill_places()
    sys.stdout = _ready(sys.stdout, _Output, _OUTPUT)
    sys.stderr = _ready(sys.stderr, _Errors, _ERRORS)


def writable(text: str) -> str:
    """Return the text as standard output will show it, for callers that need its length."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if text.isascii() or encoding.lower().startswith("utf"):
        return text
    return text.encode(encoding, _IN_PLAIN_SIGNS).decode(encoding)


def _in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    """Replace the characters that cannot be written."""
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
    """Fill the places of closed streams, so that no file opened later receives their output.

    The replacement is read-only: writing fails as it does on a closed stream.
    """
    for place in (0, _OUTPUT, _ERRORS):
        try:
            os.fstat(place)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)


class _Output(io.FileIO):
    """Standard output; ends the command when writing fails, as on a full disk."""

    _is_over = False

    def write(self, written: "ReadableBuffer") -> int | None:
        """Write, or raise InputError, once: the rest is dropped."""
        if self._is_over:
            return memoryview(written).nbytes
        try:
            return super().write(written)
        except BrokenPipeError:
            raise  # the reader has stopped, which is no failure
        except OSError as problem:
            self._is_over = True
            raise InputError(f"standard output: {problem.strerror}") from None


class _Errors(io.FileIO):
    """Standard error; a failure to write is no reason to stop."""

    def write(self, written: "ReadableBuffer") -> int | None:
        """Write, or drop the text if writing fails."""
        try:
            return super().write(written)
        except OSError:
            return memoryview(written).nbytes


def _ready(stream: TextIO | None, kind: Callable[..., io.FileIO], place: int) -> TextIO:
    """Return the stream to use. A terminal is kept: it is never full."""
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
