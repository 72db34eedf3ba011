"""Exports of Mistral's Le Chat: the messages of a chat, each with `chatId` and its chunks.

The maker documents no layout; by its files `chat-….json` (help.mistral.ai, "export my data"). The `content` of a
message is its text; its chunks, of the API (docs.mistral.ai/api), have what is more.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.content.at import At
from inspector.formats.content.reader import read_content
from inspector.formats.turn_layout import TurnLayout
from inspector.model import Part, Text


def _chunks(record: Mapping[str, Any], at: At, found: list[Part]) -> Iterable[Part]:
    """Return the parts, and those of the chunks that are no text; all chunks where there is no other text."""
    chunks = read_content(record.get("contentChunks"), at.notes, f"{at.place}.contentChunks")
    has_text = any(isinstance(one, Text) for one in found)
    return [*found, *(one for one in chunks if not (has_text and isinstance(one, Text)))]


LAYOUT = ChatLayout(
    name="le_chat",
    title="Le Chat export (Mistral)",
    sign="messages with `chatId` and `contentChunks`",
    expected="messages of Le Chat (chatId, role and content)",
    group=("chatId",),
    order=("createdAt",),
    turn=TurnLayout(
        role=("role",),
        text=("content",),
        marks=("chatId", "contentChunks|createdAt", "version|reaction|files"),
        id=("id",),
        time=("createdAt",),
        model=("model",),
        files=("files",),
        parts=_chunks,
    ),
)
FORMAT = LAYOUT.format
