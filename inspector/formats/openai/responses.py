"""The items of OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses) as messages."""

from collections.abc import Mapping
from typing import Any

from inspector.formats.content.reader import read_content
from inspector.formats.content.thoughts import reasoning_text
from inspector.formats.content.turns import as_result
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_call, read_message
from inspector.model import Call, Message, Part, Place, Thought, with_parts
from inspector.reading.values import as_text, items_of

_FRAME = frozenset(("type", "id", "call_id", "status", "output", "results", "error"))
_CALLS = frozenset(("function_call", "custom_tool_call"))


def looks_like_items(value: Any) -> bool:
    """Return whether a list holds items of the Responses API, at least one of them of a type that messages lack."""
    kinds = [item.get("type") for item in items_of(value) if isinstance(item, Mapping)]
    return any(isinstance(kind, str) and ItemReader.knows(kind) for kind in kinds)


def _is_call(kind: str) -> bool:
    return kind.endswith("_call")


def _is_output(kind: str) -> bool:
    return kind.endswith("_call_output")


def read_items(value: Any, notes: Notes, place: str) -> list[Message]:
    """Return the `input` (text or items) or `output` of a Responses body as messages; ids are "" if an item has none.

    Calls join the assistant message before them; reasoning goes to the assistant message after it.
    """
    if isinstance(value, str):
        return [Message("", "user", as_text(value))]
    reader = ItemReader(notes)
    for index, item in enumerate(items_of(value)):
        reader.read(item, f"{place}[{index}]")
    return reader.finished()


class ItemReader:
    """Reads items of the Responses API in sequence; `messages` are their messages so far."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.messages: list[Message] = []
        self.thoughts: list[Part] = []

    @staticmethod
    def knows(kind: str) -> bool:
        """Return whether items of this type, other than messages, are read."""
        return kind in _READERS or _is_call(kind) or _is_output(kind)

    def read(self, item: Any, place: str) -> None:
        """Read an item."""
        kind = as_text(item.get("type")) if isinstance(item, Mapping) else ""
        if kind in _READERS:
            _READERS[kind](self, item, place)
        elif _is_output(kind):
            self.add_result(item, item.get("output"), place)
        elif _is_call(kind):
            self.add_call(item, kind, place)
        else:
            for message in read_message(item, self.notes, place):
                self.add(message)

    def add(self, message: Message) -> None:
        """Append a message; an assistant message takes the reasoning before it."""
        if self.thoughts and message.role == "assistant":
            message = with_parts(message, [*self.thoughts, *message.whole])
            self.thoughts = []
        self.messages.append(message)

    def add_call(self, item: Mapping[str, Any], kind: str, place: str) -> None:
        """Add a call to the assistant message before it; its result may be beside it."""
        call = read_call(item, self.notes, place) if kind in _CALLS else _built_in_call(item, kind)
        last = self.messages[-1] if self.messages else None
        if last and last.role == "assistant" and not self.thoughts:
            self.messages[-1] = with_parts(last, [*last.whole, call])
        else:
            self.add(Message("", "assistant", parts=(call,)))
        result = item.get("output", item.get("results"))
        if result:
            self.add_result({"call_id": call.id}, result, place)

    def add_result(self, item: Mapping[str, Any], output: Any, place: str) -> None:
        """Add the result of a call; a file search's results are objects of many kinds and stay JSON text."""
        plain = isinstance(output, str) or (isinstance(output, list) and all(_is_part(part) for part in output))
        parts = read_content(output if plain else as_text(output), self.notes, f"{place}.output")
        id_ = as_text(item.get("id"))
        call = as_text(item.get("call_id") or id_)
        self.messages.append(Message(id_, "tool", parts=tuple(as_result(parts, call))))

    def add_reasoning(self, item: Mapping[str, Any], place: str) -> None:
        """Keep reasoning for the assistant message after it: its summary or text, or what is encrypted."""
        text = "\n".join(filter(None, (reasoning_text(item.get("summary")), reasoning_text(item.get("content")))))
        sealed = item.get("encrypted_content")
        if isinstance(sealed, str) and sealed:
            where = Place(self.notes.file, f"{place}.encrypted_content")
            self.thoughts.append(Thought(text, True, bytes=len(sealed), place=where))
        else:
            self.thoughts.append(Thought(text, not text))

    def add_reference(self, item: Mapping[str, Any], place: str) -> None:
        """Note a reference to an item that only the server kept."""
        self.notes.add(place, f"refers to the item {as_text(item.get('id'))}, which is not in this file")

    def add_compaction(self, _item: Mapping[str, Any], place: str) -> None:
        """Note a compaction, whose content is encrypted."""
        self.notes.add(place, "stands for earlier turns that were condensed and encrypted; they cannot be shown")

    def finished(self) -> list[Message]:
        """Return all messages; reasoning at the end gets an empty message of its own."""
        if self.thoughts:
            self.add(Message("", "assistant", ""))
        return self.messages


def _is_part(part: Any) -> bool:
    return isinstance(part, str) or (isinstance(part, Mapping) and isinstance(part.get("type"), str))


def _built_in_call(item: Mapping[str, Any], kind: str) -> Call:
    """Return a call of a built-in tool (web search, code interpreter, …): its input, as JSON."""
    asked = {key: value for key, value in item.items() if key not in _FRAME}
    name = as_text(item.get("name")) or kind.removesuffix("_call")
    arguments = item.get("arguments", asked)
    return Call(as_text(item.get("call_id") or item.get("id")), name, as_text(arguments))


_READERS = {
    "reasoning": ItemReader.add_reasoning,
    "item_reference": ItemReader.add_reference,
    "compaction": ItemReader.add_compaction,
}
