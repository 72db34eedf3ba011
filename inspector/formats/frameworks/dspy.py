"""Histories of DSPy's models (`lm.history`, `dspy.clients.base_lm.GLOBAL_HISTORY`), saved as JSON or printed.

stanfordnlp/dspy, `dspy/clients/base_lm.py` (an entry: `prompt`, `messages`, `kwargs`, `response`, `outputs`, `usage`,
`timestamp`, `uuid`, `model`; an output is text, or `text`, `reasoning_content` and `tool_calls`) and, in
`dspy/core/types.py`, `LMHistoryEntry` (`request` and `response`, whose messages and outputs have `parts`). Before 2.5
an entry had `prompt`, `response`, `kwargs` and `raw_kwargs`. Each call is a conversation; further outputs are branches.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.figures import counted
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.frameworks.dspy_printed import entries_in, is_printed
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import (
    Node,
    SavedChat,
    in_line,
    is_itself,
    read_each,
    surest,
    title_of,
    values_of,
    workspace_of,
)
from inspector.formats.traces.recorded import Recorded, definitions_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, parse_time

_ASKED = frozenset(("prompt", "messages"))
_TOLD = frozenset(("kwargs", "raw_kwargs", "model_type", "response_model"))
_OUTPUT = frozenset(("text", "reasoning_content", "tool_calls", "logprobs", "citations"))
_LISTS = ("history", "lm_history", "calls", "entries")
_HEAD = 20_000  # bytes
_EXPECTED = "a call of DSPy, with messages or a prompt and outputs"
_KINDS = {"binary": "file", "thinking": "thinking", "citation": "search_result"}


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a history of a model of DSPy."""
    if source.shape in ("text", "yaml"):
        return 0.95 if is_printed(source.utf8[:_HEAD].decode(errors="ignore")) else 0.0
    return surest(source, lambda value: 0.94 if any(map(_is_entry, _inside(value)[1][:5])) else 0.0)


def _inside(value: Any) -> tuple[str, tuple[Any, ...]]:
    """Return the path to the entries of a value and these: those of a list in it, or the value itself."""
    if isinstance(value, list):
        return "", items_of(value)
    fields = mapping(value)
    key = next((key for key in _LISTS if any(map(_is_entry, items_of(fields.get(key))[:5]))), "")
    return (f".{key}", items_of(fields[key])) if key else ("", (value,))


def _is_entry(value: Any) -> bool:
    fields = mapping(value)
    if _is_typed(fields):
        return True
    is_answered = isinstance(fields.get("outputs"), list) or ("response" in fields and "prompt" in fields)
    return is_answered and bool(fields.keys() & _ASKED) and bool(fields.keys() & _TOLD)


def _is_typed(fields: Mapping[str, Any]) -> bool:
    asked, answered = mapping(fields.get("request")), mapping(fields.get("response"))
    listed = (*items_of(asked.get("messages")), *items_of(answered.get("outputs")))
    return "outputs" in answered and any(isinstance(mapping(one).get("parts"), list) for one in listed)


def load(source: FileSource) -> Workspace:
    """Return a chat for each entry. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    placed: list[tuple[str, Any]] = []
    values = entries_in(source.text) if source.shape in ("text", "yaml") else values_of(source, notes)
    for place, value in values:
        key, inside = _inside(value)
        is_one = is_itself(inside, value)
        placed += [(place if is_one else f"{place}{key}[{number}]", one) for number, one in enumerate(inside)]
    chats = [chat for chat in read_each(placed, _is_entry, _chat, notes, _EXPECTED) if chat.nodes]
    if not chats:
        raise notes.unreadable("$", f"expected {_EXPECTED}, found none with a message")
    return workspace_of(chats, source, notes)


def _chat(entry: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    reader = Recorded(notes)
    request = mapping(entry.get("request"))
    given = _given(entry, request, reader, place)
    answers = list(_answers(entry, reader, place))
    if more := as_whole(entry.get("others")):
        notes.add(place, f"was answered by {counted(more, 'more completion')}, which the program did not print", "info")
    if not answers:
        notes.add(f"{place}.outputs", "expected the output of the model, found nothing")
    about, time = _usage(entry), parse_time(entry.get("timestamp"))
    answers = [
        [*one[:-1], changed(one[-1], time=time, metadata={**about, **one[-1].metadata})] for one in answers if one
    ]
    nodes = in_line((place, message) for message in (*given, *(answers[0] if answers else ())))
    last = list(nodes)[len(given) - 1] if given else ""
    leaf = next(reversed(nodes), None)
    nodes.update((f"output{number}", Node(last, tuple(one), place)) for number, one in enumerate(answers[1:], 2))
    asked = mapping(entry.get("kwargs"))
    return SavedChat(
        nodes,
        leaf,
        place,
        as_text(entry.get("uuid") or ""),
        title_of(reversed(given)),
        model=as_text(entry.get("model") or request.get("model") or ""),
        tools=reader.tools or definitions_of(asked.get("tools")) or definitions_of(request.get("tools")),
    )


def _given(entry: Mapping[str, Any], request: Mapping[str, Any], reader: Recorded, place: str) -> list[Message]:
    """Return the messages of the request, or its prompt."""
    listed = items_of(entry.get("messages"))
    if listed:
        return reader.read(list(listed), "user", f"{place}.messages")
    if isinstance(request.get("messages"), list):
        return [
            message
            for number, one in enumerate(request["messages"])
            for message in _parts_message(mapping(one), "user", reader.notes, f"{place}.request.messages[{number}]")
        ]
    found = reader.read(entry.get("prompt"), "user", f"{place}.prompt")
    if not found:
        reader.notes.add(f"{place}.messages", "expected messages or a prompt, found neither: the answer stands alone")
    return found


def _answers(entry: Mapping[str, Any], reader: Recorded, place: str) -> Iterator[list[Message]]:
    """Yield the messages of each output, else of the response."""
    outputs = items_of(entry.get("outputs"))
    typed = items_of(mapping(entry.get("response")).get("outputs"))
    for number, one in enumerate(outputs or typed):
        at = f"{place}.outputs[{number}]" if outputs else f"{place}.response.outputs[{number}]"
        if isinstance(mapping(one).get("parts"), list):
            yield _parts_message(one, "assistant", reader.notes, at)
        elif isinstance(one, Mapping) and one.keys() & {"text", "tool_calls", "reasoning_content"}:
            for key in one.keys() - _OUTPUT:
                reader.notes.add(f"{at}.{key}", "is no part of an output that is known; it was left out", "info")
            told = {"role": "assistant", **one, "content": one.get("text") or ""}
            yield read_message({key: held for key, held in told.items() if key != "text"}, reader.notes, at)
        else:
            yield reader.read(one, "assistant", at)
    if not (outputs or typed) and entry.get("response") is not None:
        yield from _of_response(entry["response"], reader, f"{place}.response")


def _of_response(response: Any, reader: Recorded, place: str) -> Iterator[list[Message]]:
    """Yield the messages of each choice of a response of OpenAI's API, or those of a response in another layout."""
    choices = objects(mapping(response).get("choices"))
    for number, choice in enumerate(choices):
        message = {"role": "assistant", **mapping(choice.get("message", {"content": choice.get("text")}))}
        yield read_message(message, reader.notes, f"{place}.choices[{number}].message")
    if not choices:
        yield reader.read(response, "assistant", place)


def _parts_message(message: Mapping[str, Any], role: str, notes: Notes, place: str) -> list[Message]:
    """Return the messages of one with parts; parts of types of DSPy's own have their usual types."""
    parts = [_usual(part) for part in items_of(message.get("parts"))]
    return read_message({"role": role, **message, "parts": parts}, notes, place)


def _usual(part: Any) -> Any:
    kind = mapping(part).get("type")
    return {**part, "type": _KINDS[kind]} if isinstance(kind, str) and kind in _KINDS else part


def _usage(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return read_usage(mapping(entry.get("usage")) or mapping(mapping(entry.get("response")).get("usage"))).metadata


FORMAT = Format(
    "dspy",
    "DSPy calls",
    sniff,
    load,
    "entries with `messages` or `prompt`, `outputs` and `kwargs`, or what `inspect_history` prints",
    beside=("response",),
)
