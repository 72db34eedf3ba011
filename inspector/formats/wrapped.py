"""Documents of known formats inside of others: programs and scripts put what they fetched under a key of their own.

`{"status": "ok", "data": …}` around an export, or around each line of a session. The inner document holds most of the
file; what stands beside it is named.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson

from inspector.figures import counted
from inspector.formats.unknown import known_file
from inspector.model import Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, mapping

_DEEPEST = 4
_LOOKED_AT = 20
_NAMED = 8
_ROOT = re.compile(r"(^|^line \d+: )\$")
_OF_LINE = re.compile(r"^line (\d+): ")
_LINE = re.compile(r"^line (\d+): \$")


@dataclass(frozen=True, slots=True)
class Inner:
    """A document inside of another: its path from there, its content, and what else is there, in words.

    The items of an array may stand as lines in it. `lines` are the numbers of the lines of the file that it is from.
    """

    path: str
    source: FileSource
    beside: str = ""
    is_lines: bool = False
    lines: Sequence[int] = ()

    def placed(self, part: Workspace) -> Workspace:
        """Return its workspace with places as they are in the file, and a problem that says where it was found."""
        problems = tuple(changed(one, place=self._place(one.place)) for one in part.problems)
        if self.path == "$":
            return changed(part, problems=problems)
        message = f"was found inside of another document, at {self.path}{self.beside}"
        return changed(part, problems=(*problems, self.source.problem("", message, "info")))

    def holds(self, place: str) -> bool:
        """Return whether a place of the file is inside of the document."""
        return _OF_LINE.sub("", place, count=1).startswith(self.path)

    def _place(self, place: str) -> str:
        if self.lines:
            place = _OF_LINE.sub(lambda found: f"line {self.lines[int(found[1]) - 1]}: ", place, count=1)
        if self.is_lines:
            return _LINE.sub(lambda found: f"{self.path}[{int(found[1]) - 1}]", place, count=1)
        return _ROOT.sub(lambda found: f"{found[1]}{self.path}", place, count=1)


def inner_documents(source: FileSource) -> Iterator[Inner]:
    """Yield the documents inside of a JSON file or of its lines, from the outermost to the innermost.

    There are none in a file that is known to be no chat.
    """
    try:
        if known_file(source):
            return
        if source.shape == "json":
            yield from _inside(source)
        elif source.shape == "json_lines":
            yield from _inside_of_lines(source)
    except (UnreadableError, RecursionError):
        return


def _inside(source: FileSource) -> Iterator[Inner]:
    value, path, beside = source.json, "$", list[str]()
    yield from _as_lines(source, value, path, beside)
    for _ in range(_DEEPEST):
        if isinstance(value, list):
            if len(value) != 1:
                return
            path, value = f"{path}[0]", unwrapped(value[0])
        else:
            key = _largest(value)
            if key is None:
                return
            beside += [str(one) for one in value if one != key]
            path, value = f"{path}.{key}", unwrapped(value[key])
        if not isinstance(value, list | Mapping):
            return
        yield Inner(path, _source_of(source, _text(value)), _left(beside))
        yield from _as_lines(source, value, path, beside)


def _as_lines(source: FileSource, value: Any, path: str, beside: list[str]) -> Iterator[Inner]:
    """Yield the records of an array as the lines of a file: scripts save those of a log as one document."""
    if isinstance(value, list) and len(value) > 1 and all(isinstance(one, Mapping) for one in value):
        yield Inner(path, _source_of(source, b"\n".join(map(_text, value))), _left(beside), is_lines=True)


def _inside_of_lines(source: FileSource) -> Iterator[Inner]:
    """Yield the document of what each line keeps under the same keys."""
    records = [(record.line, record.value) for record in source.records([])]
    count, path, beside = len(records), "$", dict[str, None]()
    for _ in range(_DEEPEST):
        keys = {_largest(value) for _, value in islice(records, _LOOKED_AT)}
        key = keys.pop() if len(keys) == 1 else None
        if key is None:
            return
        beside.update((str(one), None) for _, value in records for one in mapping(value) if one != key)
        inner = ((line, unwrapped(mapping(value).get(key))) for line, value in records)
        records = [(line, value) for line, value in inner if isinstance(value, list | Mapping)]
        if not records:
            return
        path, lost = f"{path}.{key}", count - len(records)
        left = _left(list(beside)) + (f"; {counted(lost, 'line')} without it left out" if lost else "")
        lines, values = zip(*records, strict=True)
        yield Inner(path, _source_of(source, b"\n".join(map(_text, values))), left, lines=lines)


def _largest(value: Any) -> Any:
    """Return the key whose value, a list or an object or the text of one, is most of an object; None if none is."""
    sizes = {key: len(_text(one)) for key, one in mapping(value).items()}
    key = max(sizes, key=sizes.__getitem__, default=None)
    is_most = key is not None and 2 * sizes[key] > sum(sizes.values())
    return key if is_most and isinstance(unwrapped(value[key]), list | Mapping) else None


def _text(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # of half surrogates, large numbers, or values nested deep
        return json.dumps(value).encode()


def _source_of(source: FileSource, content: bytes) -> FileSource:
    """Return the content of an inner document, which is never listed: its place in the file is not that of its text."""
    return FileSource(source.given, content, source.budget, source.depth + 1)


def _left(beside: list[str]) -> str:
    if not beside:
        return ""
    more = f" and {len(beside) - _NAMED:,} more" if len(beside) > _NAMED else ""
    return f"; beside it, not read: {', '.join(beside[:_NAMED])}{more}"
