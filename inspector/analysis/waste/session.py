"""A session of an agent: the messages that it sent, in how many requests each was carried, and its tools.

A saved conversation is a session whose every answer was asked for with all messages since the last summary of all
before it. Recorded requests are a session for each agent, with the requests that were made.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from inspector.analysis.requests.agents import Place
from inspector.analysis.requests.sent import Request, message_key
from inspector.formats.compaction import SUMMARY_MARK
from inspector.model import Call, Conversation, Message, Result, Tool, Workspace
from inspector.model.workspace import goes_with

_ANSWERS = "assistant"


@dataclass(frozen=True, slots=True)
class Session:
    """The session of an agent.

    `messages` are all that it ever sent or was answered, each once, in order; `first` and `until` are the numbers of
    the requests that carried each, from 0 on: `until` is the first that no longer did. `requests` is how many there
    were. `agent` is its number in a recording, "" for a saved conversation; `conversation` is the id of its last one.
    `recorded` are the places of its requests in the recording.
    """

    conversation: str
    title: str
    agent: str
    messages: tuple[Message, ...]
    first: tuple[int, ...]
    until: tuple[int, ...]
    requests: int
    tools: tuple[Tool, ...]
    recorded: tuple[int, ...] = ()

    def carried(self, at: int, since: int = 0) -> int:
        """Return how many requests carried a message, counted from the request `since` on."""
        return max(0, self.until[at] - max(self.first[at], since))

    @property
    def has_tools(self) -> bool:
        """Whether an agent is at work: it calls tools or, in a recording, it was offered some."""
        is_offered = bool(self.agent) and bool(self.tools)
        return is_offered or any(isinstance(part, Call | Result) for one in self.messages for part in one.parts)


def saved_session(workspace: Workspace, chat: Conversation) -> Session:
    """Return the session of a saved conversation."""
    first, until = [], list[int]()
    asked, since = 0, 0
    for at, message in enumerate(chat.messages):
        if message.metadata.get(SUMMARY_MARK):
            until[since:] = [asked] * (at - since)
            since = at
        if message.role == _ANSWERS and (not at or chat.messages[at - 1].role != _ANSWERS):
            asked += 1
        first.append(asked)
        until.append(-1)
    last = chat.messages[-1].role if chat.messages else _ANSWERS
    requests = asked + (last != _ANSWERS)
    until = [requests if end < 0 else end for end in until]
    tools = tuple(filter(goes_with(workspace, chat), workspace.tools))
    return Session(chat.id, chat.title, "", chat.messages, tuple(first), tuple(until), requests, tools)


def recorded_sessions(workspace: Workspace, requests: Sequence[Request], places: Sequence[Place]) -> Iterator[Session]:
    """Yield the session of each agent of a recording. A request that failed was not answered, and does not count."""
    chats = {chat.id: chat for chat in workspace.conversations}
    for agent in dict.fromkeys(place.agent for place in places):
        rows = [at for at, place in enumerate(places) if place.agent == agent and not requests[at].has_failed]
        if rows:
            yield _recorded(workspace, chats, requests, rows, agent)


def _recorded(
    workspace: Workspace, chats: dict[str, Conversation], requests: Sequence[Request], rows: Sequence[int], agent: str
) -> Session:
    order: dict[tuple[Hashable, int], Message] = {}
    first: dict[tuple[Hashable, int], int] = {}
    last: dict[tuple[Hashable, int], int] = {}
    for number, at in enumerate(rows):
        for key, message in _numbered(requests[at].messages):
            order.setdefault(key, message)
            first.setdefault(key, number)
        for key, _ in _numbered(requests[at].asked):
            last[key] = number + 1
    newest = requests[rows[-1]]
    tools = tuple(filter(goes_with(workspace, chats[newest.conversation]), workspace.tools))
    return Session(
        newest.conversation,
        newest.title,
        agent,
        tuple(order.values()),
        tuple(first[key] for key in order),
        tuple(last.get(key, first[key]) for key in order),
        len(rows),
        tools,
        tuple(rows),
    )


def _numbered(messages: Sequence[Message]) -> Iterator[tuple[tuple[Hashable, int], Message]]:
    """Yield messages with keys; equal ones in a request are numbered."""
    seen: dict[Hashable, int] = {}
    for message in messages:
        key = message_key(message)
        seen[key] = seen.get(key, 0) + 1
        yield (key, seen[key]), message
