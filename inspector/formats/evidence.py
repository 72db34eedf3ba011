"""Evidence for a recognized JSON format: the format reads an item from the first records of the file.

Keys alone prove little: other programs use the same keys, and the next version of a program may have its messages under
others. So a few records are read in the same way as the whole file.
"""

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from inspector.formats.format import Format
from inspector.model import Conversation, Message, Text, Unknown, Workspace
from inspector.reading.lines import numbered_lines
from inspector.reading.source import FileSource, UnreadableError

_FEW = (20, 3)
"""Numbers of items tried from either end of each list; the smaller number for long items."""
_MANY = 200
_MOST_BYTES = 400_000
_MOST_RECORDS = 60
_DEEPEST = 60
_LISTS = ("characters", "passages", "summaries", "documents", "attachments", "skipped", "tools", "probes")


def reads_a_record(kind: Format, source: FileSource) -> bool:
    """Return whether `kind` reads a message or another item from the first records; True for files other than JSON."""
    sample = _sample(source)
    if sample is None:
        return True
    try:
        found = kind.load(FileSource(source.given, sample))
    except UnreadableError:
        return False
    except Exception:  # noqa: BLE001 - reading the file reports and logs a fault of the format
        return True
    return not isinstance(found, Workspace) or _has_an_item(found)  # plug-ins may return anything


def _sample(source: FileSource) -> bytes | None:
    """Return the first records of a file as the bytes of a smaller file; None for files other than JSON."""
    if source.shape == "json_lines":
        return _first_lines(source)
    if source.shape != "json":
        return None
    if items := _first_items(source):
        return b"[" + b",".join(items) + b"]"
    value = list(source.first_items) if source.raw_items is not None else source.json
    written = (json.dumps(_shortened(value, few)).encode() for few in _FEW)
    return next((data for data in written if len(data) <= _MOST_BYTES), None)


def _first_items(source: FileSource) -> list[bytes]:
    """Return the first items of an array as written in the file; none if the first is too long."""
    return _within(map(bytes, (source.raw_items or ())[:_MOST_RECORDS]))


def _first_lines(source: FileSource) -> bytes:
    lines = [line for _, line in islice(numbered_lines(source.utf8), _MOST_RECORDS)]
    return b"\n".join(_within(lines) or lines[:1])


def _within(texts: Iterable[bytes]) -> list[bytes]:
    """Return as many of the first texts as fit into `_MOST_BYTES` together."""
    left = _MOST_BYTES
    kept: list[bytes] = []
    for text in texts:
        left -= len(text)
        if left < 0:
            break
        kept.append(text)
    return kept


def _shortened(value: Any, few: int, depth: int = 0) -> Any:
    """Return a value with the first and last items of its long lists and objects."""
    if depth >= _DEEPEST:
        return None
    if isinstance(value, Mapping):
        keys = [*value]
        kept = keys if len(keys) <= 2 * _MANY else [*keys[:_MANY], *keys[-_MANY:]]
        return {key: _shortened(value[key], few, depth + 1) for key in kept}
    if isinstance(value, list):
        kept = value if len(value) <= 2 * few else [*value[:few], *value[-few:]]
        return [_shortened(item, few, depth + 1) for item in kept]
    return value


def _has_an_item(found: Workspace) -> bool:
    if any(map(_has_a_message, found.conversations)) or any(getattr(found, name) for name in _LISTS):
        return True
    return any(one.memories for one in found.memory_sets) or any(one.entries for one in found.lorebooks)


def _has_a_message(chat: Conversation) -> bool:
    messages = chat.tree.messages if chat.tree else chat.messages
    return not chat.is_read or any(map(_says, messages))


def _says(message: Message) -> bool:
    """Return whether a message has words, a call, a result, a picture or a thought."""
    return bool(message.content.strip()) or any(not isinstance(part, Text | Unknown) for part in message.parts)
