"""States of AutoGen's agents and teams, and the messages of its runs.

microsoft/autogen: `autogen-agentchat/src/autogen_agentchat/state/_states.py` (`save_state`: `llm_context.messages` of
an agent, `agent_states` of a team, `message_thread` of its manager; `llm_messages` before 0.4.2), the types of
messages in `autogen-core/src/autogen_core/models/_types.py` (SystemMessage, UserMessage, AssistantMessage,
FunctionExecutionResultMessage) and `autogen_agentchat/messages.py` (TextMessage, ToolCallRequestEvent and others with
`source` and `models_usage`). Each agent has its own messages, and so does the manager of a team.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping

_ROLES = {"SystemMessage": "system", "UserMessage": "user", "AssistantMessage": "assistant"}
_RESULTS = ("FunctionExecutionResultMessage", "ToolCallExecutionEvent")
_OF_RUNS = frozenset(
    (
        *("TextMessage", "MultiModalMessage", "StopMessage", "HandoffMessage", "ToolCallRequestEvent", "ThoughtEvent"),
        *("ToolCallSummaryMessage", "StructuredMessage", "MemoryQueryEvent", "UserInputRequestedEvent"),
    )
)
_KINDS = frozenset((*_ROLES, *_RESULTS, *_OF_RUNS))
_LISTS = ("llm_messages", "message_thread", "messages")
_STATES = ("llm_context", "agent_state", "agent_states", "inner_team_state", "model_context")
_DEEPEST = 8
_List = tuple[str, str, tuple[Any, ...]]
"""The name of an agent, the place of its messages, and these."""


def sniff(source: FileSource) -> float:
    """Return how likely the file holds states or messages of AutoGen."""
    return surest(source, lambda value: 0.96 if any(map(_is_message, _first(value))) else 0.0)


def _first(value: Any) -> list[Any]:
    return [value, *items_of(value)[:8], *(one for _, _, held in _lists(value, "", "") for one in held[:8])]


def _is_message(value: Any) -> bool:
    fields = mapping(value)
    kind = fields.get("type")
    is_told = isinstance(fields.get("source"), str) or kind in (*_RESULTS, "SystemMessage")
    return isinstance(kind, str) and kind in _KINDS and "content" in fields and is_told


def _lists(value: Any, place: str, name: str, depth: int = _DEEPEST) -> Iterator[_List]:
    """Yield the lists of messages in a state, those of its inner states too."""
    fields = mapping(value)
    for key in _LISTS:
        held = items_of(fields.get(key))
        if any(map(_is_message, held[:8])):
            yield name, f"{place}.{key}", held
    for key in _STATES if depth else ():
        inner = mapping(fields.get(key))
        if key == "agent_states":
            for agent, state in inner.items():
                yield from _lists(state, f"{place}.{key}.{agent}", as_text(agent).partition("/")[0], depth - 1)
        elif inner:
            yield from _lists(inner, f"{place}.{key}", name, depth - 1)


def load(source: FileSource) -> Workspace:
    """Return a chat for each list of messages, and one of messages on their own. Raise UnreadableError if none is."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    loose: list[tuple[str, Message]] = []
    for place, value in values_of(source, notes):
        found = [("", place, items_of(value))] if isinstance(value, list) else list(_lists(value, place, ""))
        _note_silent(value, [at for _, at, _ in found], notes, place)
        for name, at, held in found:
            placed = ((f"{at}[{number}]", one) for number, one in enumerate(held))
            messages = [(where, message) for where, one in placed for message in _read(one, notes, where)]
            chats.append(_saved(messages, at, name))
        if not found:
            loose += ((place, message) for message in _read(value, notes, place))
    if loose:
        chats.insert(0, _saved(loose, "$", ""))
    chats = [chat for chat in chats if chat.nodes]
    if not chats:
        raise notes.unreadable("$", "expected messages of AutoGen, found none")
    return workspace_of(chats, source, notes)


def _note_silent(value: Any, found: list[str], notes: Notes, place: str) -> None:
    """Note the agents of a team of which no message is read."""
    for agent in mapping(mapping(value).get("agent_states")):
        at = f"{place}.agent_states.{agent}"
        if not any(one.startswith(at) for one in found):
            notes.add(at, "expected the state of an agent with messages, found none", "info")


def _saved(messages: list[tuple[str, Message]], place: str, name: str) -> SavedChat:
    nodes = in_line(messages)
    title = name or title_of(message for _, message in messages)
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title)


def _read(value: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of a message; each result of a call is one of its own."""
    fields = mapping(value)
    kind, content = as_text(fields.get("type") or ""), fields.get("content")
    if kind in _RESULTS and isinstance(content, list):
        results = ((f"{place}.content[{number}]", mapping(one)) for number, one in enumerate(content))
        return [message for at, one in results for message in read_message(_result(one, notes, at), notes, at)]
    if kind not in _KINDS:
        notes.add(f"{place}.type", f"expected the type of a message, found {kind[:40] or 'nothing'}")
        if content is None:
            notes.add(place, "expected a message with a type and a content; it was left out", "error")
            return []
    told: dict[str, Any] = {"role": _role(kind, fields)}
    if isinstance(fields.get("source"), str):
        told["name"] = fields["source"]
    if content is not None:
        is_text = kind == "StructuredMessage" and isinstance(content, Mapping)
        told["content"] = as_text(content) if is_text else _content(kind, content, notes, f"{place}.content")
    if isinstance(fields.get("thought"), str) and fields["thought"]:
        told["reasoning_content"] = fields["thought"]
    elif fields.get("thought"):
        notes.add(f"{place}.thought", "expected the text of a thought; it was left out")
    found = read_message(told, notes, place)
    usage = read_usage(fields.get("models_usage")).metadata
    if fields.get("models_usage") and not usage:
        notes.add(f"{place}.models_usage", "expected prompt_tokens and completion_tokens; they were left out", "info")
    return [*found[:-1], changed(found[-1], metadata={**found[-1].metadata, **usage})] if found else []


def _role(kind: str, fields: Mapping[str, Any]) -> str:
    """Return the role of a message: runs name its source alone, of which `user` is the user."""
    source = as_text(fields.get("source") or "").lower()
    return _ROLES.get(kind) or ("user" if source in ("user", "user_proxy") else "assistant")


def _content(kind: str, content: Any, notes: Notes, place: str) -> Any:
    """Return the content under the usual names: calls, pictures as bare data, texts."""
    if kind == "ThoughtEvent" and isinstance(content, str):
        return [{"type": "reasoning", "text": content}]
    if not isinstance(content, list):
        return content
    return [_part(one, notes, f"{place}[{number}]") for number, one in enumerate(content)]


def _part(part: Any, notes: Notes, place: str) -> Any:
    fields = mapping(part)
    if "arguments" in fields or "call_id" in fields:
        if fields.get("arguments") is None:
            notes.add(f"{place}.arguments", "expected the arguments of a call, found nothing")
        called = {key: fields.get(key) for key in ("id", "name", "arguments")}
        return {"type": "tool_call", **called}
    if isinstance(fields.get("data"), str):
        return {"type": "image", "data": fields["data"]}
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if isinstance(fields.get("content"), str):
        return {"type": "text", "text": fields["content"]}
    return {"type": next(iter(fields), "null"), **fields} if fields else part


def _result(result: Mapping[str, Any], notes: Notes, place: str) -> dict[str, Any]:
    if result.get("content") is None:
        notes.add(f"{place}.content", "expected the result of a call, found nothing")
    told = {"role": "tool", "tool_call_id": as_text(result.get("call_id") or "")}
    return {**told, **{key: result[key] for key in ("name", "content") if result.get(key) is not None}}


FORMAT = Format(
    "autogen",
    "AutoGen states and messages",
    sniff,
    load,
    "`llm_context` or `message_thread`, or messages with `source` and `type` as in `TextMessage`",
)
