"""Archives: what may be read, nothing outside of them, damage as a problem, and no more memory than is left."""

import io
import struct
import zipfile
from collections.abc import Callable

import pytest

from inspector.reading import zip as container
from inspector.reading.budget import Budget
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.zip import Archive
from tests.reading.zips import zipped

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_SIZE_AT, _FLAGS_AT, _METHOD_AT, _OFFSET_AT = 24, 8, 10, 42  # in the entry of the list


def archive(data: bytes | dict[str, bytes], budget: Budget | None = None) -> Archive:
    return Archive("a.zip", zipped(data) if isinstance(data, dict) else data, budget or Budget())


def changed(data: bytes, at: int, kind: str, value: int) -> bytes:
    """An archive with another value in the first entry of its list."""
    content = bytearray(data)
    struct.pack_into(kind, content, data.index(b"PK\x01\x02") + at, value)
    return bytes(content)


def message(read: Callable[[], object]) -> str:
    with pytest.raises(UnreadableError) as caught:
        read()
    return str(caught.value)


def test_members_are_read_in_memory_and_named_after_the_archive() -> None:
    source = FileSource("a.zip", zipped({"b.json": b"{}", "folder/a.json": b"[]"}))
    assert source.archive.names == ("b.json", "folder/a.json")
    assert "b.json" in source.archive
    assert source.member("folder/a.json").path == "a.zip/folder/a.json"
    assert source.member("folder/a.json").data == b"[]"
    assert source.archive.peek("folder/a.json", 1) == b"["


@pytest.mark.parametrize("method", _METHODS)
def test_every_way_of_packing(method: int) -> None:
    texts = {"empty": b"", "short": b"x", "long": b"hello {}\n" * 50_000}
    opened = archive(zipped(texts, method))
    assert {name: opened.read(name) for name in opened.names} == texts
    assert opened.peek("long", 5) == b"hello"


def test_the_archive_may_stand_behind_something_else() -> None:
    assert archive(b"\xff\xd8\xff" + b"x" * 90 + zipped({"card.json": b"{}"})).read("card.json") == b"{}"


@pytest.mark.parametrize("name", ["../up.json", "/etc/x.json", "a/../../b.json", "..\\up.json", "C:\\x.json"])
def test_names_that_point_outside_are_refused(name: str) -> None:
    opened = archive({name: b"{}", "good.json": b"{}"})
    assert opened.names == ("good.json",)
    assert "outside" in opened.problems[0].message


def test_bombs_are_refused_before_they_are_unpacked() -> None:
    opened = archive({"bomb.json": b" " * 6_000_000, "small.json": b" " * 100_000})
    assert opened.names == ("small.json",)
    assert "6,000,000 bytes" in opened.problems[0].message


def test_the_number_of_members_is_limited_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped({"a": b"", "b": b""})
    monkeypatch.setattr(container, "MAX_MEMBERS", 1)
    monkeypatch.delattr(zipfile, "ZipFile")
    assert "holds 2 files; at most 1 are read" in message(lambda: archive(data))


def test_what_comes_out_counts_and_not_what_the_list_says() -> None:
    data = zipped({"a.json": b"x" * 2_000_000})
    left = Budget(1_000_000)
    assert "unpacks to 1.0 MB or more; an opening may unpack 1.0 MB in all" in message(
        lambda: archive(data, left).read("a.json")
    )
    assert left.most_unpacked == 1_000_000


def test_what_is_unpacked_again_and_again_counts_each_time() -> None:
    opened = archive({"a.json": b"x" * 2_000_000}, Budget(5_000_000))
    assert len(opened.read("a.json")) == len(opened.read("a.json")) == 2_000_000
    assert "of which 1.0 MB are left" in message(lambda: opened.read("a.json"))


@pytest.mark.parametrize("method", _METHODS)
def test_no_more_is_unpacked_than_the_list_says(method: int) -> None:
    opened = archive(changed(zipped({"a.json": b"x" * 2_000_000}, method), _SIZE_AT, "<I", 10), budget := Budget())
    assert "should hold 10 bytes and holds 11 or more" in message(lambda: opened.read("a.json"))
    assert budget.total - budget.most_unpacked == 11


def test_a_dictionary_of_4_gb_is_not_made() -> None:
    data = zipped({"a.json": b"x" * 1000}, zipfile.ZIP_LZMA)
    place = data.index(b"a.json") + len(b"a.json") + 5
    assert archive(data[:place] + b"\xff" * 4 + data[place + 4 :]).read("a.json") == b"x" * 1000


@pytest.mark.parametrize(
    ("at", "kind", "value", "said"),
    [
        (_METHOD_AT, "<H", 99, "packed by method 99"),
        (_METHOD_AT, "<H", zipfile.ZIP_BZIP2, "Invalid data stream"),
        (_METHOD_AT, "<H", zipfile.ZIP_LZMA, "settings"),
        (_OFFSET_AT, "<I", 4_000_000_000, "damaged|ends before it"),
        (_OFFSET_AT, "<I", 1, "no member where"),
        (_SIZE_AT, "<I", 3, "should hold 3 bytes"),
    ],
)
def test_a_list_that_does_not_fit_its_members(at: int, kind: str, value: int, said: str) -> None:
    data = changed(zipped({"a.json": b"hello hello hello", "b.json": b"{}"}), at, kind, value)
    with pytest.raises(UnreadableError, match=said):
        archive(data).read("a.json")


@pytest.mark.parametrize(
    ("flags", "said"), [(1, "is encrypted"), (0x40, "is encrypted"), (0x20, "a change to another")]
)
def test_members_of_other_kinds(flags: int, said: str) -> None:
    opened = archive(changed(zipped({"a.json": b"{}"}), _FLAGS_AT, "<H", flags))
    assert opened.names == ()
    assert said in opened.problems[0].message


def test_damage_is_a_problem() -> None:
    data = zipped({"a.json": b"hello hello hello", "b.json": b"{}"})
    assert "damaged" in message(lambda: archive(data[:40]))
    place = data.index(b"a.json") + 8
    opened = archive(data[:place] + b"\xff\xff\xff" + data[place + 3 :])
    assert opened.read("b.json") == b"{}"
    assert message(lambda: opened.read("a.json")).startswith("a.zip/a.json: cannot be taken out of the archive")


def test_names_that_are_no_utf8() -> None:
    data = zipped({"é.json": b"{}"}).replace("é".encode(), b"\xff\xff")
    assert "a.zip: is a damaged zip archive: " in message(lambda: archive(data))


def test_an_archive_in_an_archive_is_a_member_like_others() -> None:
    inner = io.BytesIO(zipped({"x.json": b"[]"})).getvalue()
    assert archive(zipped({"in.zip": inner}, zipfile.ZIP_STORED)).read("in.zip") == inner
