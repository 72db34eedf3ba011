"""A large JSON array in pieces, so that it is read in a single pass, with little of it in memory.

Where items end is guessed, by the beginning of the first item. Decoding is the proof: pieces that are arrays, with
commas between them, are the array; any other piece was cut at a wrong place, or the array is broken.
"""

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec
from msgspec import Raw

from inspector.reading.files import ChangedFileError, FileText
from inspector.reading.text import is_plain_utf8

PIECE_BYTES = 200_000
"""A piece ends with the first item that ends after at least this many bytes."""
LONGEST_PIECE = 5_000_000
"""Bytes; an array with longer pieces is not read in pieces."""
_HEAD = 1_000  # bytes; enough to see how an item begins
_AHEAD = 1 << 16  # bytes searched for the end of a piece, at first
_SPACE = b" \t\r\n"
_SCALAR = rb'\s*(?:"(?:[^"\\]|\\.)*"|[-+.\w]+)\s*,\s*'
_FIRST_ITEM = re.compile(rb'\s*\[\s*(\{\s*"[^"\\]*"\s*:)(?:' + _SCALAR + rb'("[^"\\]*"\s*:))?')
_SPACE_BEFORE = 200  # bytes
_decode_items = msgspec.json.Decoder(list[Raw]).decode

T = TypeVar("T")


class WrongCutError(Exception):
    """A piece is no JSON array of plain UTF-8: the caller has to read the array as a whole."""


class ArraySlice:
    """Some items of an array: the text between two of its commas."""

    __slots__ = ("_file", "_new", "_start", "_stop")

    def __init__(self, file: FileText, start: int, text: memoryview) -> None:
        self._file, self._start, self._stop = file, start, start + len(text)
        self._new: memoryview | None = text  # there until it is first decoded

    def __len__(self) -> int:
        """Return the number of bytes of the piece."""
        return self._stop - self._start

    @property
    def json(self) -> bytes:
        """The items as an array. Raises ChangedFileError."""
        text = self._new if self._new is not None else self._file.read(self._start, self._stop)
        return b"".join((b"[", text, b"]"))

    def decoded(self, decode: Callable[[bytes], list[T]]) -> list[T] | None:
        """Return a decoder's result for the items; None if they are not of its type.

        Raise WrongCutError and ChangedFileError.
        """
        json = self.json
        self._new = None
        if not json.isascii() and not is_plain_utf8(json):  # NUL is no JSON
            raise WrongCutError
        try:
            return decode(json)
        except (msgspec.DecodeError, RecursionError):
            return None

    def items(self) -> list[Raw]:
        """Return the undecoded items. Raise WrongCutError and ChangedFileError."""
        items = self.decoded(_decode_items)
        if items is None:
            raise WrongCutError
        return items


class Pieces:
    """The pieces of a file, in order; each is cut when its turn first comes.

    Iteration raises WrongCutError if no more can be cut, and ChangedFileError.
    """

    def __init__(self, file: FileText) -> None:
        self.file = file
        self._cut: list[ArraySlice] = []
        self._uncut = _pieces_of(file)
        self._last: tuple[ArraySlice | None, list[Raw]] = None, []

    def __iter__(self) -> Iterator[ArraySlice]:
        yield from self._cut
        for piece in self._uncut:
            self._cut.append(piece)
            yield piece

    def first(self, items: int) -> bytes:
        """Return an array of at least this many of the first items, or of all if there are fewer."""
        texts: list[bytes] = []
        found = 0
        for piece in self:
            texts.append(piece.json[1:-1])
            found += len(piece.items())
            if found >= items:
                break
        return b"[%b]" % b",".join(texts)

    def item(self, piece: ArraySlice, index: int) -> bytes:
        """Return the text of an item of a piece that was decoded before. Raise ChangedFileError."""
        held, items = self._last
        if held is not piece:
            try:
                items = piece.items()
            except WrongCutError:
                raise ChangedFileError from None
            self._last = piece, items  # its neighbours are usually next
        return bytes(items[index])


class Item:
    """An item of a piece, whose `bytes` are its text."""

    __slots__ = ("_index", "_piece", "_pieces")

    def __init__(self, pieces: Pieces, piece: ArraySlice, index: int) -> None:
        self._pieces, self._piece, self._index = pieces, piece, index

    def __bytes__(self) -> bytes:
        return self._pieces.item(self._piece, self._index)


def _pieces_of(file: FileText) -> Iterator[ArraySlice]:
    with file.opened() as read:
        head = read(0, PIECE_BYTES)
        first = _FIRST_ITEM.match(head)
        if first is None:
            raise WrongCutError
        start, end_of_item = first.start(1), _EndOfItem(first[1], first[2] or b"", head)
        while True:
            text = read(start, start + PIECE_BYTES + _AHEAD)
            stop = end_of_item.find(text, PIECE_BYTES)
            while stop < 0 and start + len(text) < file.size:
                if len(text) > LONGEST_PIECE:
                    raise WrongCutError
                looked = len(text)
                text += read(start + looked, start + 2 * looked)
                stop = end_of_item.find(text, max(PIECE_BYTES, looked - _HEAD))
            if stop < 0:
                text = text.rstrip(_SPACE)
                if not text.endswith(b"]"):
                    raise WrongCutError
                stop = len(text) - 1
            if stop > LONGEST_PIECE:
                raise WrongCutError
            yield ArraySlice(file, start, memoryview(text)[:stop])
            start += stop + 1
            if text[stop : stop + 1] == b"]":
                return


class _EndOfItem:
    """Finds the likely ends of items: a comma before an object that begins with the same two keys as the first.

    The search is for the rarer of these keys.
    """

    def __init__(self, begins: bytes, follows: bytes, head: bytes) -> None:
        self._begins = begins
        self._item = re.compile(re.escape(begins) + (_SCALAR + re.escape(follows) if follows else b""))
        self._rare = follows if follows and head.count(follows) < head.count(begins) else begins

    def find(self, text: bytes, after: int) -> int:
        """Return the place of the first such comma from there on, or of a later one; -1 if there is none."""
        place = text.find(self._rare, after)
        while place >= 0:
            start = text.rfind(self._begins, max(after, place - _HEAD), place + len(self._rare))
            if start >= 0 and self._item.match(text, start):
                before = text[max(0, start - _SPACE_BEFORE) : start].rstrip(_SPACE)
                if before.endswith(b","):
                    return max(0, start - _SPACE_BEFORE) + len(before) - 1
            place = text.find(self._rare, place + 1)
        return -1
