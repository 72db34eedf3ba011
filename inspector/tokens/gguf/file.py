"""The header of a GGUF file, read without its weights: keys and values, each length checked against the file.

The format is described in ggml's docs/gguf.md: magic `GGUF`, version, number of tensors, number of keys, then each key
as a string, the type of its value and the value. Versions 2 and 3, little-endian.
"""

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from inspector.reading.files import open_file, unreadable
from inspector.reading.values import UnreadableError
from inspector.tokens.tokenizer import TokenizerUnavailableError

_VERSIONS = (2, 3)
_BOOLEAN, _STRING, _ARRAY = 7, 8, 9
_NUMBERS = {
    number: np.dtype(kind)
    for number, kind in {
        0: "u1",
        1: "i1",
        2: "<u2",
        3: "<i2",
        4: "<u4",
        5: "<i4",
        6: "<f4",
        _BOOLEAN: "?",
        10: "<u8",
        11: "<i8",
        12: "<f8",
    }.items()
}
# Many times the sizes in real models: a broken file must not keep the reader busy for minutes or fill the memory.
_MOST_KEYS = 100_000
_MOST_ITEMS = 4_000_000
_LONGEST_TEXT = 16_000_000
_LONGEST_HEADER = 100_000_000
_MOST_PASSED = 1_000_000
_NEEDED = ("general.", "tokenizer.")
_CONTEXT = ".context_length"


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """The values about the model and its tokenizer, by key: str, int, float, bool, list of str or array of numbers."""

    path: Path
    values: dict[str, Any]

    def text(self, key: str) -> str:
        """Return a text; "" if the file has none."""
        return self._value(key, str, "a text") or ""

    def texts(self, key: str) -> list[str]:
        """Return an array of texts; empty if the file has none."""
        value = self.values.get(key)
        # An empty array may have any type.
        return [] if isinstance(value, np.ndarray) and not len(value) else self._value(key, list, "texts") or []

    def numbers(self, key: str) -> NDArray[Any] | None:
        """Return an array of numbers; None if the file has none."""
        return self._value(key, np.ndarray, "numbers")

    def integer(self, key: str) -> int | None:
        """Return a whole number; None if the file has none."""
        return self._value(key, int, "a whole number")

    def _value(self, key: str, kind: type[Any], wanted: str) -> Any:
        value = self.values.get(key)
        if value is None or isinstance(value, kind):
            return value
        raise TokenizerUnavailableError(f"{self.path} is not usable: expected {wanted} in {key}")


def read_gguf(path: Path) -> GgufHeader:
    """Return the header of a file. Raises TokenizerUnavailableError with the file and its fault."""
    try:
        with open_file(path) as file:
            return GgufHeader(path, _Reader(file, os.fstat(file.fileno()).st_size).values())
    except UnreadableError as error:
        raise TokenizerUnavailableError(str(error)) from error
    except OSError as problem:
        raise TokenizerUnavailableError(str(unreadable(path, problem))) from problem
    except _BrokenError as problem:
        raise TokenizerUnavailableError(f"{path} is not a usable GGUF file: {problem}") from problem


class _BrokenError(Exception):
    """A fault of the content, without the name of the file."""


class _Reader:
    """A reading position in the file. The file is not memory-mapped: truncating a mapped file would end the process."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._place = 0
        self._passed = 0

    def values(self) -> dict[str, Any]:
        """Return all values needed here; the others are skipped."""
        if self._bytes(min(4, self._size)) != b"GGUF":
            raise _BrokenError("it does not begin with GGUF")
        version = self._number("<I")
        if version not in _VERSIONS:
            turned = int.from_bytes(version.to_bytes(4, "little"), "big") in _VERSIONS
            raise _BrokenError("it is big-endian" if turned else f"its version is {version}, known are 2 and 3")
        self._number("<Q")
        found: dict[str, Any] = {}
        for _ in range(self._length(_MOST_KEYS, "keys")):
            key = self._text()
            needed = key.startswith(_NEEDED) or key.endswith(_CONTEXT)
            value = self._value(self._number("<I"), needed)
            if needed:
                found[key] = value
        return found

    def _value(self, kind: int, needed: bool) -> Any:
        if kind == _STRING:
            return self._text() if needed else self._pass_text()
        if kind == _ARRAY:
            return self._array(needed)
        return self._numbers(kind, 1)[0].item()

    def _array(self, needed: bool) -> Any:
        kind, length = self._number("<I"), self._length(_MOST_ITEMS, "values in an array")
        if kind != _STRING:
            return self._numbers(kind, length)
        if needed:
            return [self._text() for _ in range(length)]
        self._passed += length
        if self._passed > _MOST_PASSED:
            raise _BrokenError(f"more than {_MOST_PASSED:,} of its texts are about nothing that is known here")
        for _ in range(length):
            self._pass_text()
        return None

    def _numbers(self, kind: int, count: int) -> NDArray[Any]:
        if kind not in _NUMBERS:
            raise _BrokenError(f"a value at byte {self._place:,} has the unknown type {kind}")
        # Any non-zero byte would do for true, but an array of booleans with other bytes is not defined.
        stored = np.dtype("u1") if kind == _BOOLEAN else _NUMBERS[kind]
        return np.frombuffer(self._bytes(count * stored.itemsize), stored).astype(_NUMBERS[kind])

    def _text(self) -> str:
        begin = self._place
        try:
            return self._bytes(self._length(_LONGEST_TEXT, "bytes in a text")).decode()
        except UnicodeDecodeError as problem:
            raise _BrokenError(f"the text at byte {begin:,} is not UTF-8") from problem

    def _pass_text(self) -> None:
        length = self._number("<Q")
        self._check(length)
        self._place += length
        self._file.seek(length, os.SEEK_CUR)

    def _length(self, most: int, what: str) -> int:
        length = self._number("<Q")
        if length > most:
            raise _BrokenError(f"it says that there are {length:,} {what} at byte {self._place:,}")
        return length

    def _number(self, form: str) -> int:
        (number,) = struct.unpack(form, self._bytes(struct.calcsize(form)))
        return number

    def _bytes(self, length: int) -> bytes:
        self._check(length)
        content = self._file.read(length)
        if len(content) < length:
            raise _BrokenError(f"it was cut at byte {self._place + len(content):,} while it was read")
        self._place += length
        return content

    def _check(self, length: int) -> None:
        if length > self._size - self._place:
            raise _BrokenError(f"it ends at byte {self._size:,}, within what begins at byte {self._place:,}")
        if self._place + length > _LONGEST_HEADER:
            raise _BrokenError(f"its keys and values are longer than {_LONGEST_HEADER:,} bytes")
