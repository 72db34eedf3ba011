"""Chatbot UI: the exported history of its versions 2 to 4, and messages of its later database.

Layout: github.com/mckaywrigley/chatbot-ui, `types/export.ts` and `types/chat.ts` (`{version, history[], folders[],
prompts[]}`); since version 2.0 `supabase/migrations/20240108234551_add_messages.sql` and `…_add_chats.sql`.
"""

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.turn_layout import TurnLayout

LAYOUT = ChatLayout(
    name="chatbot_ui",
    title="Chatbot UI export",
    sign="`history` of chats with a `prompt`, `folderId` and `messages`",
    expected="a chat of Chatbot UI (an object with name, prompt and messages)",
    chats=("history", "conversationHistory"),
    marks=("name", "messages", "prompt|folderId|temperature"),
    turns=("messages",),
    turn=TurnLayout(role=("role",), text=("content",)),
    id=("id",),
    title_at=("name",),
    system=("prompt",),
    model=("model.id", "model"),
    window=("model.tokenLimit",),
    no_prompt=("folders", "prompts"),
)
FORMAT = LAYOUT.format

DATABASE = ChatLayout(
    name="chatbot_ui_messages",
    title="Chatbot UI messages",
    sign="rows with `chat_id`, `sequence_number`, `role` and `content`",
    expected="messages of Chatbot UI (chat_id, sequence_number, role and content)",
    group=("chat_id",),
    order=("sequence_number",),
    turn=TurnLayout(
        role=("role",),
        text=("content",),
        marks=("chat_id", "sequence_number"),
        id=("id",),
        time=("created_at",),
        model=("model",),
        pictures=("image_paths",),
    ),
).format
