"""Requests, answers and histories of Cohere's chat API: of version 1, and of version 2 where it has documents.

cohere-ai/cohere-python, `src/cohere/types`: `message`, `preamble`, `chat_history[{role USER | CHATBOT | SYSTEM | TOOL,
message, tool_calls, tool_results}]`, `tools[{name, description, parameter_definitions}]`; an answer has `text`,
`generation_id` and the history with both. Version 2 (`v2/client.py`) is written as OpenAI's messages are; in both,
`documents` are texts, objects of texts, or since version 2 `{id, data}` with either.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.openai.records import read_chat
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.model import Document, Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_ROLES = {"USER": "user", "CHATBOT": "assistant", "SYSTEM": "system", "TOOL": "tool"}
_ANSWER = frozenset(("generation_id", "response_id", "finish_reason"))


def sniff(source: FileSource) -> float:
    """Return how likely the file holds chats of Cohere's first API."""
    return surest(source, lambda value: 0.9 if _is_turn(value) or _is_body(value) else 0.0)


def _is_turn(value: Any) -> bool:
    fields = mapping(value)
    is_told = isinstance(fields.get("message"), str) or bool(objects(fields.get("tool_results")))
    return fields.get("role") in list(_ROLES) and is_told and "content" not in fields


def _is_body(value: Any) -> bool:
    fields = mapping(value)
    if any(map(_is_turn, items_of(fields.get("chat_history")))):
        return True
    is_request = isinstance(fields.get("message"), str) and bool(fields.keys() & {"preamble", "chat_history"})
    is_answer = isinstance(fields.get("text"), str) and {"generation_id", "finish_reason"} <= fields.keys()
    is_asked = isinstance(fields.get("message"), str) or bool(objects(fields.get("messages")))
    return is_request or is_answer or (is_asked and any(map(_is_document, items_of(fields.get("documents")))))


def _is_document(value: Any) -> bool:
    """Return whether a value is a document as only this API has it: `{id, data}`."""
    fields = mapping(value)
    return isinstance(fields.get("data"), str | Mapping) and fields.keys() <= {"id", "data"}


def load(source: FileSource) -> Workspace:
    """Return a chat for each body, and one of turns on their own. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    loose: list[tuple[str, Message]] = []
    for place, value in values_of(source, notes):
        if _is_body(value):
            chats.append(_body(value, notes, place))
        else:
            loose += ((place, message) for message in _turn(value, notes, place))
    if loose:
        chats.insert(0, _saved(loose, "$"))
    chats = [chat for chat in chats if chat.nodes]
    if not chats:
        raise notes.unreadable("$", "expected turns with a role and a message, found none")
    return workspace_of(chats, source, notes)


def _saved(messages: list[tuple[str, Message]], place: str) -> SavedChat:
    nodes = in_line(messages)
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title_of(message for _, message in messages))


def _body(body: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    """Return the chat of a request or an answer, with the documents of the request."""
    chat = _of_messages(body, notes, place) if objects(body.get("messages")) else _of_history(body, notes, place)
    held = enumerate(items_of(body.get("documents")), 1)
    documents = tuple(one for number, value in held if (one := _document(value, f"document-{number}")))
    chat.beside = {"documents": documents} if documents else {}
    return chat


def _document(value: Any, name: str) -> Document | None:
    """Return a document, an object of which the model reads as JSON; None for an empty one."""
    fields = mapping(value)
    held = fields["data"] if _is_document(value) else value
    title = mapping(held).get("title")
    id_ = fields.get("id")
    text = as_text(held)
    return (
        Document(as_text(id_) if id_ else name, text, as_text(title) if isinstance(title, str) else "")
        if text
        else None
    )


def _of_messages(body: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    """Return the chat of a body of version 2."""
    found = read_chat(body, notes, place)
    if found is None:
        return _saved([], place)
    chat = _saved([(place, message) for message in found.messages], place)
    chat.id, chat.model, chat.tools = found.id, found.model, found.tools
    return chat


def _of_history(body: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    """Return the chat of a body of version 1, whose history may hold the answer already."""
    history = items_of(body.get("chat_history"))
    placed = ((f"{place}.chat_history[{number}]", turn) for number, turn in enumerate(history))
    found = [(at, message) for at, turn in placed for message in _turn(turn, notes, at)]
    asked = {"role": "USER", "message": body.get("message"), "tool_results": body.get("tool_results")}
    if asked["message"] or asked["tool_results"]:
        found += ((place, message) for message in _turn(asked, notes, place))
    elif not body.keys() & _ANSWER:
        notes.add(f"{place}.message", "expected the text of the request, found nothing")
    answer = {"role": "CHATBOT", "message": body.get("text"), "tool_calls": body.get("tool_calls")}
    is_there = bool(found) and found[-1][1].role == "assistant" and found[-1][1].content == as_text(answer["message"])
    if body.keys() & _ANSWER and (answer["message"] or answer["tool_calls"]) and not is_there:
        found += ((place, message) for message in _turn(answer, notes, place))
    usage = read_usage(mapping(body.get("meta"))).metadata
    if found and usage and found[-1][1].role == "assistant":
        found[-1] = (found[-1][0], changed(found[-1][1], metadata={**found[-1][1].metadata, **usage}))
    chat = _saved(found, place)
    ids = (body.get(key) for key in ("response_id", "conversation_id", "generation_id"))
    chat.id = next((as_text(id_) for id_ in ids if isinstance(id_, str)), "")
    chat.system = as_text(body.get("preamble") or "")
    chat.model = as_text(body.get("model") or "")
    chat.tools = objects(body.get("tools"))
    return chat


def _turn(value: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of a turn: its results, then its text and calls, which have no ids in this version."""
    fields = mapping(value)
    role = _ROLES.get(as_text(fields.get("role", "")).upper())
    if role is None:
        notes.add(f"{place}.role", "expected USER, CHATBOT, SYSTEM or TOOL; the turn was left out", "error")
        return []
    found = [message for result in _results(fields) for message in read_message(result, notes, place)]
    calls = [
        {"id": call.get("id"), "name": call.get("name"), "arguments": call.get("parameters", "")}
        for call in objects(fields.get("tool_calls"))
    ]
    if fields.get("message") is None and not calls:
        if not found:
            notes.add(f"{place}.message", "expected text, found nothing; the turn was left out", "error")
        return found
    made = {"role": "user" if role == "tool" else role, "content": fields.get("message") or ""}
    return [*found, *read_message({**made, **({"tool_calls": calls} if calls else {})}, notes, place)]


def _results(turn: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for result in objects(turn.get("tool_results")):
        call = mapping(result.get("call"))
        named = as_text(call.get("id") or call.get("name") or "result")
        outputs = result.get("outputs")
        yield {"role": "tool", "tool_call_id": named, "name": as_text(call.get("name")), "content": as_text(outputs)}


FORMAT = Format(
    "cohere",
    "Cohere chat",
    sniff,
    load,
    "`chat_history` with USER and CHATBOT, or messages with `documents` that have `data`",
)
