"""Data exported from chat.deepseek.com: chats of nodes, whose messages are fragments.

The maker documents neither. By its file `conversations.json` (`mapping`, `fragments` of REQUEST, THINK, RESPONSE and
SEARCH; before October 2025 `content` and `reasoning_content`, which name no role: sides take turns), and by the answers
of its `api/v0/chat/history_messages` that extensions save (`data.biz_data` with `chat_session` and `chat_messages`).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.content.at import At
from inspector.formats.content.reader import read_part
from inspector.formats.openai.message import ROLES
from inspector.formats.turn_layout import TurnLayout
from inspector.model import Call, Part, Result, Role, Text, Thought
from inspector.reading.values import as_text, items_of, mapping

_OF_ANSWERS = ("think", "response", "search", "tool_search", "template_response", "tip")
_ROLES: Mapping[str, Role] = {**ROLES, "request": "user", **dict.fromkeys(_OF_ANSWERS, ROLES["assistant"])}
_SEARCH = "search"


def _parts(record: Mapping[str, Any], at: At, found: list[Part]) -> Iterable[Part]:
    """Return the parts with those of fragments, which have all of a message where it has any."""
    inner, path = (record["message"], ".message") if isinstance(record.get("message"), Mapping) else (record, "")
    fragments = items_of(inner.get("fragments"))
    if not fragments:
        return [*_found({"results": inner.get("search_results")}, 0), *found]
    below = at.below(f"{path}.fragments")
    return [part for n, one in enumerate(fragments) for part in _fragment(mapping(one), below.below(f"[{n}]"), n)]


def _fragment(fragment: Mapping[str, Any], at: At, number: int) -> Iterator[Part]:
    kind = as_text(fragment.get("type")).upper()
    text = next((fragment[key] for key in ("content", "text") if key in fragment), None)
    if kind == "THINK" and isinstance(text, str):
        yield Thought(as_text(text))
    elif kind in ("SEARCH", "TOOL_SEARCH") and isinstance(fragment.get("results"), list):
        yield from _found(fragment, number)
    elif isinstance(text, str):
        if kind.lower() not in _ROLES:
            at.note(f"is a fragment of the unknown type {kind[:40] or '(none)'}; it is read as text")
        yield Text(as_text(text))
    elif not fragment.keys() & {"content", "text"} and kind.lower() in _ROLES:
        at.below(".content").note("expected text, found nothing; the fragment is empty")
    elif text is not None or kind.lower() not in _ROLES:
        yield from read_part(fragment, at)


def _found(fragment: Mapping[str, Any], number: int) -> Iterator[Part]:
    """Yield a search and what it found, if it found anything."""
    if items_of(fragment.get("results")):
        name = f"{_SEARCH}{number}"
        yield Call(name, _SEARCH, as_text(fragment.get("queries") or fragment.get("query") or {}))
        yield Result(name, _SEARCH, as_text(fragment["results"]))


LAYOUT = ChatLayout(
    name="deepseek",
    title="DeepSeek export",
    sign="chats with `inserted_at` and a `mapping` of `fragments`",
    expected="a chat of DeepSeek (an object with inserted_at and a mapping, or chat_messages)",
    chats=("data.biz_data", "biz_data", "conversations"),
    turns=("mapping", "chat_messages", "data.biz_data.messages"),
    turn=TurnLayout(
        role=("message.role", "message.author.role", "role", "message.fragments.0.type", "fragments.0.type"),
        roles=_ROLES,
        speakers=("user", "assistant"),
        marks=("message.inserted_at|inserted_at|message.fragments|fragments|message_id",),
        text=("message.content", "content"),
        id=("id", "message_id"),
        parent=("parent", "parent_id"),
        time=("message.inserted_at", "inserted_at"),
        model=("message.model", "model"),
        thoughts=("message.reasoning_content", "thinking_content"),
        files=("message.files", "files"),
        kind=("id",),
        silent=frozenset(("root",)),
        parts=_parts,
    ),
    id=("id", "chat_session.id"),
    title_at=("title", "chat_session.title", "data.biz_data.title"),
    no_prompt=("tips", "feedback"),
    leaf=("current_node", "chat_session.current_message_id"),
)
FORMAT = LAYOUT.format
