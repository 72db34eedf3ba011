"""Exports of TypingMind: chats with titles, models and messages in the layout of OpenAI.

Layout: enricoros/big-AGI, `typingmind.parser.ts` and `typingmind.transformer.ts` (its import of these exports).
"""

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.turn_layout import TurnLayout

LAYOUT = ChatLayout(
    name="typingmind",
    title="TypingMind export",
    sign="`data.chats` with `chatID`, `chatTitle` and `messages`",
    expected="a chat of TypingMind (an object with chatID and messages)",
    chats=("data.chats", "chats"),
    marks=("chatID|chatTitle|modelInfo|chatParams",),
    turns=("messages", "chat.messages"),
    turn=TurnLayout(
        role=("role",),
        text=("content",),
        id=("uuid", "id"),
        time=("createdAt", "timestamp"),
        name=("name",),
        model=("model",),
        thoughts=("reasoning_content", "reasoning", "thinking"),
        calls=("tool_calls",),
        answers=("tool_call_id",),
        files=("attachments",),
        usage=("usage",),
    ),
    id=("chatID", "id"),
    title_at=("chatTitle",),
    system=("chatParams.systemMessage", "systemMessage", "character.instruction"),
    model=("model", "modelInfo.id", "selectedModel"),
    no_prompt=("folders", "userPrompts", "userCharacters", "customModels", "installedPlugins", "modelInfo"),
)
FORMAT = LAYOUT.format
