"""Recorded requests as facts of their own: model, usage, tools sent and called. Nothing is counted here."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from inspector.model import Call, Conversation, Message, SentRequest, Tool, Usage, Workspace, recorded_usage
from inspector.model import sent_request as request_of
from inspector.reading.json import unwrapped
from inspector.reading.values import as_text, mapping

FAILED = 400
"""The first status of HTTP that says that a request failed."""


@dataclass(frozen=True, slots=True)
class Request:
    """A recorded request: its conversation, and the `turn` at which it was sent, the number of its messages.

    `keys` stand for its messages: equal for equal ones. `system` is the text of its system prompt; `tools` are the
    names of the tools sent, and `called` those called in its answer.
    """

    conversation: str
    title: str
    model: str
    made: SentRequest
    turn: int
    messages: tuple[Message, ...]
    keys: tuple[Hashable, ...]
    system: str
    tools: tuple[str, ...]
    called: tuple[str, ...]
    usage: Usage

    @property
    def began(self) -> datetime | None:
        """When it was sent."""
        return self.made.began

    @property
    def has_failed(self) -> bool:
        """Whether it got no answer, or an error."""
        status = self.made.status
        return not self.made.answered if status is None else status >= FAILED

    @property
    def asked(self) -> Sequence[Message]:
        """The messages that were sent."""
        return self.messages[: self.turn]

    @property
    def answer(self) -> Sequence[Message]:
        """The messages of the answer."""
        return self.messages[self.turn :]

    @property
    def first(self) -> Message | None:
        """The first message that is not the system prompt."""
        return next((message for message in self.asked if message.role != "system"), None)


def requests_of(workspace: Workspace, known: Sequence[Request] = ()) -> tuple[Request, ...]:
    """Return the recorded requests among the conversations of a workspace, in their order.

    `known` are those of an earlier reading, of which the unchanged ones are taken as they are.
    """
    shared = {one.origin: one.system_prompt for one in workspace.characters}
    tools, before = _Tools(workspace.tools), {id(one.messages): one for one in known}
    made: list[Request] = []
    for chat in workspace.conversations:
        if not chat.is_read or (told := request_of(chat.messages)) is None:
            continue
        sent, same = tools.of(chat), before.get(id(chat.messages))
        is_same = same is not None and (same.conversation, same.tools) == (chat.id, sent)
        system = shared.get(chat.origin, "")
        made.append(same if is_same and same is not None else _request(chat, told, system, sent))
    return tuple(made)


def has_requests(workspace: Workspace) -> bool:
    """Return whether any conversation is a recorded request."""
    return any(chat.is_read and request_of(chat.messages) is not None for chat in workspace.conversations)


class _Tools:
    """The names of the tools of each conversation."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._of_all: dict[str, list[str]] = {}
        self._of_chat: dict[str, list[str]] = {}
        for tool in tools:
            name = tool_name(tool)
            if tool.conversations is None:
                self._of_all.setdefault(tool.origin, []).append(name)
            for chat in tool.conversations or ():
                self._of_chat.setdefault(chat, []).append(name)

    def of(self, chat: Conversation) -> tuple[str, ...]:
        """Return the names of the tools of a conversation, in their order."""
        return (*self._of_all.get(chat.origin, ()), *self._of_chat.get(chat.id, ()))


def tool_name(tool: Tool) -> str:
    """Return the name of a tool, in the layouts of all makers; that of its kind for a tool of the server."""
    inner = mapping(tool.schema.get("function")) or tool.schema
    return as_text(inner.get("name") or inner.get("type") or "tool")


def _request(chat: Conversation, told: SentRequest, shared: str, tools: tuple[str, ...]) -> Request:
    messages = chat.messages
    turn = len(messages) - told.answered
    system = "\n".join([*([shared] if shared else []), *(one.content for one in messages[:turn] if _is_system(one))])
    return Request(
        chat.id,
        chat.title,
        chat.model,
        told,
        turn,
        messages,
        tuple(map(message_key, messages[:turn])),
        system,
        tools,
        tuple(dict.fromkeys(call.name for message in messages[turn:] for call in message.tool_calls)),
        recorded_usage(messages[-1].metadata) if told.answered else Usage(),
    )


def _is_system(message: Message) -> bool:
    return message.role == "system"


def message_key(message: Message) -> Hashable:
    """Return a value that is equal for messages that say the same, whatever their ids."""
    calls = tuple((part.name, part.arguments) for part in message.parts if isinstance(part, Call))
    return hash((message.role, message.content, calls, len(message.parts)))


def texts_of_calls(messages: Sequence[Message]) -> Iterator[str]:
    """Yield the texts among the arguments of the calls in these messages."""
    for message in messages:
        for call in message.tool_calls:
            yield from _texts(unwrapped(call.arguments))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for held in value.values():
            yield from _texts(held)
    elif isinstance(value, list | tuple):
        for held in value:
            yield from _texts(held)
