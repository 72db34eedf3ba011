"""Replays of VS Code's chat (`*.chatreplay.json`): what each prompt of the user led to, with the requests sent.

Layout: microsoft/vscode-copilot-chat, `src/extension/replay/node/chatReplayExport.ts` and `replayParser.ts`. A request
that was logged with its messages is the conversation as it was sent; of those of a prompt the longest is read. Without
any the conversation is made of prompts, answers and calls in the order of the log.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, enumerated, turn, usage_metadata, workspace_of_sessions
from inspector.formats.content.turns import result_message
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_call, read_message
from inspector.formats.saved_chats import surest, values_of
from inspector.model import Call, Message, Result, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, parse_time

_ROLES = {0: "system", 1: "user", 2: "assistant", 3: "tool"}
"""Numbers of roles: microsoft/vscode-prompt-tsx, `src/base/output/rawTypes.ts`."""
_PARTS = {0: "image_url", 1: "text"}
_LOGS = frozenset(("request", "toolCall", "element", "error"))


def sniff(source: FileSource) -> float:
    """Return how likely the file is a replay: a list of prompts with logs, or one such prompt."""
    return surest(source, lambda value: 0.95 if any(map(_is_prompt, _listed(mapping(value)))) else 0.0)


def _listed(held: Mapping[str, Any]) -> tuple[Any, ...]:
    return items_of(held["prompts"]) if isinstance(held.get("prompts"), list) else (held,)


def _is_prompt(value: Any) -> bool:
    held = mapping(value)
    kinds = [log.get("kind") for log in objects(held.get("logs"))]
    return isinstance(held.get("prompt"), str) and bool(kinds) and all(kind in list(_LOGS) for kind in kinds)


def load(source: FileSource) -> Workspace:
    """Return the conversations of a replay. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    prompts = list(_prompts(source, notes))
    sent = [(place, held, log) for place, held in prompts if (log := _longest(held)) is not None]
    if sent:
        sessions = [_of_request(held, log, notes, place) for place, held, log in sent]
    else:
        sessions = [_of_logs(prompts, notes, left_out)]
    return workspace_of_sessions(sessions, source, left_out, notes, "prompts with logs of VS Code's chat")


def _prompts(source: FileSource, notes: Notes) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for place, value in values_of(source, notes):
        held = mapping(value)
        below = f"{place}.prompts" if "prompts" in held else ""
        for at, one in enumerated(below, _listed(held)) if below else [(place, value)]:
            if "prompt" in mapping(one):
                yield at, one
            else:
                notes.add(at, "expected a prompt with its logs; it was left out")


def _messages_of(log: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """Return the messages that a request sent, and their place in its log."""
    wrapped = log.get("requestMessages")
    if isinstance(wrapped, Mapping):
        return ".requestMessages.messages", items_of(wrapped.get("messages"))
    return (".requestMessages", items_of(wrapped)) if wrapped else (".messages", items_of(log.get("messages")))


def _longest(prompt: Mapping[str, Any]) -> tuple[int, Mapping[str, Any]] | None:
    """Return the request with the most messages, and its number; None if none has any."""
    logs = [(number, log) for number, log in enumerate(objects(prompt.get("logs"))) if _messages_of(log)[1]]
    return max(logs, key=lambda pair: len(_messages_of(pair[1])[1]), default=None)


def _of_request(prompt: Mapping[str, Any], log: tuple[int, Mapping[str, Any]], notes: Notes, place: str) -> Session:
    number, held = log
    at = f"{place}.logs[{number}]"
    session = Session(notes, as_text(prompt.get("promptId") or held.get("id")))
    session.title = as_text(prompt.get("prompt"))
    metadata = mapping(held.get("metadata"))
    session.model = as_text(metadata.get("model") or prompt.get("model"))
    session.context_window = as_whole(metadata.get("maxPromptTokens"))
    session.tools = list(objects(metadata.get("tools")))
    below, listed = _messages_of(held)
    for where, message in enumerated(f"{at}{below}", listed):
        session.add("", read_message(_usual(message), notes, where), where)
    session.add("", _answer(held, notes, at), at)
    return session


def _usual(message: Any) -> Any:
    """Return a message with the names of roles and parts in place of their numbers."""
    if not isinstance(message, Mapping):
        return message
    role, content = message.get("role"), message.get("content")
    parts = [
        {**part, "type": _PARTS[part["type"]]} if isinstance(part, Mapping) and _is_number(part, _PARTS) else part
        for part in items_of(content)
    ]
    named = {**message, "content": parts if isinstance(content, list) else content}
    if _is_number({"type": role}, _ROLES):
        named["role"] = _ROLES[message["role"]]
    for old, new in (("toolCalls", "tool_calls"), ("toolCallId", "tool_call_id")):
        if old in message:
            named[new] = message[old]
    return named


def _is_number(part: Mapping[str, Any], names: Mapping[int, str]) -> bool:
    return type(part.get("type")) is int and part["type"] in names


def _answer(log: Mapping[str, Any], notes: Notes, place: str) -> list[Message]:
    """Return the answer to a request, with its usage."""
    response, metadata = log.get("response"), mapping(log.get("metadata"))
    held = mapping(response)
    told = held.get("message", held.get("value")) if isinstance(response, Mapping) else response
    text = "\n".join(as_text(one) for one in told) if isinstance(told, list) else told
    usage, thoughts = usage_metadata(metadata.get("usage"), metadata.get("model"))
    calls = [read_call(call, notes, place) for call in objects(held.get("toolCalls"))]
    if text is None and not calls and held.get("type", "success") != "success":
        notes.add(f"{place}.response", f"is no answer: {as_text(held.get('reason') or held['type'])[:200]}", "info")
        return []
    at, time = f"{place}.response.message", metadata.get("endTime")
    return turn("assistant", text, notes, at, time=time, after=calls, metadata=usage, thoughts=thoughts)


def _of_logs(prompts: list[tuple[str, Mapping[str, Any]]], notes: Notes, left_out: LeftOut) -> Session:
    session = Session(notes)
    for place, prompt in prompts:
        session.model = as_text(prompt.get("model")) or session.model
        session.add("", turn("user", prompt.get("prompt"), notes, f"{place}.prompt"), place)
        for at, log in enumerated(f"{place}.logs", items_of(prompt.get("logs"))):
            held = mapping(log)
            kind = as_text(held.get("kind"))
            if kind == "request":
                if held.get("requestMessages") and not _messages_of(held)[1]:
                    notes.add(f"{at}.requestMessages", "expected the messages that were sent, found none")
                session.add("", _answer(held, notes, at), at)
            elif kind == "toolCall":
                session.add("", _call(held), at)
            else:
                left_out.add(f"log {kind}", f"{at}.kind", kind in _LOGS)
    return session


def _call(log: Mapping[str, Any]) -> list[Message]:
    """Return a call and its result."""
    id_, name, time = as_text(log.get("id")), as_text(log.get("tool")), parse_time(log.get("time"))
    asked = Message("", "assistant", time=time, parts=(Call(id_, name, as_text(log.get("args"))),))
    told = log.get("response")
    if told is None:
        return [asked]
    text = "\n".join(as_text(one) for one in told) if isinstance(told, list) else as_text(told)
    return [asked, changed(result_message(Result(id_, name, text)), time=time)]


_BESIDE = ("metadata", "thinking", "edits", "toolMetadata", "mcpServers")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "chat_replay", "VS Code chat replay", sniff, load, "`prompts` with a `prompt` and its `logs`", beside=_BESIDE
)
