"""Checks for a compiled table of character normalisation.

The library that runs it follows its offsets unchecked and panics when an offset leads out of the table. The table is a
length in 4 bytes, a double array of that many bytes (darts-clone), and the texts it leads to, each ended by a zero.
"""

import numpy as np

_UNIT = 4
_AT_ONCE = 4096


def charsmap_fault(content: bytes) -> str:
    """Return the fault of a table, worded to follow its name in a sentence; "" if it is sound."""
    size = int.from_bytes(content[:_UNIT], "little")
    if len(content) < _UNIT or size % _UNIT or not 0 < size <= len(content) - _UNIT:
        return f"has {max(len(content) - _UNIT, 0):,} bytes and announces {size:,} bytes of an array of numbers"
    texts = content[_UNIT + size :]
    try:
        texts.decode()
    except UnicodeDecodeError as problem:
        return f"leads to texts that are not UTF-8, at byte {_UNIT + size + problem.start:,} of it"
    if not texts.endswith(b"\0"):
        return "leads to texts of which the last has no end"
    return _array_fault(np.frombuffer(content, "<u4", size // _UNIT, _UNIT), np.frombuffer(texts, np.uint8))


def _array_fault(units: np.ndarray, texts: np.ndarray) -> str:
    """Return the fault of the array; "" if every reachable unit leads to other units or to the beginning of a text."""
    leaves = _leaves(units)
    if leaves is None:
        return "leads out of its array"
    values = leaves & 0x7FFFFFFF
    if (values >= len(texts)).any() or ((texts[np.minimum(values, len(texts) - 1)] & 0xC0) == 0x80).any():
        return "leads out of its texts, or into the middle of a character"
    return ""


def _leaves(units: np.ndarray) -> np.ndarray | None:
    """Return the reachable units that point to texts; None if any unit leads out of the array."""
    labels = np.arange(1, 256)
    seen = np.zeros(len(units), bool)
    pending, leaves = np.zeros(1, np.int64), []
    while len(pending):
        places, pending = pending[:_AT_ONCE], pending[_AT_ONCE:]
        here = units[places].astype(np.int64)
        bases = places ^ ((here >> 10) << ((here & 0x200) >> 6))
        if (bases | 0xFF).max() >= len(units):
            return None
        leaves.append(units[bases[(here & 0x100) != 0]])
        following = bases[:, None] ^ labels
        following = np.unique(following[(units[following] & 0x800000FF) == labels])
        fresh = following[~seen[following]]
        seen[fresh] = True
        pending = np.concatenate([pending, fresh])
    return np.concatenate(leaves)
