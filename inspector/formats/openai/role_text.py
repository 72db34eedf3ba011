"""Chats of scripts and small programs: messages with a role and a text, under any of their usual keys.

It is sure of nothing: layouts with marks of their own go before it.
"""

from collections.abc import Mapping
from dataclasses import replace

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.format import Format
from inspector.formats.openai.message import ROLES
from inspector.formats.turn_layout import TurnLayout
from inspector.model import Role, Workspace
from inspector.reading.source import FileSource

_POSSIBLE = 0.7
ROLE_KEYS = ("role", "sender", "author.role", "author", "from", "speaker", "type", "kind")
ROLE_WORDS: Mapping[str, Role] = {
    **ROLES,
    **dict.fromkeys(("llm", "claude", "gemini", "copilot", "deepseek", "grok", "machine", "operator"), "assistant"),
    **dict.fromkeys(("automated_agent", "human_agent", "apimessage", "aimessage", "outgoing"), "assistant"),
    **dict.fromkeys(("prompter", "customer", "client", "visitor", "caller", "me", "end_user"), "user"),
    **dict.fromkeys(("usermessage", "humanmessage", "incoming"), "user"),
}
"""The words for roles that programs and scripts use."""
TEXT_KEYS = ("text", "message", "body", "output", "result", "response", "prompt", "content", "value")
_MARKS = "|".join(key for key in (*TEXT_KEYS, *ROLE_KEYS) if key not in ("content", "value", "role", "from"))
"""A turn has one of these keys; those with `role` and `content` alone are of OpenAI's layout, or of ShareGPT's."""
_LAYOUT = ChatLayout(
    name="role_text",
    title="Chats with roles and texts",
    sign="messages with a role, and a text under `text`, `message`, `body` or another usual key",
    expected="messages with a role and a text",
    chats=("chats", "conversations", "sessions", "threads"),
    turns=("messages", "history", "turns", "conversation", "dialogue", "dialog"),
    turn=TurnLayout(
        role=ROLE_KEYS,
        roles=ROLE_WORDS,
        text=TEXT_KEYS,
        marks=(_MARKS,),
        id=("id", "message_id", "uuid"),
        time=("timestamp", "createdAt", "created_at", "time", "date"),
        name=("name",),
        model=("model",),
        thoughts=("reasoning", "thinking"),
    ),
    id=("id", "session_id", "sessionId", "conversation_id", "thread_id"),
    title_at=("title", "name", "subject"),
    system=("system_prompt", "systemPrompt", "system"),
    model=("model",),
    may_be_newest_first=True,
    names_speakers=True,
)


_TURNS = replace(_LAYOUT, chats=(), turns=())
"""The same for files that are the turns of a single chat."""


def sniff(source: FileSource) -> float:
    """Return how likely the file holds such chats: possible, or not at all."""
    return _POSSIBLE if _LAYOUT.sniff(source) or _TURNS.sniff(source) else 0.0


def load(source: FileSource) -> Workspace:
    """Return the chats. Raise UnreadableError if there is none."""
    return (_LAYOUT if _LAYOUT.sniff(source) else _TURNS).load(source)


FORMAT = Format(_LAYOUT.name, _LAYOUT.title, sniff, load, _LAYOUT.sign)
