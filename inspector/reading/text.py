"""Bytes to text: byte order marks, UTF-16, and bytes that are not UTF-8. Knows no file format."""

import codecs
from dataclasses import dataclass

from inspector.model import Severity

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BLOCK = 1 << 15  # bytes; their decoded text stays in the processor's cache
_LOOK = 1 << 18
_LARGE = 10_000_000  # bytes; smaller text is checked faster than numpy is imported
_HEAD = 4096
_CONTROLS = bytes({*range(0x20)} - {*b"\t\n\r\f\x1b"})
_MANY_CONTROLS = 5
_NUL, _NUL_PICTURE, _REPLACEMENT = "\0", "\u2400", "\ufffd"


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text without byte order mark, lone surrogates and NUL, and notes on the repairs."""

    text: str
    notes: tuple[tuple[str, Severity], ...] = ()


def is_plain_utf8(data: bytes) -> bool:
    """Return whether the bytes are plain UTF-8: no byte order mark, no NUL, no bad sequence."""
    if len(data) > _LARGE and _is_plain_ascii(data):
        return True
    if b"\0" in data or data.startswith(codecs.BOM_UTF8):
        return False
    return data.isascii() or _is_utf8(data)


def _is_plain_ascii(data: bytes) -> bool:
    """Return whether all bytes are ASCII and none is NUL, block by block, as memory is slower than the looking."""
    import numpy as np

    starts = range(0, len(data), _LOOK)
    blocks = (np.frombuffer(data, np.int8, min(_LOOK, len(data) - start), start) for start in starts)
    return all(int(block.min()) > 0 for block in blocks)


def _is_utf8(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _BLOCK):  # at once, a copy of up to four times the size would be made
            decoder.decode(data[start : start + _BLOCK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def is_binary(data: bytes) -> bool:
    """Return whether the beginning of a file is no text of any encoding: no UTF, and full of control characters."""
    head = data[:_HEAD]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if controls < _MANY_CONTROLS or controls < len(head) // 50 or _unmarked_utf16(head):
        return False
    if head.startswith(tuple(mark for mark, _ in _MARKS)):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # a character may be cut off at the end
    except UnicodeDecodeError:
        return True
    return False


def decode(data: bytes) -> DecodedText:
    """Return the text of a file, whatever its encoding; never fails."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            body = data[len(mark) :]
            if encoding == "utf-8":
                return _from_utf8(body, (("began with a byte order mark, which was skipped", "info"),))
            return _from_wide(body, encoding)
    wide = _unmarked_utf16(data)
    return _from_wide(data, wide) if wide else _from_utf8(data, ())


def _from_wide(body: bytes, encoding: str) -> DecodedText:
    text = body.decode(encoding, errors="replace")
    return _without_nul(text, ((f"was {encoding.upper()[:6]} and has been read as such", "info"),))


def _unmarked_utf16(data: bytes) -> str | None:
    """Return UTF-16 without a mark: nearly every other byte of the beginning is NUL."""
    head = data[:200]
    if len(head) < 4:
        return None
    half = len(head) // 2
    if head[1::2].count(0) > 0.8 * half and not head[::2].count(0):
        return "utf-16-le"
    if head[::2].count(0) > 0.8 * half and not head[1::2].count(0):
        return "utf-16-be"
    return None


def _from_utf8(body: bytes, notes: tuple[tuple[str, Severity], ...]) -> DecodedText:
    try:
        return _without_nul(body.decode(), notes)
    except UnicodeDecodeError as error:
        first_bad = error.start
    replaced = body.decode(errors="replace")
    bad = replaced.count(_REPLACEMENT)
    if bad <= len(replaced) - len(replaced.encode("ascii", "ignore")) - bad or first_bad >= len(body) - 3:
        note = f"{bad} places are not UTF-8, the first at byte {first_bad}; they show as {_REPLACEMENT}"
        return _without_nul(replaced, (*notes, (note, "warning")))
    note = f"is not UTF-8 (first bad byte {first_bad}) and was read as Windows-1252"
    return _without_nul(_from_windows(body), (*notes, (note, "warning")))


def _from_windows(body: bytes) -> str:
    try:
        return body.decode("cp1252")
    except UnicodeDecodeError:
        # Five bytes have no meaning in Windows-1252; Latin-1 keeps every byte.
        return body.decode("latin-1")


def _without_nul(text: str, notes: tuple[tuple[str, Severity], ...]) -> DecodedText:
    count = text.count(_NUL)
    if not count:
        return DecodedText(text, notes)
    note = f"{count} NUL characters are shown as {_NUL_PICTURE}"
    return DecodedText(text.replace(_NUL, _NUL_PICTURE), (*notes, (note, "warning")))
