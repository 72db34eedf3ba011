"""Exports of Grok: chats whose answers name the message before them, so that every branch is there.

The sender is written in any case (`human`, `ASSISTANT`). The end of the shown branch is seldom named. Exports of
accounts.x.ai name ids `_id` and `id`, and some no message before.
"""

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.turn_layout import TurnLayout

_TURN = TurnLayout(
    role=("response.sender",),
    roles={"human": "user", "assistant": "assistant"},
    text=("response.message",),
    id=("response.response_id", "response._id"),
    parent=("response.parent_response_id",),
    time=("response.create_time",),
    model=("response.model", "response.metadata.requestModelDetails.modelId"),
    thoughts=("response.thinking_trace", "response.steps"),
    pictures=("response.image_attachments", "response.generated_image_urls"),
    files=("response.file_attachments",),
    error=("response.error",),
)
LAYOUT = ChatLayout(
    name="grok",
    title="Grok export",
    sign="`conversations` with a `conversation` and `responses`",
    expected="a chat of Grok (a conversation and its responses)",
    chats=("conversations",),
    marks=("conversation",),
    turns=("responses",),
    turn=_TURN,
    id=("conversation.conversation_id", "conversation.id"),
    title_at=("conversation.title",),
    leaf=("conversation.leaf_response_id",),
)
sniff, load, FORMAT = LAYOUT.sniff, LAYOUT.load, LAYOUT.format
