"""Mutations of ZIP files: members, their names, and what the headers say of them."""

import io
import random
import struct
import warnings
import zipfile
from collections.abc import Callable

from tests.fuzz.odd import odd_text

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_NAMES = (
    *("../../x.json", "/etc/x.json", "C:\\x.json", "a/../../b", "x/", "", ".", "__MACOSX/._x", "x" * 400, "\x1b[2J"),
    *("conversations.json", "chats/x.jsonl", "card.json", "manifest.json", "user.json", "\u202egnp", "a\0b", "é😀"),
)
_LOCAL, _CENTRAL, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
# Where each header has: version, flags, method, checksum, packed size, size, length of the name, of what follows it.
_FIELDS = {
    _LOCAL: ((4, "H"), (6, "H"), (8, "H"), (14, "I"), (18, "I"), (22, "I"), (26, "H"), (28, "H")),
    _CENTRAL: ((6, "H"), (8, "H"), (10, "H"), (16, "I"), (20, "I"), (24, "I"), (28, "H"), (30, "H"), (42, "I")),
    _END: ((4, "H"), (8, "H"), (10, "H"), (12, "I"), (16, "I"), (20, "H")),
}
_LARGE = 4_000_000

Inner = Callable[[bytes, random.Random], bytes]
Member = tuple[str, bytes]


def members_of(data: bytes) -> list[Member]:
    """Names and contents of an archive; nothing where it cannot be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [(entry.filename, archive.read(entry)) for entry in archive.infolist() if entry.file_size < _LARGE]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, OSError, EOFError):
        return []


def archive_of(members: list[Member], methods: tuple[int, ...] = (zipfile.ZIP_DEFLATED,)) -> bytes:
    """A ZIP file of these members, packed by the methods in turn."""
    written = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(written, "w") as archive:
        warnings.simplefilter("ignore")  # of names that are there twice
        for number, (name, content) in enumerate(members):
            entry = zipfile.ZipInfo(name.replace("\0", "") or "x", (2024, 1, 1, 0, 0, 0))
            archive.writestr(entry, content, compress_type=methods[number % len(methods)])
    return written.getvalue()


def mutated_archive(data: bytes, rng: random.Random, inner: Inner) -> bytes | None:
    """The archive with changed members or headers; None for what is none."""
    members = members_of(data)
    if not members:
        return None
    for _ in range(rng.choice((1, 1, 2, 3))):
        _change(members, rng, inner)
    few = len(members) < 50  # packing each of many with LZMA takes seconds
    methods = (rng.choice(_METHODS if few else _METHODS[:2]),) if rng.random() < 0.8 or not few else _METHODS
    try:
        written = bytearray(archive_of(members, methods))
    except (UnicodeError, ValueError, struct.error):
        return None
    if rng.random() < 0.3:
        for _ in range(rng.choice((1, 1, 3))):
            _lie(written, rng)
    return bytes(written)


def _change(members: list[Member], rng: random.Random, inner: Inner) -> None:
    place = rng.randrange(len(members))
    name, content = members[place]
    step = rng.random()
    if step < 0.6:
        members[place] = name, inner(content, rng)
    elif step < 0.7:
        members[place] = rng.choice(_NAMES) if rng.random() < 0.7 else odd_text(rng)[:1_000], content
    elif step < 0.78 and len(members) > 1:
        del members[place]
    elif step < 0.85:
        members.append((name, inner(content, rng)))
    elif step < 0.9:
        members[place] = rng.choice(("inner.zip", name)), archive_of([(name, content)])
    elif step < 0.95:
        members += [(f"{number}/{name}", content[:200]) for number in range(rng.choice((5, 2_000)))]
    else:
        members.append(("x" + name[-6:], rng.choice((b" ", b"[", b'{"a":1}\n')) * rng.choice((1_000, 3_000_000))))


def _lie(written: bytearray, rng: random.Random) -> None:
    """Another number in a field of a header, or another letter in a name."""
    signature = rng.choice((_LOCAL, _CENTRAL, _CENTRAL, _END))
    places = _all_places(written, signature)
    if not places:
        return
    offset, form = rng.choice(_FIELDS[signature])
    place = rng.choice(places) + offset
    size = struct.calcsize(form)
    (before,) = struct.unpack_from("<" + form, written, place)
    most = 2 ** (8 * size) - 1
    chosen = rng.choice(
        (0, 1, 2, 8, 12, 14, 93, 99, before + 1, before * 2, before ^ 1, before | 0x801, most // 2, most)
    )
    written[place : place + size] = struct.pack("<" + form, chosen & most)


def _all_places(data: bytearray, signature: bytes) -> list[int]:
    found, place = [], data.find(signature)
    while place >= 0 and place + 46 <= len(data) + 24:
        found.append(place)
        place = data.find(signature, place + 1)
    return found
