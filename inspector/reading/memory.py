"""How much memory a text will take as values, estimated from counts over its bytes before anything is decoded.

The weights are measured: 70 files of one shape each (messages tiny and long, in any script, as a list and as lines;
numbers, empty lists, objects in objects, keys that are all different, code, vectors, lorebooks, memories, ChatGPT's
export, YAML in blocks and in brackets, items that are all wrong; 0.3 to 135 MB) were opened in a process each, and how
far its highest resident size (`resource.getrusage`) rose was compared with the counts. So they include what a format
makes of the values, such as the messages and problems of the model.
"""

from dataclasses import dataclass
from typing import Any

# A string with its header; an object with its first keys and the message or entry made of it; an empty list; the item
# or entry beside a comma, with its place in the list and its undecoded slice; a key in an object.
_STRING, _OBJECT, _LIST, _COMMA, _COLON = 70, 350, 100, 180, 40
_PLAIN_UP_TO = 50_000  # bytes; of a small text all signs are counted, also those inside strings
_BLOCK = 1 << 20
_YAML_NODE = 600  # 450 are taken; but YAML is read so slowly (7 µs a node) that time, too, sets its limit
_YAML_SIGNS = {"\n": 1, ",": 1, ":": 1, "[": 2, "{": 2}  # where there are brackets, their depth is looked at first
RAW_ITEM = 90
"""An undecoded item of a JSON array."""


@dataclass(frozen=True, slots=True)
class JsonMeasure:
    """What was found without decoding: bytes of memory for all values, and how many items a list in it has at most."""

    memory: int
    most_items: int


def measure_json(data: bytes) -> JsonMeasure:
    """How much memory the values of JSON or JSON lines take, with what becomes of them; `data` itself not included.

    Files of people took 0.5 to 1.2 times the estimate; what was written to take much, 0.3 to 3 times.
    """
    if len(data) <= _PLAIN_UP_TO:
        quotes, objects, lists, commas, colons = (data.count(sign) for sign in (b'"', b"{", b"[", b",", b":"))
        text = len(data) if data.isascii() else 4 * len(data)
    else:
        counts, text = _counts_outside_strings(data)
        quotes, objects, lists, commas, colons = (int(counts[ord(sign)]) for sign in '"{[,:')
        quotes *= 2  # only those that end a string stand outside of it
    values = _STRING * quotes // 2 + _OBJECT * objects + _LIST * lists + _COMMA * commas + _COLON * colons
    return JsonMeasure(len(data) + text + values, commas + 1)


def yaml_memory(text: str) -> int:
    """Bytes of memory that the nodes and values of a YAML text take; the text not included."""
    return _YAML_NODE * (1 + sum(weight * text.count(sign) for sign, weight in _YAML_SIGNS.items()))


def table_memory(text: str) -> int:
    """Bytes of memory that the rows of a table of text take, with what becomes of them; the text not included."""
    return _OBJECT * (1 + text.count("\n")) + _STRING * sum(map(text.count, ",;\t"))


def text_memory(data: bytes) -> int:
    """Bytes of memory that the text of a file takes at most: one for each character, or four where one needs them."""
    return len(data) if data.isascii() else 4 * len(data)


def _counts_outside_strings(data: bytes) -> tuple[Any, int]:
    """How often each byte stands outside of the strings of a JSON text, and the memory that the strings take."""
    import numpy as np

    bare = data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data
    counts = np.zeros(256, np.int64)
    strings = _Strings()
    for start in range(0, len(bare), _BLOCK):
        block = np.frombuffer(bare, np.uint8, min(_BLOCK, len(bare) - start), start)
        quotes = block == ord('"')
        inside = _inside(block, quotes, strings.is_open)
        counts += np.bincount(block[~inside], minlength=256)
        strings.add(block, np.flatnonzero(quotes), inside)
    return counts, strings.memory


def _inside(block: Any, quotes: Any, is_open: bool) -> Any:
    """Of each byte of a block whether it is inside a string; `is_open` says so of the one before."""
    import numpy as np

    # Inside and outside alternate at every quote; the sum may run over, which leaves odd odd and even even.
    odd = (np.cumsum(quotes, dtype=np.uint8) + np.uint8(is_open)) & 1
    ends = np.flatnonzero(block == ord("\n"))
    if odd[ends].any():  # a string that has no end has one with its line, so that one bad line hides no other
        before = np.concatenate((np.zeros(1, np.uint8), odd[ends]))
        odd ^= np.repeat(before, np.diff(np.concatenate(([0], ends, [len(block)]))))
    return odd.view(np.bool_)


class _Strings:
    """The memory of strings that are met block by block; one may begin in a block and end in a later one."""

    def __init__(self) -> None:
        self.is_open = False
        self._size = 0
        self._length, self._widest = 0, 0  # of the string that is open

    @property
    def memory(self) -> int:
        """Bytes: characters of a string times the width of its widest one."""
        return self._size + self._length * 4

    def add(self, block: Any, quotes: Any, inside: Any) -> None:
        """The next bytes, the places of the quotes in them, and of each byte whether it is inside a string."""
        import numpy as np

        starts = np.concatenate(([0], quotes))
        lengths = np.add.reduceat((block & 0xC0) != 0x80, starts, dtype=np.int64)
        widest = np.maximum.reduceat(block, starts)
        are_strings = np.concatenate(([self.is_open], inside[quotes]))
        lengths[0] += self._length
        widest[0] = max(widest[0], self._widest)
        self.is_open = bool(inside[-1])
        self._length, self._widest = (int(lengths[-1]), int(widest[-1])) if self.is_open else (0, 0)
        are_strings[-1] = are_strings[-1] and not self.is_open
        widths = np.where(widest < 0xC4, 1, np.where(widest < 0xF0, 2, 4))
        self._size += int((lengths * widths)[are_strings].sum())
