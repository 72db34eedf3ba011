"""The text chunks of pictures: found without unpacking them, and unpacked with a bound."""

import struct
import zlib

import pytest

from inspector.reading import png
from inspector.reading.budget import Budget
from inspector.reading.png import SIGNATURE, text_chunks
from inspector.reading.source import FileSource, UnreadableError


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def packed(keyword: str, text: bytes) -> bytes:
    return chunk(b"zTXt", keyword.encode() + b"\0\0" + zlib.compress(text))


def picture(*chunks: bytes, budget: Budget | None = None) -> FileSource:
    return FileSource("a.png", SIGNATURE + b"".join(chunks), budget)


def test_all_three_kinds_of_text() -> None:
    international = b"c\0\1\0en\0titel\0" + zlib.compress("é".encode())
    source = picture(chunk(b"tEXt", b"a\0one"), packed("b", b"two"), chunk(b"iTXt", international))
    assert [(found.keyword, source.text_of(found)) for found in source.chunks] == [
        ("a", b"one"),
        ("b", b"two"),
        ("c", "é".encode()),
    ]


def test_nothing_is_unpacked_before_it_is_asked_for() -> None:
    source = picture(*[packed(f"k{number}", b"x" * 1_000_000) for number in range(20)], budget=Budget(3_500_000))
    assert len(source.chunks) == 20
    assert source.budget.most_unpacked == 3_500_000
    for found in source.chunks[:3]:
        assert len(source.text_of(found)) == 1_000_000
    with pytest.raises(UnreadableError, match=r"unpacks to .* or more; an opening may unpack 3\.5 MB in all"):
        source.text_of(source.chunks[3])


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "_MAX_INFLATED", 2 * 1024 * 1024)
    source = picture(packed("chara", b"x" * 3_000_000))
    with pytest.raises(UnreadableError, match=r"a\.png: chunk chara at byte 8: unpacks to more than 2 MB"):
        source.text_of(source.chunks[0])


def test_damage_is_named_with_its_place() -> None:
    source = picture(chunk(b"zTXt", b"chara\0\0nonsense"))
    with pytest.raises(UnreadableError, match="chunk chara at byte 8: cannot be unpacked"):
        source.text_of(source.chunks[0])
    cut = FileSource("a.png", (SIGNATURE + chunk(b"tEXt", b"chara\0" + b"x" * 50))[:40])
    with pytest.raises(UnreadableError, match="is cut off: it should hold 56 bytes and the file ends after 24"):
        cut.text_of(cut.chunks[0])


def test_a_picture_of_endlessly_many_chunks_is_walked_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "_MAX_CHUNKS", 10)
    data = picture(*[chunk(b"IDAT", b"")] * 9, chunk(b"tEXt", b"a\0b"), chunk(b"tEXt", b"c\0d")).data
    assert [found.keyword for found in text_chunks(data)] == ["a"]
