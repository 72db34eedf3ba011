"""Backups of Cherry Studio, made of its types: with blocks, and as older versions had the text in the message."""

import json
from typing import Any

ASKED, ANSWERED, BRIEF = "What is the capital of France?", "Paris.", "Answer in one word."
MODEL = {"id": "gpt-4o", "provider": "openai", "name": "GPT-4o", "group": "gpt"}


def block(id_: str, message: str, kind: str, **fields: Any) -> dict[str, Any]:
    """A block of a message."""
    head = {"id": id_, "messageId": message, "type": kind, "createdAt": "2026-01-02T10:00:00.000Z"}
    return {**head, "status": "success", **fields}


def message(id_: str, role: str, *blocks: str, **fields: Any) -> dict[str, Any]:
    """A message that names its blocks."""
    head = {"id": id_, "role": role, "assistantId": "a1", "topicId": "t1", "createdAt": "2026-01-02T10:00:00.000Z"}
    return {**head, "status": "success", "blocks": [*blocks], **fields}


def backup(messages: list[Any], blocks: list[Any], of_topic: str = "", **assistant: Any) -> dict[str, Any]:
    """A backup of version 5 with one topic."""
    topic = {"id": "t1", "assistantId": "a1", "name": "Capital", "messages": [], "prompt": of_topic}
    own = {"id": "a1", "name": "Guide", "prompt": "", "topics": [topic], "type": "assistant", **assistant}
    state = {"assistants": [own], "defaultAssistant": {"id": "default", "prompt": "", "topics": []}}
    persisted = {"assistants": json.dumps(state), "settings": json.dumps({"language": "en"}), "_persist": "{}"}
    return {
        "time": 1767348000000,
        "version": 5,
        "localStorage": {"persist:cherry-studio": json.dumps(persisted), "language": "en-US"},
        "indexedDB": {"topics": [{"id": "t1", "messages": messages}], "message_blocks": blocks, "files": []},
    }


QUESTION = message("m1", "user", "b1")
USED = {"prompt_tokens": 20, "completion_tokens": 2, "total_tokens": 22}
ANSWER = message("m2", "assistant", "b2", "b3", askId="m1", model=MODEL, modelId="gpt-4o", usage=USED)
BLOCKS = [
    block("b1", "m1", "main_text", content=ASKED),
    block("b2", "m2", "thinking", content="Easy.", thinking_millsec=5),
    block("b3", "m2", "main_text", content=ANSWERED),
]
CHERRY = backup([QUESTION, ANSWER], BLOCKS)


def older(id_: str, role: str, content: str, **fields: Any) -> dict[str, Any]:
    """A message as before version 7 of the database."""
    head = {"id": id_, "role": role, "content": content, "assistantId": "a1", "topicId": "t1", "type": "text"}
    return {**head, "createdAt": "2025-01-02T10:00:00.000Z", "status": "success", **fields}


CHERRY_OLD = backup(
    [older("m1", "user", ASKED), older("m2", "assistant", ANSWERED, reasoning_content="Easy.", model=MODEL)], []
)
