"""Mutations: other bytes made of a file's bytes, by what they are. The same for the same random numbers."""

import random
from collections.abc import Callable, Sequence

from tests.fuzz import archives, databases, headers, pictures
from tests.fuzz.odd import TEXTS, odd_text
from tests.fuzz.values import mutated_json, mutated_lines, mutated_yaml

MOST_BYTES = 4_000_000
"""No mutation makes more bytes than this, unless the sound file has them."""
_MOST_READ = 500_000  # bytes; reading more of a structure takes longer than trying what comes of it

Mutation = Callable[[bytes, random.Random], bytes | None]


def mutated(data: bytes, rng: random.Random, others: Sequence[bytes] = ()) -> bytes:
    """The bytes with one or several changes: of structure where it is known what they are, of text, of single bytes.

    `others` are files to be spliced with.
    """
    chance = rng.random()
    if chance < 0.04 and others:
        changed = _spliced(data, rng.choice(others), rng)
    elif chance < 0.16:
        changed = mutated_bytes(data, rng)
    else:
        changed = _by_structure(data, rng)
        if chance > 0.95:
            changed = mutated_bytes(changed, rng)
    return changed[: max(MOST_BYTES, len(data))]


def _by_structure(data: bytes, rng: random.Random) -> bytes:
    for beginning, mutation in _BY_BEGINNING:
        if data.startswith(beginning):
            changed = mutation(data, rng)
            return mutated_bytes(data, rng) if changed is None else changed
    if len(data) > _MOST_READ:
        return mutated_bytes(data, rng)
    if _is_binary(data):
        return headers.mutated_fields(data, rng) or mutated_bytes(data, rng)
    if rng.random() < 0.15:
        return mutated_text(data, rng)
    found = (mutation(data, rng) for mutation in (mutated_json, mutated_lines, mutated_yaml))
    return next((changed for changed in found if changed is not None), None) or mutated_text(data, rng)


def mutated_inner(data: bytes, rng: random.Random) -> bytes:
    """What stands inside of another file (a member, a chunk, a cell), changed."""
    return mutated(data, rng)


_BY_BEGINNING: tuple[tuple[bytes, Mutation], ...] = (
    (b"\x89PNG\r\n\x1a\n", lambda data, rng: pictures.mutated_picture(data, rng, mutated_inner)),
    (b"PK", lambda data, rng: archives.mutated_archive(data, rng, mutated_inner)),
    (b"SQLite format 3\0", lambda data, rng: databases.mutated_database(data, rng, mutated_inner)),
    (b"GGUF", headers.mutated_gguf),
)


def _is_binary(data: bytes) -> bool:
    head = data[:2_000]
    return b"\0" in head or sum(byte < 9 for byte in head) > len(head) / 50


def _spliced(data: bytes, other: bytes, rng: random.Random) -> bytes:
    """The beginning of one file and the end of another."""
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def mutated_bytes(data: bytes, rng: random.Random) -> bytes:
    """The bytes with one to eight changes that know nothing of what they are."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        rng.choice(_BYTE_STEPS)(changed, rng)
    return bytes(changed)


def _place(data: bytearray, rng: random.Random) -> int:
    """Anywhere, more often near the beginning, where headers are."""
    if not data:
        data.append(0)
    return rng.randrange(min(len(data), 64) if rng.random() < 0.3 else len(data))


def _length(data: bytearray, rng: random.Random) -> int:
    return rng.choice((1, 2, 4, 16, 100, max(1, len(data) // 4)))


def _flip(data: bytearray, rng: random.Random) -> None:
    data[_place(data, rng)] ^= 1 << rng.randrange(8)


def _set(data: bytearray, rng: random.Random) -> None:
    data[_place(data, rng)] = rng.choice((0, 1, 9, 10, 13, 32, 34, 44, 58, 91, 92, 93, 123, 125, 127, 128, 254, 255))


def _insert(data: bytearray, rng: random.Random) -> None:
    place = _place(data, rng)
    data[place:place] = rng.randbytes(rng.choice((1, 2, 8, 200)))


def _delete(data: bytearray, rng: random.Random) -> None:
    place = _place(data, rng)
    del data[place : place + _length(data, rng)]


def _double(data: bytearray, rng: random.Random) -> None:
    place = _place(data, rng)
    block = data[place : place + _length(data, rng)]
    data[place:place] = block * rng.choice((1, 1, 2, 50))


def _cut(data: bytearray, rng: random.Random) -> None:
    del data[_place(data, rng) :]


def _zero(data: bytearray, rng: random.Random) -> None:
    place = _place(data, rng)
    length = min(_length(data, rng), len(data) - place)
    data[place : place + length] = bytes(length)


def _number(data: bytearray, rng: random.Random) -> None:
    """A number at an end of its range, in one to eight bytes, in either order."""
    size = rng.choice((1, 2, 4, 8))
    number = rng.choice((0, 1, 2 ** (8 * size) - 1, 2 ** (8 * size - 1), 2 ** (8 * size - 1) - 1, len(data)))
    place = _place(data, rng)
    written = (number % 2 ** (8 * size)).to_bytes(size, rng.choice(("little", "big")))
    data[place : place + size] = written


def _odd(data: bytearray, rng: random.Random) -> None:
    place = _place(data, rng)
    data[place : place + rng.choice((0, 0, 1, 8))] = rng.choice(TEXTS).encode("utf-8", "surrogatepass")


_BYTE_STEPS: tuple[Callable[[bytearray, random.Random], None], ...] = (
    *(_flip, _flip, _set, _set, _insert, _delete, _double, _cut, _zero, _number, _number, _odd),
)


def mutated_text(data: bytes, rng: random.Random) -> bytes:
    """The bytes as lines of text with one to four changes, at times in another encoding."""
    text = data.decode("utf-8", "replace")
    for _ in range(rng.choice((1, 1, 2, 4))):
        text = rng.choice(_TEXT_STEPS)(text, rng)[: MOST_BYTES // 2]
    encoding = rng.choice(("utf-8",) * 12 + ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"))
    return text.encode(encoding, "replace" if encoding == "cp1252" else "surrogatepass")


def _lines(change: Callable[[list[str], random.Random], None]) -> Callable[[str, random.Random], str]:
    def step(text: str, rng: random.Random) -> str:
        lines = text.split("\n")
        change(lines, rng)
        return "\n".join(lines)

    return step


def _double_line(lines: list[str], rng: random.Random) -> None:
    line, place = rng.choice(lines), rng.randrange(len(lines))
    lines[place:place] = [line] * min(rng.choice((1, 1, 30, 3_000)), 500_000 // (len(line) + 1) + 1)


def _delete_line(lines: list[str], rng: random.Random) -> None:
    del lines[rng.randrange(len(lines))]


def _move_line(lines: list[str], rng: random.Random) -> None:
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line)


def _indent_line(lines: list[str], rng: random.Random) -> None:
    place = rng.randrange(len(lines))
    lines[place] = rng.choice(("  ", "\t", " ", "    " * 200, "- ")) + lines[place]


def _odd_line(lines: list[str], rng: random.Random) -> None:
    lines.insert(rng.randrange(len(lines) + 1), odd_text(rng))


def _odd_inside(text: str, rng: random.Random) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + odd_text(rng) + text[place + rng.choice((0, 0, 1, 5, 40)) :]


def _line_ends(text: str, rng: random.Random) -> str:
    return text.replace("\n", rng.choice(("\r\n", "\r", "\n\n", "\u2028", "\x85", "\x0b", "\n\r", "")))


def _other_letters(text: str, rng: random.Random) -> str:
    old, new = rng.choice((('"', "'"), (":", ": "), (",", ";"), (" ", "\u00a0"), ("{", "{{"), ("a", "а"), ("1", "²")))
    return text.replace(old, new, rng.choice((1, 3, -1)))


def _cut_text(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


_TEXT_STEPS: tuple[Callable[[str, random.Random], str], ...] = (
    *(_lines(step) for step in (_double_line, _delete_line, _move_line, _indent_line, _odd_line)),
    *(_odd_inside, _odd_inside, _line_ends, _other_letters, _cut_text),
)
