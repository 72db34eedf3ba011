"""The sound files that mutations begin with: real ones where they are, made short, and those that are made here."""

import json
import os
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.reading.source import FileSource
from inspector.resources import samples_folder
from inspector.testing.look_alikes import LOOK_ALIKES
from tests.fuzz.frames import ROOT
from tests.fuzz.made import made_files
from tests.fuzz.outcome import Input
from tests.fuzz.pictures import SIGNATURE, without_pixels

OTHER = "other"
"""The name for files that no format claims."""
_LONG = 30_000
_SHORTER = ((60, 2_000), (20, 2_000), (6, 500), (2, 300), (1, 100))  # items of a list, characters of a text
_MOST_ROWS = 40
_LARGEST = 400_000


@cache
def files_by_format() -> dict[str, tuple[Input, ...]]:
    """Real and made files by the format that reads them; those that none does are `OTHER`."""
    found: dict[str, list[Input]] = defaultdict(list)
    for kind, made in made_files().items():
        found[kind] += made
    for file in real_files():
        found[_format_of(file)].append(file)
    found[OTHER] += [Input(f"look-alike {number}", data) for number, data in enumerate(LOOK_ALIKES.values())]
    return {kind: tuple(files) for kind, files in found.items()}


@cache
def real_files() -> tuple[Input, ...]:
    """The files of the shared folder and of the samples, each as short as its kind allows, without those too large."""
    places = [samples_folder(), *([folder] if (folder := _data_folder()).is_dir() else [])]
    paths = [path for place in places for path in sorted(place.rglob("*")) if path.is_file()]
    shortened = (Input(path.name, shorter(path.read_bytes())) for path in paths)
    return tuple(file for file in shortened if len(file.data) <= _LARGEST)


def _data_folder() -> Path:
    """Where tests/conftest.py looks for real files, too."""
    return Path(os.environ.get("PROMPT_INSPECTOR_DATA", ROOT.parent / "shared" / "data"))


def _format_of(file: Input) -> str:
    ranked, _ = rank_formats(FileSource(file.name, file.data), built_in_formats())
    return ranked[0].name if ranked else OTHER


def shorter(data: bytes) -> bytes:
    """A long file with less in it, of the same kind: fewer items, lines, rows, no pixels."""
    if data.startswith(SIGNATURE):
        return without_pixels(data)
    if len(data) <= _LONG:
        return data
    if data.startswith(b"SQLite format 3\0"):
        return _fewer_rows(data)
    if b"\0" in data[:1_000] or data.startswith((b"PK", b"PAR1")):
        return data
    return next(_shorter_documents(data), data[:_LONG])


def _shorter_documents(data: bytes) -> Iterator[bytes]:
    """The document with so few items that it is short; of JSON lines the first ones."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        lines = data[:_LONG].split(b"\n")
        yield b"\n".join(lines[:-1] or lines)
        return
    for most, longest in _SHORTER:
        text = json.dumps(_fewer(value, most, longest), ensure_ascii=False).encode("utf-8", "replace")
        if len(text) <= _LONG:
            yield text


def _fewer(value: Any, most: int, longest: int) -> Any:
    """The value with the first items of its long lists and objects, and the beginning of its long texts."""
    if isinstance(value, dict):
        return {key: _fewer(item, most, longest) for key, item in list(value.items())[: max(2 * most, 6)]}
    if isinstance(value, list):
        return [_fewer(item, most, longest) for item in value[:most]]
    return value[:longest] if isinstance(value, str) else value


def _fewer_rows(data: bytes) -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(data[:18] + b"\1\1" + data[20:])
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            with suppress(sqlite3.OperationalError):  # of virtual tables, and of those without row ids
                connection.execute(f'DELETE FROM "{table}" WHERE rowid > {_MOST_ROWS}')
        connection.execute("VACUUM")
        return connection.serialize()
