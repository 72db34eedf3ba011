"""Backups of NextChat (ChatGPT-Next-Web): sessions with a mask, whose context goes ahead of the messages.

Layout: github.com/ChatGPTNextWeb/NextChat, `app/store/chat.ts` (`ChatSession`, `ChatMessage`), `app/store/mask.ts`; the
backup of `app/utils/sync.ts` has each store under its key. The state of a browser's storage wraps them in `state`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.content.at import At
from inspector.formats.openai.message import read_call
from inspector.formats.turn_layout import TurnLayout
from inspector.model import Part, Result
from inspector.reading.values import as_text, objects

_STORE = "chat-next-web-store"


def _with_tools(record: Mapping[str, Any], at: At, found: list[Part]) -> Iterable[Part]:
    """Return the parts after the calls of tools and their results, which came before the answer."""
    before: list[Part] = []
    for number, tool in enumerate(objects(record.get("tools"))):
        call = read_call(tool, at.notes, f"{at.place}.tools[{number}]")
        before.append(call)
        if told := tool.get("content") or tool.get("errorMsg"):
            before.append(Result(call.id, call.name, as_text(told)))
    return [*before, *found]


LAYOUT = ChatLayout(
    name="nextchat",
    title="NextChat backup",
    sign="`chat-next-web-store` with `sessions` of a `topic` and a `mask`",
    expected="a session of NextChat (an object with topic, mask and messages)",
    chats=(f"{_STORE}.sessions", f"{_STORE}.state.sessions", "state.sessions", "sessions"),
    marks=("topic", "mask|stat|memoryPrompt"),
    before=("mask.context",),
    turns=("messages",),
    turn=TurnLayout(
        role=("role",),
        text=("content",),
        id=("id",),
        time=("date",),
        model=("model",),
        parts=_with_tools,
    ),
    id=("id",),
    title_at=("topic",),
    model=("mask.modelConfig.model",),
    memory=("memoryPrompt",),
    no_prompt=(
        *("access-control", "app-config", "mask-store", "prompt-store", "plugin-store", "chat-next-web-plugin"),
        *("chat-update", "mcp-store", "sd-list", "sync", "lastInput", "template"),
    ),
)
FORMAT = LAYOUT.format
