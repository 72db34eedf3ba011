"""Archives: limits before reading, nothing outside of them, damage as a problem."""

import pytest

from inspector.reading import zip as container
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.zip import Archive
from tests.reading.zips import zipped


def archive(members: dict[str, bytes]) -> Archive:
    return Archive(FileSource("a.zip", zipped(members)))


def test_members_are_read_in_memory_and_named_after_the_archive() -> None:
    opened = archive({"b.json": b"{}", "folder/a.json": b"[]"})
    assert opened.names == ("b.json", "folder/a.json")
    assert opened.read("folder/a.json").path == "a.zip/folder/a.json"
    assert opened.read("folder/a.json").data == b"[]"
    assert opened.peek("folder/a.json", 1) == b"["


@pytest.mark.parametrize("name", ["../up.json", "/etc/x.json", "a/../../b.json", "..\\up.json", "C:\\x.json"])
def test_names_that_point_outside_are_refused(name: str) -> None:
    opened = archive({name: b"{}", "good.json": b"{}"})
    assert opened.names == ("good.json",)
    assert "outside" in opened.problems[0].message


def test_bombs_are_refused_before_they_are_unpacked() -> None:
    opened = archive({"bomb.json": b" " * 6_000_000, "small.json": b" " * 100_000})
    assert opened.names == ("small.json",)
    assert "6,000,000 bytes" in opened.problems[0].message


def test_total_size_and_number_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MAX_TOTAL_BYTES", 10)
    with pytest.raises(UnreadableError, match="unpacks to 12 bytes"):
        archive({"a": b"123456", "b": b"123456"})
    monkeypatch.setattr(container, "MAX_MEMBERS", 1)
    with pytest.raises(UnreadableError, match="holds 2 files"):
        archive({"a": b"", "b": b""})


def test_damage_is_a_problem() -> None:
    data = zipped({"a.json": b"hello hello hello", "b.json": b"{}"})
    with pytest.raises(UnreadableError, match="damaged"):
        Archive(FileSource("a.zip", data[:40]))
    place = data.index(b"a.json") + 8
    opened = Archive(FileSource("a.zip", data[:place] + b"\xff\xff\xff" + data[place + 3 :]))
    assert [member.path for member in opened.sources()] == ["a.zip/b.json"]
    assert opened.problems[0].file == "a.zip/a.json"
