"""Alpaca's rows `{instruction, input, output}`, with `history` and `system` in some sets."""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, read_chats, surest
from inspector.model import Message, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping

_SYSTEM = ("system", "system_prompt")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds rows of instructions."""
    return surest(source, lambda value: 0.9 if _is_row(value) else 0.0)


def _is_row(value: Any) -> bool:
    row = mapping(value)
    return isinstance(row.get("instruction"), str) and isinstance(row.get("output"), str)


def load(source: FileSource) -> Workspace:
    """Return a conversation for each row. Raise UnreadableError if there is none."""
    return read_chats(source, _is_row, _chat, "a row with instruction and output")


def _chat(row: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    nodes = in_line((place, message) for message in _messages(row, notes, place))
    system = next((as_text(row[key]) for key in _SYSTEM if isinstance(row.get(key), str)), "")
    id_ = row.get("id")
    name = as_text(id_) if isinstance(id_, str | int) and not isinstance(id_, bool) else ""
    return SavedChat(nodes, next(reversed(nodes), None), place, name, system=system.strip())


def _messages(row: Mapping[str, Any], notes: Notes, place: str) -> Iterator[Message]:
    for number, pair in enumerate(items_of(row.get("history"))):
        said = items_of(pair)
        if len(said) == 2 and all(isinstance(text, str) for text in said):
            yield Message("", "user", as_text(said[0]))
            yield Message("", "assistant", as_text(said[1]))
        else:
            notes.add(f"{place}.history[{number}]", "expected a pair of question and answer; it was left out")
    given = row.get("input")
    if given is not None and not isinstance(given, str):
        notes.add(f"{place}.input", "expected text; it was left out")
    parts = (as_text(row["instruction"]), as_text(given) if isinstance(given, str) else "")
    yield Message("", "user", "\n".join(filter(None, parts)))
    yield Message("", "assistant", as_text(row["output"]))


FORMAT = Format("alpaca", "Alpaca instructions", sniff, load, "rows with `instruction` and `output`")
