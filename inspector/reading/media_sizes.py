"""The sizes of pictures, documents, sounds and films from their first bytes, without decoding them.

Layouts: PNG (w3.org/TR/png), GIF89a (w3.org/Graphics/GIF/spec-gif89a.txt), JPEG (ITU T.81, Exif 2.32), WebP
(developers.google.com/speed/webp/docs/riff_container, RFC 9649), WAV (RIFF), MP3 (ISO 11172-3, with the headers of
Xing and VBRI), MP4 (ISO 14496-12). Pages of PDF are in `pdf_pages`.
"""

import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from inspector.reading.pdf_pages import pdf_pages

HEAD = 64 * 1024
"""The number of first bytes that decide nearly always."""
MOST_READ = 32 * 1024 * 1024
"""The size in bytes up to which a whole document is searched for its pages."""

_SPACES = re.compile(r"\s")
_NO_SIZE = frozenset((0xC4, 0xC8, 0xCC))  # among JPEG's frame markers, C0–CF
_BARE = frozenset((0x01, *range(0xD0, 0xD9)))  # JPEG's markers without a length
_ORIENTATION = 0x0112
_SIDEWAYS = range(5, 9)


@dataclass(frozen=True, slots=True)
class MediaSize:
    """The type, bytes, width and height in pixels, pages, and seconds of a medium, each if it is known."""

    media_type: str = ""
    bytes: int | None = None
    width: int | None = None
    height: int | None = None
    pages: int | None = None
    seconds: float | None = None


def size_of_base64(text: str, start: int = 0) -> MediaSize:
    """Return the size of the medium written as base64 from `start` of a text; only as much as needed is decoded."""
    total = _decoded_length(text, start)
    return media_size(decoded(text, start, HEAD), total, lambda: decoded(text, start, MOST_READ))


def decoded(text: str, start: int = 0, most: int | None = None) -> bytes:
    """Return the bytes, or the first `most`, of base64 in either alphabet; signs that are none of it are skipped."""
    end = len(text) if most is None else start + most * 4 // 3 + most // 24 + 8  # with line breaks
    written = _SPACES.sub("", text[start:end]).rstrip("=").translate({ord("-"): "+", ord("_"): "/"})
    written = written[: len(written) - (len(written) % 4 == 1)]
    try:
        found = binascii.a2b_base64(written + "=" * (-len(written) % 4))
    except (ValueError, binascii.Error):
        return b""
    return found if most is None else found[:most]


def _decoded_length(text: str, start: int) -> int:
    signs = len(text) - start
    if "\n" in text or " " in text:
        signs -= len(_SPACES.findall(text, start))
    tail = text[-8:].rstrip()
    return max(0, signs - (len(tail) - len(tail.rstrip("=")))) * 3 // 4


def media_size(head: bytes, total: int, whole: Callable[[], bytes]) -> MediaSize:
    """Return the size of a medium of `total` bytes from its first ones; `whole` gives all, asked for documents only."""
    size = MediaSize(bytes=total)
    if head.startswith(b"%PDF-") or b"%PDF-" in head[:1024]:
        pages = pdf_pages(whole()) if total <= MOST_READ else None
        return replace(size, media_type="application/pdf", pages=pages)
    for media_type, sides in _PICTURES:
        found = sides(head)
        if found is not None:
            return replace(size, media_type=media_type, width=found[0] or None, height=found[1] or None)
    for media_type, is_one, seconds in _HEARD:
        if is_one(head):
            return replace(size, media_type=media_type, seconds=seconds(head, total))
    return size


def pcm_seconds(media_type: str, total: int) -> float | None:
    """Return the seconds of raw 16-bit sound in one channel, if its type names the rate: `audio/pcm;rate=24000`.

    OpenAI's `pcm16` is of 24,000 samples a second (platform.openai.com/docs/guides/realtime).
    """
    rate = re.search(r"rate=(\d{4,6})", media_type)
    if rate and ("pcm" in media_type or "l16" in media_type.lower()):
        return total / 2 / int(rate[1])
    return total / 2 / 24_000 if media_type in ("pcm16", "audio/pcm16") else None


Sides = tuple[int, int]
"""Width and height in pixels."""


def _png(head: bytes) -> Sides | None:
    if not head.startswith(b"\x89PNG\r\n\x1a\n") or head[12:16] != b"IHDR" or len(head) < 24:
        return None
    return _big(head, 16, 4), _big(head, 20, 4)


def _gif(head: bytes) -> Sides | None:
    if head[:6] not in (b"GIF87a", b"GIF89a") or len(head) < 10:
        return None
    return _little(head, 6, 2), _little(head, 8, 2)


def _webp(head: bytes) -> Sides | None:
    """Read the first chunk: VP8 is lossy, VP8L lossless, VP8X names the sides of what follows."""
    if head[:4] != b"RIFF" or head[8:12] != b"WEBP" or len(head) < 30:
        return None
    if head[12:16] == b"VP8X":
        return _little(head, 24, 3) + 1, _little(head, 27, 3) + 1
    if head[12:16] == b"VP8L" and head[20] == 0x2F:
        packed = _little(head, 21, 4)
        return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    if head[12:16] == b"VP8 " and head[23:26] == b"\x9d\x01\x2a":
        return _little(head, 26, 2) & 0x3FFF, _little(head, 28, 2) & 0x3FFF
    return 0, 0


def _jpeg(head: bytes) -> Sides | None:
    """Read the segments up to the frame; an orientation in Exif that turns the picture by 90° swaps its sides."""
    if not head.startswith(b"\xff\xd8\xff"):
        return None
    place, turned = 2, False
    while place + 9 <= len(head):
        marker = head[place + 1]
        if head[place] != 0xFF or marker == 0xFF:
            place += 1
        elif marker in _BARE:
            place += 2
        elif 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE:
            height, width = _big(head, place + 5, 2), _big(head, place + 7, 2)
            return (height, width) if turned else (width, height)
        else:
            if marker == 0xE1 and head[place + 4 : place + 10] == b"Exif\0\0":
                turned = _orientation(head[place + 10 : place + 2 + _big(head, place + 2, 2)]) in _SIDEWAYS
            place += 2 + max(2, _big(head, place + 2, 2))
    return 0, 0


def _orientation(tiff: bytes) -> int:
    """Return the orientation (1–8) in the first directory of an Exif block, 0 if it names none."""
    read = {b"II*\0": _little, b"MM\0*": _big}.get(tiff[:4])
    if read is None:
        return 0
    first = read(tiff, 4, 4)
    for number in range(read(tiff, first, 2)):
        entry = first + 2 + 12 * number
        if entry + 12 > len(tiff):
            return 0
        if read(tiff, entry, 2) == _ORIENTATION:
            return read(tiff, entry + 8, 2)
    return 0


def _wav_seconds(head: bytes, total: int) -> float | None:
    """Return the bytes of the data by the bytes a second; a stream written on the fly has no length of its own."""
    place, rate = 12, 0
    while place + 8 <= len(head):
        name, length = head[place : place + 4], _little(head, place + 4, 4)
        if name == b"fmt ":
            rate = _little(head, place + 16, 4)
        elif name == b"data":
            return min(length, max(0, total - place - 8)) / rate if rate else None
        place += 8 + length + length % 2
    return None


_RATES = {3: (44_100, 48_000, 32_000), 2: (22_050, 24_000, 16_000), 0: (11_025, 12_000, 8_000)}
_KILOBITS_1 = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_KILOBITS_2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)


def _after_tag(head: bytes) -> int:
    """Return the place after an ID3v2 tag, whose length is in four bytes of seven bits."""
    if head[:3] != b"ID3" or len(head) < 10:
        return 0
    return 10 + sum((byte & 0x7F) << 7 * (3 - place) for place, byte in enumerate(head[6:10]))


def _is_mp3(head: bytes) -> bool:
    return head[:3] == b"ID3" or _frame(head, 0) is not None


def _frame(head: bytes, place: int) -> tuple[int, int, int] | None:
    """Return version, samples a second and kilobits a second of the frame of layer III at a place."""
    if place + 4 > len(head) or head[place] != 0xFF or head[place + 1] & 0xE6 != 0xE2:
        return None
    version, rate, bits = head[place + 1] >> 3 & 3, head[place + 2] >> 2 & 3, head[place + 2] >> 4
    if version == 1 or rate == 3 or bits in (0, 15):
        return None
    return version, _RATES[version][rate], (_KILOBITS_1 if version == 3 else _KILOBITS_2)[bits]


def _mp3_seconds(head: bytes, total: int) -> float | None:
    """Return the number of frames that a header names times their length, or else the size by the bit rate."""
    start = _after_tag(head)
    frame = _frame(head, start)
    if frame is None:
        return None
    version, rate, kilobits = frame
    window = head[start : start + 200]
    for name, offset, flag in ((b"Xing", 8, True), (b"Info", 8, True), (b"VBRI", 14, False)):
        at = window.find(name)
        if at >= 0 and (not flag or window[at + 7] & 1):
            return _big(window, at + offset, 4) * (1152 if version == 3 else 576) / rate
    return (total - start) * 8 / (kilobits * 1000)


def _mp4_seconds(head: bytes, _total: int) -> float | None:
    """Return the length by the time scale of the header of the film, if it stands at the beginning."""
    at = head.find(b"mvhd")
    if at < 0 or at + 36 > len(head):
        return None
    long = head[at + 4] == 1
    scale, length = (
        (_big(head, at + 24, 4), _big(head, at + 28, 8)) if long else (_big(head, at + 16, 4), _big(head, at + 20, 4))
    )
    return length / scale if scale else None


def _big(data: bytes, place: int, length: int) -> int:
    return int.from_bytes(data[place : place + length], "big")


def _little(data: bytes, place: int, length: int) -> int:
    return int.from_bytes(data[place : place + length], "little")


_PICTURES: tuple[tuple[str, Callable[[bytes], Sides | None]], ...] = (
    ("image/png", _png),
    ("image/jpeg", _jpeg),
    ("image/webp", _webp),
    ("image/gif", _gif),
)
_HEARD: tuple[tuple[str, Callable[[bytes], bool], Callable[[bytes, int], float | None]], ...] = (
    ("audio/wav", lambda head: head[:4] == b"RIFF" and head[8:12] == b"WAVE", _wav_seconds),
    ("audio/mp4", lambda head: head[4:11] == b"ftypM4A", _mp4_seconds),
    ("video/mp4", lambda head: head[4:8] == b"ftyp" and head[8:12] not in _STILL, _mp4_seconds),
    ("audio/mpeg", _is_mp3, _mp3_seconds),
)
_STILL = frozenset((b"heic", b"heix", b"mif1", b"msf1", b"avif", b"avis"))  # pictures in the boxes of films
