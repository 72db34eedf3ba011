"""The memory that a text will take as values, estimated from counts over its bytes before anything is decoded.

The weights are measured: 70 files of one shape each (messages tiny and long, in any script, as a list and as lines;
numbers, empty lists, objects in objects, keys that are all different, code, vectors, lorebooks, memories, ChatGPT's
export, YAML in blocks and in brackets, items that are all wrong; 0.3 to 135 MB) were opened in a process each, and the
rise of its highest resident size (`resource.getrusage`) was compared with the counts. So they include everything a
format makes of the values, such as the messages and problems of the model.
"""

from dataclasses import dataclass
from typing import Any

# A string with its header; an object with its first keys and the message or entry made of it; an empty list; the item
# or entry beside a comma, with its place in the list and its undecoded slice; a key in an object.
_STRING, _OBJECT, _LIST, _COMMA, _COLON = 70, 350, 100, 180, 40
_PLAIN_UP_TO = 50_000  # bytes; of a small text all signs are counted, also those inside strings
_BLOCK = 1 << 18
_LARGE = 10_000_000  # bytes; below this, commas are counted faster than numpy is imported
_SIGNS = '"{[,:'
_NOT_INSIDE = tuple(b'"\\\n')  # without these signs a string neither ends nor escapes anything
_YAML_NODE = 300  # the memory if all items are invalid; valid ones take half of it
_YAML_SIGNS = {"\n": 1, ",": 1, ":": 1, "[": 2, "{": 2}  # with brackets, their depth is checked first
RAW_ITEM = 90
"""An undecoded item of a JSON array."""


@dataclass(frozen=True, slots=True)
class JsonMeasure:
    """The results without decoding: bytes of memory for all values, and the highest number of items of a list in it."""

    memory: int
    most_items: int


def measure_json(data: bytes) -> JsonMeasure:
    """Return the memory for the values of JSON or JSON lines, with everything made of them, but without `data` itself.

    Real files took 0.5 to 1.2 times the estimate; files written to take much, 0.3 to 3 times.
    """
    if len(data) <= _PLAIN_UP_TO:
        quotes, objects, lists, commas, colons = (data.count(sign) for sign in (b'"', b"{", b"[", b",", b":"))
        text = len(data) if data.isascii() else 4 * len(data)
    else:
        import numpy as np

        signs = _Signs()
        for start in range(0, len(data), _BLOCK):
            signs.add(np.frombuffer(data, np.uint8, min(_BLOCK, len(data) - start), start))
        quotes, objects, lists, commas, colons = (signs.outside[sign] for sign in _SIGNS)
        quotes, text = 2 * quotes, signs.memory  # only quotes that end a string are outside it
    values = _STRING * quotes // 2 + _OBJECT * objects + _LIST * lists + _COMMA * commas + _COLON * colons
    return JsonMeasure(len(data) + text + values, commas + 1)


def count_commas(data: bytes) -> int:
    """Return the number of commas in a text, in strings or not."""
    if len(data) <= _LARGE:
        return data.count(b",")
    import numpy as np

    starts = range(0, len(data), _BLOCK)
    blocks = (np.frombuffer(data, np.uint8, min(_BLOCK, len(data) - start), start) for start in starts)
    return sum(int(np.count_nonzero(block == ord(","))) for block in blocks)


def yaml_memory(text: str) -> int:
    """Return the bytes of memory for the values of a YAML text, without the text."""
    return _YAML_NODE * (1 + sum(weight * text.count(sign) for sign, weight in _YAML_SIGNS.items()))


def table_memory(text: str) -> int:
    """Return the bytes of memory for the rows of a table of text, with everything made of them, without the text."""
    return _OBJECT * (1 + text.count("\n")) + _STRING * sum(map(text.count, ",;\t"))


def text_memory(data: bytes) -> int:
    """Return the most bytes of memory for the text of a file: one for each character, or four if any needs them."""
    return len(data) if data.isascii() else 4 * len(data)


class _Signs:
    """The contents of a JSON text, block by block: its signs outside strings, and the memory of its strings.

    A string may begin in a block and end in a later one; an unterminated string ends with its line, so that a bad line
    hides no other.
    """

    def __init__(self) -> None:
        self.outside: dict[str, int] = dict.fromkeys(_SIGNS, 0)
        self._size = 0
        self._is_open, self._is_escaped = False, False
        self._length, self._widest = 0, 0  # of the string that is open

    @property
    def memory(self) -> int:
        """The bytes of the strings: the characters of each times the width of its widest character."""
        return self._size + self._length * 4

    def add(self, block: Any) -> None:
        """Count the next bytes."""
        import numpy as np

        if self._is_open and not any((block == sign).any() for sign in _NOT_INSIDE):
            self._measure_inside(block)
            return
        quotes = self._unescaped(block, block == ord('"'))
        inside = self._inside(block, quotes)
        outside = ~inside
        for sign in _SIGNS:
            self.outside[sign] += int(np.count_nonzero((block == ord(sign)) & outside))
        self._measure_strings(block, np.flatnonzero(quotes), inside)

    def _measure_inside(self, block: Any) -> None:
        """Count bytes inside a long string, such as a line of gigabytes: a look at each is enough."""
        import numpy as np

        widest = int(block.max())
        self._length += len(block) if widest < 0x80 else int(np.count_nonzero((block & 0xC0) != 0x80))
        self._widest, self._is_escaped = max(self._widest, widest if widest >= 0x80 else 0), False

    def _unescaped(self, block: Any, quotes: Any) -> Any:
        """Return the quotes preceded by no backslash, or by an even number of them."""
        import numpy as np

        slashes = np.flatnonzero(block == ord("\\"))
        if self._is_escaped:
            quotes[0] = False
            slashes = slashes[slashes > 0]
        places = np.arange(len(slashes))
        begins = np.ones(len(slashes), np.bool_)
        begins[1:] = np.diff(slashes) > 1
        in_run = places - np.maximum.accumulate(np.where(begins, places, 0))
        escaped = slashes[in_run % 2 == 0] + 1
        self._is_escaped = len(escaped) > 0 and int(escaped[-1]) == len(block)
        quotes[escaped[: len(escaped) - self._is_escaped]] = False
        return quotes

    def _inside(self, block: Any, quotes: Any) -> Any:
        """Return for each byte whether it is inside a string; its first quote is, its last is not."""
        import numpy as np

        inside = np.logical_xor.accumulate(quotes)
        if self._is_open:
            np.logical_not(inside, out=inside)
        ends = np.flatnonzero(block == ord("\n"))
        if inside[ends].any():
            before = np.concatenate(([False], inside[ends]))
            inside ^= np.repeat(before, np.diff(np.concatenate(([0], ends, [len(block)]))))
        return inside

    def _measure_strings(self, block: Any, quotes: Any, inside: Any) -> None:
        import numpy as np

        starts = np.concatenate(([0], quotes))
        if block.max() < 0x80:  # then every byte is a character of minimal width
            lengths = np.diff(starts, append=len(block))
            widest = np.zeros(len(starts), np.uint8)
        else:
            lengths = np.add.reduceat((block & 0xC0) != 0x80, starts, dtype=np.int64)
            widest = np.maximum.reduceat(block, starts)
        are_strings = np.concatenate(([self._is_open], inside[quotes]))
        lengths[0] += self._length
        widest[0] = max(widest[0], self._widest)
        self._is_open = bool(inside[-1])
        self._length, self._widest = (int(lengths[-1]), int(widest[-1])) if self._is_open else (0, 0)
        are_strings[-1] = are_strings[-1] and not self._is_open
        widths = np.where(widest < 0xC4, 1, np.where(widest < 0xF0, 2, 4))
        self._size += int((lengths * widths)[are_strings].sum())
