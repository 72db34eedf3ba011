"""Small sessions of Goose and Crush, made of their types: logs, exports and tables."""

import base64
import json
from typing import Any

ASKED, ANSWERED, SUMMARY = "What is the capital of France?", "Paris.", "Asked for a capital."
PIXEL = "iVBORw0KGgo="
SEEN = {"userVisible": True, "agentVisible": True}
HIDDEN = {"userVisible": True, "agentVisible": False}
FOR_AGENT = {"userVisible": False, "agentVisible": True}
_CALL = {"name": "developer__text_editor", "arguments": {"path": "capitals.txt"}}
_TEXT = {"type": "text", "text": "Paris", "annotations": {"audience": ["assistant"]}}
_SHOWN = {"type": "text", "text": "```\nParis\n```", "annotations": {"audience": ["user"], "priority": 0.0}}


def said(number: int, role: str, *blocks: dict[str, Any], **seen: bool) -> dict[str, Any]:
    """A message of Goose."""
    metadata = {"metadata": seen} if seen else {}
    return {"id": f"m{number}", "role": role, "created": 1754043300 + number, "content": list(blocks), **metadata}


def text(written: str) -> dict[str, Any]:
    return {"type": "text", "text": written}


def _talk(value: Any, then: dict[str, bool]) -> list[dict[str, Any]]:
    request = {"type": "toolRequest", "id": "c1", "toolCall": {"status": "success", "value": _CALL}}
    response = {"type": "toolResponse", "id": "c1", "toolResult": {"status": "success", "value": value}}
    thought = {"type": "thinking", "thinking": "Look it up.", "signature": "s"}
    return [
        said(1, "user", text(ASKED), **then),
        said(2, "assistant", thought, request, **then),
        said(3, "user", response, **then),
    ]


GOOSE_HEADER: dict[str, Any] = {
    "working_dir": "/w",
    "description": "Capitals",
    "schedule_id": None,
    "message_count": 4,
    "total_tokens": 22,
    "input_tokens": 20,
    "output_tokens": 2,
    "accumulated_total_tokens": 50,
    "accumulated_input_tokens": 40,
    "accumulated_output_tokens": 10,
}
GOOSE_LOG: list[dict[str, Any]] = [GOOSE_HEADER, *_talk([_TEXT, _SHOWN], {}), said(4, "assistant", text(ANSWERED))]
GOOSE_MESSAGES: list[dict[str, Any]] = [
    *_talk({"content": [_TEXT, _SHOWN], "isError": False}, HIDDEN),
    said(4, "user", text(SUMMARY), **FOR_AGENT),
    said(5, "assistant", text("Your context was compacted."), **FOR_AGENT),
    said(6, "assistant", text(ANSWERED), **SEEN),
]
GOOSE_EXPORT: dict[str, Any] = {
    "id": "20260501_1",
    "working_dir": "/w",
    "name": "Capitals",
    "session_type": "user",
    "created_at": "2026-05-01T10:00:00Z",
    "extension_data": {"todo.v0": {"content": "- [ ] look"}},
    "input_tokens": 20,
    "output_tokens": 2,
    "recipe": None,
    "conversation": GOOSE_MESSAGES,
    "message_count": 6,
    "provider_name": "anthropic",
    "model_config": {"model_name": "claude-x", "context_limit": 200000},
}
GOOSE_EVENTS: list[dict[str, Any]] = [
    *({"type": "message", "message": one} for one in [*_talk([_TEXT], SEEN), said(4, "assistant", text(ANSWERED))]),
    {"type": "complete", "total_tokens": 22},
]


def goose_tables() -> dict[str, list[dict[str, Any]]]:
    """The same session as the tables of Goose."""
    rows = [
        {
            "id": number,
            "message_id": one["id"],
            "session_id": "g1",
            "role": one["role"],
            "content_json": json.dumps(one["content"]),
            "created_timestamp": one["created"],
            "timestamp": "2026-05-01 10:00:00",
            "tokens": None,
            "metadata_json": json.dumps(one["metadata"]),
        }
        for number, one in enumerate(GOOSE_MESSAGES, 1)
    ]
    about = {
        "id": "g1",
        "name": "Capitals",
        "description": "",
        "working_dir": "/w",
        "extension_data": "{}",
        "input_tokens": 20,
        "output_tokens": 2,
        "recipe_json": json.dumps({"title": "t", "description": "d", "instructions": "Answer in one word."}),
        "model_config_json": json.dumps({"model_name": "claude-x", "context_limit": None}),
    }
    return {"sessions": [about], "messages": rows}


CRUSH_PARTS: dict[str, list[dict[str, Any]]] = {
    "user": [{"type": "text", "data": {"text": ASKED}}],
    "assistant": [
        {"type": "reasoning", "data": {"thinking": "Look it up.", "signature": "", "started_at": 1}},
        {
            "type": "tool_call",
            "data": {"id": "c1", "name": "view", "input": '{"file_path":"capitals.txt"}', "finished": True},
        },
        {"type": "finish", "data": {"reason": "tool_use", "time": 1}},
    ],
    "tool": [
        {
            "type": "tool_result",
            "data": {"tool_call_id": "c1", "name": "view", "content": "Paris", "metadata": "{}", "is_error": False},
        }
    ],
}
_ENDED = {"type": "finish", "data": {"reason": "end_turn", "time": 2}}


def crush_row(number: int, role: str, parts: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A message of Crush as a row."""
    head = {"id": f"m{number}", "session_id": "s1", "role": role, "parts": json.dumps(parts), "model": "gpt-x"}
    times = {"created_at": 1754043300, "updated_at": 1754043300, "finished_at": None}
    return {**head, **times, "provider": "openai", "is_summary_message": 0, **fields}


def crush_tables(*rows: dict[str, Any], summary: str | None = "m4") -> dict[str, list[dict[str, Any]]]:
    """A session as the tables of Crush, with a summary."""
    found = [crush_row(number, role, parts) for number, (role, parts) in enumerate(CRUSH_PARTS.items(), 1)]
    summed = [{"type": "text", "data": {"text": SUMMARY}}, _ENDED]
    answer = [{"type": "text", "data": {"text": ANSWERED}}, _ENDED]
    found.append(crush_row(4, "assistant", summed, is_summary_message=1))
    found.append(crush_row(5, "assistant", answer))
    about = {"id": "s1", "parent_session_id": None, "title": "Capitals", "prompt_tokens": 20, "completion_tokens": 2}
    return {"sessions": [{**about, "summary_message_id": summary}], "messages": [*found, *rows]}


def _flat(part: dict[str, Any]) -> dict[str, Any]:
    data = {("tool_call_id" if key == "id" else key): value for key, value in part["data"].items()}
    kept = ("text", "thinking", "tool_call_id", "name", "input", "content", "reason")
    return {"type": part["type"], **{key: data[key] for key in kept if data.get(key)}}


CRUSH_SHOWN: dict[str, Any] = {
    "meta": {
        "id": "ab12",
        "uuid": "s1",
        "title": "Capitals",
        "created": "2026-05-01T10:00:00Z",
        "modified": "2026-05-01T10:00:00Z",
        "cost": 0.1,
        "prompt_tokens": 20,
        "completion_tokens": 2,
        "total_tokens": 22,
    },
    "messages": [
        {"id": f"m{number}", "role": role, "created": "2026-05-01T10:00:00Z", "parts": [_flat(one) for one in parts]}
        for number, (role, parts) in enumerate(
            [*CRUSH_PARTS.items(), ("assistant", [{"type": "text", "data": {"text": ANSWERED}}, _ENDED])]
        )
    ],
}
TEXT_FILE = {"Path": "notes.md", "MIMEType": "text/markdown", "Data": base64.b64encode(b"A note.").decode()}
"""The data of an attachment of Crush."""

_TOLD = {"name": "developer__text_editor", "arguments": json.dumps(_CALL["arguments"])}
_SENT: list[dict[str, Any]] = [
    {"role": "user", "content": ASKED},
    {
        "role": "assistant",
        "reasoning_content": "Look it up.",
        "tool_calls": [{"id": "c1", "type": "function", "function": _TOLD}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "Paris"},
]
GOOSE_REQUEST: list[dict[str, Any]] = [
    {
        "model_config": {"model_name": "gpt-x", "context_limit": 128000},
        "input": {"model": "gpt-x", "messages": _SENT, "stream": True},
    },
    {"data": {**said(4, "assistant", text(ANSWERED)), "metadata": SEEN}, "usage": None},
    {"data": None, "usage": {"input_tokens": 20, "output_tokens": 2, "total_tokens": 22}},
]

GOOSE = {
    "llm_request.0.jsonl": GOOSE_REQUEST,
    "log.jsonl": GOOSE_LOG,
    "export.json": GOOSE_EXPORT,
    "events.jsonl": GOOSE_EVENTS,
    "printed.json": {"messages": [one["message"] for one in GOOSE_EVENTS[:-1]]},
}
"""Files of Goose by their names."""


def kiro_line(kind: str, number: int, *content: dict[str, Any], **meta: Any) -> dict[str, Any]:
    """A line of the journal of Kiro CLI."""
    told = {"meta": meta} if meta else {}
    return {"version": "v1", "kind": kind, "data": {"message_id": f"k{number}", "content": [*content], **told}}


_CAPITALS = {"path": "capitals.txt", "__tool_use_purpose": "Look"}
KIRO: list[dict[str, Any]] = [
    kiro_line("Prompt", 1, {"kind": "text", "data": ASKED}, timestamp=1780841667),
    kiro_line(
        "AssistantMessage",
        2,
        {"kind": "thinking", "data": {"text": "Look it up.", "signature": "x", "modelId": "claude-x"}},
        {"kind": "toolUse", "data": {"toolUseId": "c1", "name": "read", "input": _CAPITALS}},
    ),
    kiro_line(
        "ToolResults",
        3,
        {"kind": "toolResult", "data": {"toolUseId": "c1", "content": [{"kind": "text", "data": "Paris"}]}},
    ),
    kiro_line("AssistantMessage", 4, {"kind": "text", "data": ANSWERED}),
]
