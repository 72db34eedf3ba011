"""A file as the formats see it: its bytes, and lazily its text, JSON, lines, rows or YAML. No format lives here."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Literal

import msgspec

from inspector.derived import cached_property
from inspector.model import Problem, Severity
from inspector.reading import json, memory, parquet, png, text, yaml, zip
from inspector.reading.budget import BeyondBudgetError, Budget
from inspector.reading.lines import Record, numbered_lines, read_line, read_lines
from inspector.reading.pieces import Pieces
from inspector.reading.values import UnreadableError, clean
from inspector.reading.zip import Archive

__all__ = ["FileSource", "Record", "Shape", "UnreadableError"]

Shape = Literal["json", "json_lines", "yaml", "png", "zip", "packed", "sqlite", "parquet", "text", "binary", "empty"]

_MAGIC: tuple[tuple[bytes, Shape], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"PAR1", "parquet"),
    *((magic, "packed") for magic in zip.MAGIC),
)
_JPEG = b"\xff\xd8\xff"
_ZIP_END = b"PK\x05\x06"
FIRST_ITEMS = 5
"""The number of array items decoded for a look."""
_LINES_LOOKED_AT, _RECORDS_LOOKED_AT, _BYTES_LOOKED_AT = 200, 20, 1_000_000
_VALUES, _TEXT = "its values would take about", "its text would take up to"


class FileSource:
    """A file to be recognised and read.

    `path` is the file as a user would name it, members of archives as `export.zip/conversations.json`; `given` is the
    same as the system has it, where names need not be text. `depth` is the number of archives around it. Repairs on the
    way in (byte order mark, encoding, half surrogates, a string that holds the JSON) are appended to `problems` when
    the property that needed them is first read; problems of single `records` go to their reader. Strings of `json`,
    `records`, `yaml` and `text` hold neither lone surrogates nor NUL.

    A large array of objects may come in `pieces` instead of bytes, for a format that reads these.

    Memory for its text and values counts against the `budget` of the opening, before it is taken: each property below
    raises UnreadableError if the budget has too little left.
    """

    def __init__(self, path: str, data: bytes | Pieces, budget: Budget | None = None, depth: int = 0) -> None:
        self.given = path
        self.path = clean(path)
        self._held = data if isinstance(data, bytes) else data.file
        self.pieces = None if isinstance(data, bytes) else data
        self.budget = budget or Budget()
        self.depth = depth
        self.problems: list[Problem] = []
        self._taken = 0
        self._broken: dict[str, Problem] = {}
        self._lost: set[int] = set()

    @property
    def size(self) -> int:
        """The number of its bytes."""
        return len(self._held) if isinstance(self._held, bytes) else self._held.size

    @cached_property
    def data(self) -> bytes:
        """The bytes; a file in pieces is read for that."""
        return self._held if isinstance(self._held, bytes) else self._held.read(0, self.size)

    def problem(self, place: str, message: str, severity: Severity = "error") -> Problem:
        """Return a problem of this file."""
        return Problem(self.path, place, message, severity)

    def unreadable(self, place: str, message: str, also: Sequence[Problem] = ()) -> UnreadableError:
        """Return the error to raise when nothing of this file is usable; `also` are the faults of its parts."""
        return UnreadableError(self.problem(place, message), also)

    def _note(self, place: str, message: str, severity: Severity) -> None:
        self.problems.append(self.problem(place, message, severity))

    def take(self, size: int, what: str) -> None:
        """Count bytes of memory used for this file; `what` begins the sentence, such as `its rows would take`.

        Raise UnreadableError if fewer are left.
        """
        self.budget.take(size, self.path, what)
        self._taken += size

    def give_back(self, size: int | None = None) -> None:
        """Count bytes as free again; by default all bytes taken, for a file without any content."""
        given = self._taken if size is None else size
        self.budget.give_back(given)
        self._taken -= given

    @contextmanager
    def _taking(self, size: int, what: str) -> Iterator[None]:
        """Take bytes for the work inside the `with`, and give them back if it fails."""
        self.take(size, what)
        try:
            yield
        except BaseException:
            self.give_back(size)
            raise

    @cached_property
    def text(self) -> str:
        """The file as text: UTF-8 or UTF-16 by its byte order mark or its look, else Windows-1252."""
        self.take(memory.text_memory(self.data), _TEXT)
        decoded = text.decode(self.data)
        for message, severity in decoded.notes:
            self._note("", message, severity)
        return decoded.text

    @cached_property
    def utf8(self) -> bytes:
        """The text as UTF-8 bytes without a byte order mark (the file's own bytes if possible)."""
        return self.data if text.is_plain_utf8(self.data) else self.text.encode()

    def utf8_texts(self) -> Iterator[bytes]:
        """Yield the same, piece by piece if it is in pieces."""
        if self.pieces:
            yield from (piece.json for piece in self.pieces)
        else:
            yield self.utf8

    @cached_property
    def shape(self) -> Shape:
        """The kind of the content, whatever the name says."""
        if self.pieces:
            return "json"
        for magic, shape in _MAGIC:
            if self.data.startswith(magic):
                return shape
        if self.data.startswith(_JPEG) and _ZIP_END in self.data[-65_600:]:
            return "zip"
        if text.is_binary(self.data):
            return "binary"
        if not self.utf8 or self.utf8.isspace():
            return "empty"
        if json.may_be_json(self.utf8):
            return "json" if self.raw_items is not None or not json.is_lines(self.utf8) else "json_lines"
        return "yaml" if self._is_yaml() else "text"

    def _is_yaml(self) -> bool:
        """Return whether this is a YAML mapping or list, by its first line and then by reading it."""
        if not yaml.may_be_yaml(self.text):
            return False
        if yaml.says_yaml(self.text):
            return True
        if len(self.utf8) > yaml.MAX_BYTES or yaml.reads_as_lines(self.text):
            return False
        try:
            return isinstance(self.yaml, dict | list)
        except UnreadableError:
            return yaml.looks_like_keys(self.text)

    @cached_property
    def _measure(self) -> memory.JsonMeasure:
        return memory.measure_json(self.utf8)

    @cached_property
    def raw_items(self) -> tuple[msgspec.Raw, ...] | None:
        """The undecoded items of a JSON array, in a fraction of the time of decoding; None for anything else.

        None also for an array with so many items that even their places would take more memory than is left.
        """
        if not self.utf8[:200].lstrip().startswith(b"["):
            return None
        most = memory.RAW_ITEM * (1 + memory.count_commas(self.utf8))
        if most > self.budget.left:  # the commas in texts may be far more than those of lists
            most = memory.RAW_ITEM * self._measure.most_items
        try:
            self.take(most, _VALUES)
        except UnreadableError:
            return None
        items = json.split_array(self.utf8)
        self.give_back(most - memory.RAW_ITEM * len(items or ()))
        return items

    @cached_property
    def first_items(self) -> tuple[Any, ...]:
        """The first few items of a JSON array, decoded for a look; fewer if they would take too much memory."""
        found: list[Any] = []
        for raw in (self.raw_items or ())[:FIRST_ITEMS]:
            item = bytes(raw)
            try:
                self.take(memory.measure_json(item).memory, _VALUES)
                found.append(json.parse(item, self.path, look_for_duplicates=False).value)
            except UnreadableError:
                break
        return tuple(found)

    @cached_property
    def json(self) -> Any:
        """The whole document. Raises UnreadableError if it is not a single JSON document."""
        return self._known_broken("json", self._parsed_json)

    def _parsed_json(self) -> Any:
        with self._taking(self._measure.memory, _VALUES):
            parsed = json.parse(self.utf8, self.path)
        self.problems.extend(parsed.problems)
        return parsed.value

    def _known_broken(self, language: str, read: Callable[[], Any]) -> Any:
        """Return the result of `read`; text known to be broken is not read again for each format that looks at it."""
        if (problem := self._broken.get(language)) is not None:
            raise UnreadableError(problem)
        try:
            return read()
        except BeyondBudgetError:
            raise  # there may be more left the next time
        except UnreadableError as error:
            self._broken[language] = error.problem
            raise

    def whole_items(self) -> tuple[list[Any], Problem | None]:
        """Return the items of a JSON array up to the first broken or truncated item, and the problem of that item."""
        self.take(self._measure.memory, _VALUES)
        return json.whole_items(self.utf8, self.path)

    def records(self, problems: list[Problem]) -> Iterator[Record]:
        """Yield the values of a JSON-lines file, or the rows of a Parquet file, each decoded when its turn comes.

        A single JSON document is a single record. A line that is not JSON is added to `problems` when its turn comes.
        Raise UnreadableError before the first record if all lines, with everything made of them, would take too much
        memory; rows are read as far as memory allows, and a problem names the end.
        """
        if self.shape == "parquet":
            yield from self._rows(problems)
            return
        if self.shape == "json":
            yield Record(1, self.json)
            return
        _ = self._lines_are_counted
        yield from read_lines(self.utf8, self.path, problems, self._lost)

    def records_again(self) -> Iterator[Record]:
        """Yield what `records` does, once that was read to its end: without problems, and passing over lost lines."""
        if self.shape == "json_lines":
            yield from read_lines(self.utf8, self.path, [], self._lost, is_again=True)
        else:
            yield from self.records([])

    def _rows(self, problems: list[Problem], at_once: int = parquet.AT_ONCE) -> Iterator[Record]:
        read = 0
        try:
            for rows in parquet.read_rows(self.data, self.path, at_once):
                self.take(rows.memory, f"the rows from {rows.first:,} on, of which none was read, would take about")
                for number, value in rows.values(problems):
                    yield Record(number, value)
                    read = number
        except UnreadableError as error:
            if not read:
                raise
            problems.append(error.problem)

    def place_of(self, record: Record) -> str:
        """Return the place of a record: `line 5: $`, or `row 5: $`."""
        return f"{'row' if self.shape == 'parquet' else 'line'} {record.line}: $"

    @cached_property
    def _lines_are_counted(self) -> bool:
        """Takes the memory of all lines, once for all readers."""
        self.take(self._measure.memory, _VALUES)
        return True

    @cached_property
    def first_records(self) -> tuple[Record, ...]:
        """The first few good records for a look, without the others; fewer if they would take too much memory.

        Raises UnreadableError if the file is a Parquet file that cannot be read.
        """
        if self.shape == "parquet":
            return tuple(islice(self._rows([], FIRST_ITEMS), FIRST_ITEMS))
        found: list[Record] = []
        bytes_left = _BYTES_LOOKED_AT
        for number, line in islice(numbered_lines(self.utf8), _LINES_LOOKED_AT):
            if found and len(line) > _BYTES_LOOKED_AT:
                break
            try:
                self.take(memory.measure_json(line).memory, _VALUES)
            except UnreadableError:
                break
            found += read_line(number, line, self.path, [])
            bytes_left -= len(line)
            if bytes_left <= 0 or len(found) >= _RECORDS_LOOKED_AT:
                break
        return tuple(found)

    @cached_property
    def yaml(self) -> Any:
        """The YAML document, read by YAML 1.2 rules. Raises UnreadableError if it is not YAML."""
        return self._known_broken("yaml", self._parsed_yaml)

    def _parsed_yaml(self) -> Any:
        with self._taking(memory.yaml_memory(self.text), _VALUES):
            return yaml.parse(self.text, self.path)

    @cached_property
    def archive(self) -> Archive:
        """The members of a zip. Raises UnreadableError if it is damaged."""
        return Archive(self.path, self.data, self.budget)

    def member(self, name: str) -> "FileSource":
        """Return a member of a zip, unpacked. Raise UnreadableError if it cannot be unpacked."""
        return FileSource(f"{self.given}/{name}", self.archive.read(name), self.budget, self.depth + 1)

    @cached_property
    def unpacked(self) -> "FileSource":
        """The content of a gzip or Zstandard file, under the same name.

        Raises UnreadableError if it cannot be unpacked.
        """
        return FileSource(self.given, zip.unpacked(self.data, self.path, self.budget), self.budget, self.depth + 1)

    def within(self, data: bytes) -> "FileSource":
        """Return content embedded in this file, such as the card in a picture."""
        return FileSource(self.given, data, self.budget, self.depth)

    @cached_property
    def chunks(self) -> tuple[png.TextChunk, ...]:
        """The text chunks of a PNG, still packed; none for anything else."""
        return tuple(png.text_chunks(self.data))

    def text_of(self, chunk: png.TextChunk) -> bytes:
        """Return the text of a chunk, unpacked. Raise UnreadableError if it is truncated, damaged or too long."""
        return png.text_of(chunk, self.path, self.budget)

    @cached_property
    def sample(self) -> Any:
        """A first look for `sniff`: the document, the first item of an array, or the first good record of lines.

        None if there is nothing of the kind. A large array is not decoded for it.
        """
        try:
            return self._first_value()
        except UnreadableError:
            return None

    def _first_value(self) -> Any:
        if self.shape == "json":
            if self.raw_items:
                return next(iter(self.first_items), None)
            return self.json[0] if isinstance(self.json, list) and self.json else self.json
        if self.shape == "json_lines":
            return self.first_records[0].value if self.first_records else None
        return self.yaml if self.shape == "yaml" else None
