"""One file as the formats see it: its bytes, and lazily its text, JSON, JSON lines or YAML. No format lives here."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import msgspec

from inspector.model import Problem, Severity
from inspector.reading import json, text, yaml
from inspector.reading.unreadable import UnreadableError

__all__ = ["FileSource", "Record", "Shape", "UnreadableError"]

Shape = Literal["json", "json_lines", "yaml", "png", "zip", "sqlite", "parquet", "text", "empty"]

_MAGIC: tuple[tuple[bytes, Shape], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"PAR1", "parquet"),
)
_JPEG = b"\xff\xd8\xff"
_ZIP_END = b"PK\x05\x06"


@dataclass(frozen=True, slots=True)
class Record:
    """One value of a JSON-lines file and the line it stands on, counted from 1."""

    line: int
    value: Any


class FileSource:
    """A file to be recognised and read.

    `path` is the file as a person would name it, members of archives as `export.zip/conversations.json`.
    What was repaired on the way in (byte order mark, encoding, half surrogates, a string that holds the JSON) is
    appended to `problems` when the property that needed it is first read. Strings of `json`, `records`, `yaml`
    and `text` hold neither lone surrogates nor NUL.
    """

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self.problems: list[Problem] = []

    def problem(self, place: str, message: str, severity: Severity = "error") -> Problem:
        """A problem of this file."""
        return Problem(self.path, place, message, severity)

    def unreadable(self, place: str, message: str) -> UnreadableError:
        """The error to raise when nothing of this file can be used."""
        return UnreadableError(self.problem(place, message))

    def _note(self, place: str, message: str, severity: Severity) -> None:
        self.problems.append(self.problem(place, message, severity))

    @cached_property
    def text(self) -> str:
        """The file as text: UTF-8 or UTF-16 by its byte order mark or its look, else Windows-1252."""
        decoded = text.decode(self.data)
        for message, severity in decoded.notes:
            self._note("", message, severity)
        return decoded.text

    @cached_property
    def utf8(self) -> bytes:
        """The text as UTF-8 bytes without a byte order mark (the file's own bytes where they are that already)."""
        return self.data if text.is_plain_utf8(self.data) else self.text.encode()

    @cached_property
    def shape(self) -> Shape:
        """What the content is, whatever the name says."""
        for magic, shape in _MAGIC:
            if self.data.startswith(magic):
                return shape
        if self.data.startswith(_JPEG) and _ZIP_END in self.data[-65_600:]:
            return "zip"
        if not self.utf8.strip():
            return "empty"
        if json.may_be_json(self.utf8):
            return "json_lines" if json.is_lines(self.utf8) else "json"
        return "yaml" if yaml.may_be_yaml(self.text) else "text"

    @cached_property
    def raw_items(self) -> tuple[msgspec.Raw, ...] | None:
        """The undecoded items of a JSON array, in a fraction of the time of decoding; None for anything else."""
        return json.split_array(self.utf8)

    @cached_property
    def json(self) -> Any:
        """The whole document. Raises UnreadableError when it is not one JSON document."""
        parsed = json.parse(self.utf8, self.path)
        self.problems.extend(parsed.problems)
        return parsed.value

    @cached_property
    def _lines(self) -> tuple[tuple[Record, ...], tuple[Problem, ...]]:
        if self.shape == "json":
            return (Record(1, self.json),), ()
        found = json.parse_lines(self.utf8, self.path)
        return tuple(Record(line, value) for line, value in found.values), found.problems

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """The values of a JSON-lines file in order; a file that is one document is one record."""
        return self._lines[0]

    @cached_property
    def record_problems(self) -> tuple[Problem, ...]:
        """A problem for every line that is not JSON."""
        return self._lines[1]

    @cached_property
    def yaml(self) -> Any:
        """The YAML document, read by YAML 1.2 rules. Raises UnreadableError when it is not YAML."""
        return yaml.parse(self.text, self.path)

    @cached_property
    def sample(self) -> Any:
        """A first look for `sniff`: the document, of an array its first item, of lines the first good record.

        None where there is nothing of the kind. A large array is not decoded for it.
        """
        try:
            return self._first_value()
        except UnreadableError:
            return None

    def _first_value(self) -> Any:
        if self.shape == "json":
            if self.raw_items:
                return json.parse(bytes(self.raw_items[0]), self.path).value
            return self.json[0] if isinstance(self.json, list) and self.json else self.json
        if self.shape == "json_lines":
            return self.records[0].value if self.records else None
        return self.yaml if self.shape == "yaml" else None
