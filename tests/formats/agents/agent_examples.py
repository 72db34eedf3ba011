"""Small sessions of coding agents, made of their programs' types: by format and name of file."""

import json
from typing import Any

from tests.formats.agents.goose_and_crush_examples import CRUSH_SHOWN, GOOSE, KIRO

ASKED, ANSWERED = "What is the capital of France?", "Paris."
_AT = "2026-05-01T10:00:0{}.000Z"


def _event(number: int, kind: str, **data: Any) -> dict[str, Any]:
    before = f"e{number - 1}" if number else None
    return {"type": kind, "data": data, "id": f"e{number}", "timestamp": _AT.format(number), "parentId": before}


COPILOT: list[dict[str, Any]] = [
    _event(0, "session.start", sessionId="s1", version=1, producer="copilot-agent", copilotVersion="1.0.95"),
    _event(1, "session.model_change", newModel="gpt-5"),
    _event(2, "user.message", content=ASKED, transformedContent=f"<now/>\n{ASKED}", attachments=[{"path": "a.txt"}]),
    _event(
        3,
        "session.usage_record",
        usage={"apiCallId": "q", "inputTokens": 25, "outputTokens": 6, "maxPromptTokens": 200},
    ),
    _event(
        4,
        "assistant.message",
        messageId="m1",
        content="",
        reasoningText="Look it up.",
        apiCallId="q",
        toolRequests=[{"toolCallId": "c1", "name": "view", "arguments": {"path": "capitals.txt"}, "type": "function"}],
    ),
    _event(5, "tool.execution_complete", toolCallId="c1", success=True, result={"content": "Paris"}),
    _event(
        6, "session.compaction_complete", success=True, summaryContent="Asked for a capital.", preCompactionTokens=9
    ),
    _event(7, "assistant.message", messageId="m2", content=ANSWERED, toolRequests=[], model="gpt-5"),
    _event(8, "session.shutdown", shutdownType="routine"),
]


def _record(number: int, kind: str, **fields: Any) -> dict[str, Any]:
    before = f"u{number - 1}" if number > 1 else None
    head = {"uuid": f"u{number}", "parentUuid": before, "sessionId": "s1", "timestamp": _AT.format(number)}
    return {**head, "type": kind, "cwd": "/home/someone", "version": "0.21.13", **fields}


QWEN: list[dict[str, Any]] = [
    _record(1, "user", message={"role": "user", "parts": [{"text": ASKED}]}),
    _record(
        2,
        "assistant",
        model="qwen3-coder",
        usageMetadata={"promptTokenCount": 20, "candidatesTokenCount": 5, "cachedContentTokenCount": 8},
        message={
            "role": "model",
            "parts": [
                {"text": "Look it up.", "thought": True},
                {"functionCall": {"id": "c1", "name": "read_file", "args": {"path": "capitals.txt"}}},
            ],
        },
    ),
    _record(
        3,
        "tool_result",
        message={
            "role": "user",
            "parts": [{"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "Paris"}}}],
        },
    ),
    _record(4, "assistant", model="qwen3-coder", message={"role": "model", "parts": [{"text": ANSWERED}]}),
    _record(5, "system", subtype="ui_telemetry", systemPayload={"uiEvent": {}}),
    _record(
        6,
        "system",
        subtype="chat_compression",
        systemPayload={
            "info": {"originalTokenCount": 40, "newTokenCount": 12, "compressionStatus": 1},
            "compressedHistory": [
                {"role": "user", "parts": [{"text": "Asked for a capital."}]},
                {"role": "model", "parts": [{"text": "Got it."}]},
                {"role": "model", "parts": [{"text": ANSWERED}]},
            ],
        },
    ),
]

PI: list[dict[str, Any]] = [
    {"type": "session", "version": 3, "id": "p1", "timestamp": _AT.format(0), "cwd": "/home/someone"},
    {
        "type": "model_change",
        "id": "a",
        "parentId": None,
        "timestamp": _AT.format(1),
        "provider": "x",
        "modelId": "gpt-5",
    },
    {
        "type": "message",
        "id": "b",
        "parentId": "a",
        "timestamp": _AT.format(2),
        "message": {"role": "user", "content": [{"type": "text", "text": ASKED}]},
    },
    {
        "type": "message",
        "id": "c",
        "parentId": "b",
        "timestamp": _AT.format(3),
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look it up."},
                {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "capitals.txt"}},
            ],
            "model": "gpt-5",
            "usage": {"input": 12, "output": 7, "cacheRead": 30, "cacheWrite": 0, "totalTokens": 49},
        },
    },
    {
        "type": "message",
        "id": "d",
        "parentId": "c",
        "timestamp": _AT.format(4),
        "message": {
            "role": "toolResult",
            "toolCallId": "c1",
            "toolName": "read",
            "content": [{"type": "text", "text": "Paris"}],
            "isError": False,
        },
    },
    {
        "type": "message",
        "id": "e",
        "parentId": "d",
        "timestamp": _AT.format(5),
        "message": {"role": "assistant", "content": [{"type": "text", "text": ANSWERED}], "model": "gpt-5"},
    },
    {
        "type": "compaction",
        "id": "f",
        "parentId": "e",
        "timestamp": _AT.format(6),
        "summary": "Asked for a capital.",
        "firstKeptEntryId": "e",
        "tokensBefore": 49,
    },
]


def _step(number: int, source: str, kind: str, **fields: Any) -> dict[str, Any]:
    head = {"step_index": number, "source": source, "type": kind, "status": "DONE"}
    return {**head, "created_at": _AT.format(number), **fields}


ANTIGRAVITY: list[dict[str, Any]] = [
    _step(0, "USER_EXPLICIT", "USER_INPUT", content=f"<USER_REQUEST>\n{ASKED}\n</USER_REQUEST>"),
    _step(1, "SYSTEM", "CONVERSATION_HISTORY"),
    _step(
        2,
        "MODEL",
        "PLANNER_RESPONSE",
        thinking="Look it up.",
        tool_calls=[{"name": "view_file", "args": {"AbsolutePath": "/capitals.txt"}}],
    ),
    _step(3, "MODEL", "VIEW_FILE", content="Paris"),
    _step(4, "SYSTEM", "CHECKPOINT", content="{{ CHECKPOINT 0 }} Asked for a capital."),
    _step(5, "MODEL", "PLANNER_RESPONSE", content=ANSWERED),
]

VSCODE: dict[str, Any] = {
    "version": 3,
    "sessionId": "v1",
    "creationDate": 1777629600000,
    "customTitle": "Capitals",
    "requesterUsername": "someone",
    "responderUsername": "GitHub Copilot",
    "initialLocation": "panel",
    "requests": [
        {
            "requestId": "r1",
            "responseId": "a1",
            "timestamp": 1777629601000,
            "modelId": "copilot/gpt-5",
            "message": {"text": ASKED, "parts": [{"text": ASKED, "kind": "text"}]},
            "variableData": {"variables": [{"kind": "file", "name": "capitals.txt"}]},
            "response": [
                {"kind": "mcpServersStarting", "didStartServerIds": []},
                {"kind": "thinking", "value": "Look it up."},
                {"value": "I will "},
                {"value": "look."},
                {
                    "kind": "toolInvocationSerialized",
                    "toolCallId": "g1",
                    "toolId": "copilot_readFile",
                    "resultDetails": {
                        "input": '{"path":"capitals.txt"}',
                        "output": [{"type": "embed", "value": "Paris"}],
                    },
                },
                {"value": ANSWERED},
            ],
        }
    ],
}

_ROUNDS = {
    "toolCallRounds": [
        {
            "id": "round1",
            "response": "I will look.",
            "thinking": {"id": "t", "text": "Look it up."},
            "toolCalls": [{"id": "c1", "name": "read_file", "arguments": '{"path":"capitals.txt"}'}],
        },
        {"id": "round2", "response": ANSWERED, "toolCalls": []},
    ],
    "toolCallResults": {"c1": {"$mid": 20, "content": [{"$mid": 21, "value": "Paris"}]}},
    "summary": {"toolCallRoundId": "round1", "text": "Asked for a capital."},
}
VSCODE_ROUNDS: dict[str, Any] = {
    **VSCODE,
    "requests": [{**VSCODE["requests"][0], "result": {"metadata": _ROUNDS, "timings": {}}}],
}
VSCODE_LOG: list[dict[str, Any]] = [
    {"kind": 0, "v": {**VSCODE, "requests": [], "customTitle": "New chat"}},
    {"kind": 1, "k": ["customTitle"], "v": "Capitals"},
    {"kind": 2, "k": ["requests"], "v": [{**VSCODE["requests"][0], "response": []}]},
    {"kind": 2, "k": ["requests", 0, "response"], "v": VSCODE["requests"][0]["response"][:2]},
    {"kind": 2, "k": ["requests", 0, "response"], "v": VSCODE["requests"][0]["response"][1:], "i": 1},
    {"kind": 3, "k": ["initialLocation"]},
]

REPLAY: dict[str, Any] = {
    "exportedAt": _AT.format(9),
    "totalPrompts": 1,
    "prompts": [
        {
            "prompt": ASKED,
            "model": "gpt-5",
            "logs": [
                {
                    "id": "c1",
                    "kind": "toolCall",
                    "tool": "read_file",
                    "args": '{"path":"capitals.txt"}',
                    "response": ["Paris"],
                },
                {
                    "id": "q1",
                    "kind": "request",
                    "metadata": {"model": "gpt-5", "usage": {"prompt_tokens": 20, "completion_tokens": 2}},
                    "response": {"type": "success", "message": [ANSWERED]},
                },
            ],
        }
    ],
}
_SENT = [
    {"role": 0, "content": [{"type": 1, "text": "Answer in one word."}]},
    {"role": 1, "content": [{"type": 1, "text": ASKED}]},
    {
        "role": 2,
        "content": [],
        "toolCalls": [{"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}],
    },
    {"role": 3, "content": [{"type": 1, "text": "Paris"}], "toolCallId": "c1"},
]
_LOGGED = {**REPLAY["prompts"][0]["logs"][1], "requestMessages": {"messages": _SENT}}
REPLAY_SENT: dict[str, Any] = {**REPLAY, "prompts": [{**REPLAY["prompts"][0], "logs": [_LOGGED]}]}

CURSOR_MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "Answer in one word."},
    {"role": "user", "content": [{"type": "text", "text": ASKED}]},
    {
        "role": "assistant",
        "id": "1",
        "content": [
            {"type": "reasoning", "text": "Look it up."},
            {"type": "tool-call", "toolCallId": "c1", "toolName": "Read", "args": {"path": "capitals.txt"}},
        ],
    },
    {
        "role": "tool",
        "id": "c1",
        "content": [{"type": "tool-result", "toolCallId": "c1", "toolName": "Read", "result": "Paris"}],
    },
    {"role": "assistant", "id": "1", "content": [{"type": "text", "text": ANSWERED}]},
]
CURSOR_LINES: list[dict[str, Any]] = [
    {"role": "user", "message": {"content": [{"type": "text", "text": ASKED}]}},
    {"role": "assistant", "message": {"content": [{"type": "text", "text": ANSWERED}]}},
    {"type": "turn_ended", "status": "success"},
]


def cursor_store(
    messages: list[dict[str, Any]] = CURSOR_MESSAGES, rooted: bool = True
) -> dict[str, list[dict[str, Any]]]:
    """The tables of a store; it may have no root."""
    names = [f"{number + 1:02x}" * 32 for number in range(len(messages))]
    root = b"".join(b"\x0a\x20" + bytes.fromhex(name) for name in names) + b"\x18\x05\x4a\x02hi"
    about = {"agentId": "k1", "latestRootBlobId": "ff" * 32, "name": "Capitals", "lastUsedModel": "gpt-5"}
    blobs = [{"id": name, "data": json.dumps(one).encode()} for name, one in zip(names, messages, strict=True)]
    earlier = {"id": "ee" * 32, "data": json.dumps({"role": "user", "content": "Earlier"}).encode()}
    return {
        "blobs": [*blobs, *([{"id": "ff" * 32, "data": root}, earlier] if rooted else [])],
        "meta": [{"key": "0", "value": json.dumps(about).encode().hex()}],
    }


_CALL = {"type": "function", "id": "c1", "function": {"name": "ReadFile", "arguments": '{"path": "capitals.txt"}'}}
KIMI_CONTEXT: list[dict[str, Any]] = [
    {"role": "_system_prompt", "content": "Answer in one word."},
    {"role": "_checkpoint", "id": 0},
    {"role": "user", "content": ASKED},
    {"role": "assistant", "content": [{"type": "think", "think": "Look it up."}], "tool_calls": [_CALL]},
    {"role": "tool", "content": [{"type": "text", "text": "Paris"}], "tool_call_id": "c1"},
    {"role": "assistant", "content": ANSWERED},
    {"role": "_usage", "token_count": 49},
]


def _loop(number: int, kind: str, **event: Any) -> dict[str, Any]:
    return {"type": "context.append_loop_event", "event": {"type": kind, **event}, "time": 1777629600000 + number}


KIMI_WIRE: list[dict[str, Any]] = [
    {"type": "metadata", "protocol_version": "1.4", "created_at": 1777629600000},
    {"type": "config.update", "systemPrompt": "Answer in one word.", "modelAlias": "kimi-k2", "time": 1777629600001},
    {
        "type": "context.append_message",
        "message": {"role": "user", "content": [{"type": "text", "text": ASKED}], "toolCalls": []},
        "time": 1777629600002,
    },
    _loop(3, "step.begin", uuid="s1"),
    _loop(4, "content.part", part={"type": "think", "think": "Look it up."}),
    _loop(5, "tool.call", toolCallId="c1", name="ReadFile", args={"path": "capitals.txt"}),
    _loop(6, "tool.result", toolCallId="c1", result={"output": "Paris"}),
    _loop(7, "step.end", uuid="s1"),
    _loop(8, "step.begin", uuid="s2"),
    _loop(9, "content.part", part={"type": "text", "text": ANSWERED}),
    _loop(
        10, "step.end", uuid="s2", usage={"inputOther": 12, "output": 7, "inputCacheRead": 30, "inputCacheCreation": 0}
    ),
    {"type": "context.apply_compaction", "summary": "Asked for a capital.", "compactedCount": 3, "time": 1777629600011},
    {"type": "goal.clear", "time": 1777629600012},
]


def _wire(number: int, kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": 1777629600.5 + number, "message": {"type": kind, "payload": payload}}


KIMI_OLD_WIRE: list[dict[str, Any]] = [
    {"type": "metadata", "protocol_version": "1.2"},
    _wire(1, "TurnBegin", user_input=ASKED),
    _wire(2, "StepBegin", n=1),
    _wire(3, "ContentPart", type="think", think="Look it up."),
    _wire(4, "ToolCall", type="function", id="c1", function={"name": "ReadFile", "arguments": '{"path": '}),
    _wire(5, "ToolCallPart", arguments_part='"capitals.txt"}'),
    _wire(6, "ToolResult", tool_call_id="c1", return_value={"is_error": False, "output": "Paris", "message": ""}),
    _wire(7, "StepBegin", n=2),
    _wire(8, "ContentPart", type="text", text=ANSWERED),
    _wire(9, "StatusUpdate", token_usage={"input_other": 12, "output": 7, "input_cache_read": 30}),
    _wire(10, "TurnEnd"),
]

DROID: list[dict[str, Any]] = [
    {"type": "session_start", "id": "d1", "title": "Capitals", "cwd": "/home/someone"},
    {
        "type": "message",
        "id": "m1",
        "timestamp": _AT.format(1),
        "message": {"role": "user", "content": [{"type": "text", "text": ASKED}]},
    },
    {
        "type": "message",
        "id": "m2",
        "timestamp": _AT.format(2),
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look it up.", "signature": "eHk="},
                {"type": "tool_use", "id": "c1", "name": "Read", "input": {"path": "capitals.txt"}},
            ],
        },
    },
    {
        "type": "message",
        "id": "m3",
        "timestamp": _AT.format(3),
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "Paris"}]},
    },
    {
        "type": "message",
        "id": "m4",
        "timestamp": _AT.format(4),
        "message": {"role": "assistant", "content": [{"type": "text", "text": ANSWERED}]},
    },
    {
        "type": "compaction_state",
        "id": "k",
        "timestamp": _AT.format(5),
        "summaryText": "Asked for a capital.",
        "removedCount": 3,
    },
    {"type": "todo_state", "timestamp": _AT.format(6), "todos": []},
]

AMP: dict[str, Any] = {
    "v": 3,
    "id": "T-1",
    "created": 1777629600000,
    "title": "Capitals",
    "messages": [
        {
            "role": "user",
            "messageId": 0,
            "content": [{"type": "text", "text": ASKED}],
            "meta": {"sentAt": 1777629601000},
        },
        {
            "role": "assistant",
            "messageId": 1,
            "content": [
                {"type": "thinking", "thinking": "Look it up.", "signature": "eHk="},
                {"type": "tool_use", "id": "c1", "name": "Read", "input": {"path": "capitals.txt"}, "complete": True},
            ],
            "state": {"type": "complete", "stopReason": "tool_use"},
            "usage": {"model": "claude", "inputTokens": 12, "outputTokens": 7, "cacheReadInputTokens": 30},
        },
        {
            "role": "user",
            "messageId": 2,
            "content": [{"type": "tool_result", "toolUseID": "c1", "run": {"status": "done", "result": "Paris"}}],
        },
        {
            "role": "info",
            "messageId": 3,
            "content": [{"type": "summary", "summary": {"type": "message", "summary": "Asked for a capital."}}],
        },
        {
            "role": "assistant",
            "messageId": 4,
            "content": [{"type": "text", "text": ANSWERED}],
            "state": {"type": "complete"},
        },
    ],
}


def _message(number: int, role: str, *parts: dict[str, Any], **info: Any) -> dict[str, Any]:
    about = {"id": f"msg_{number}", "sessionID": "ses_1", "role": role, "time": {"created": 1777629600000 + number}}
    numbered = [{"id": f"prt_{number}{place}", "messageID": f"msg_{number}", **one} for place, one in enumerate(parts)]
    return {"info": {**about, **info}, "parts": numbered}


_DONE = {"status": "completed", "input": {"path": "capitals.txt"}, "output": "Paris", "time": {"start": 1, "end": 2}}
OPENCODE: dict[str, Any] = {
    "info": {"id": "ses_1", "title": "Capitals", "version": "1.0", "time": {"created": 1777629600000}},
    "messages": [
        _message(1, "user", {"type": "text", "text": ASKED}, model={"providerID": "x", "modelID": "gpt-5"}),
        _message(
            2,
            "assistant",
            {"type": "step-start"},
            {"type": "reasoning", "text": "Look it up."},
            {"type": "tool", "callID": "c1", "tool": "read", "state": _DONE},
            {"type": "step-finish", "reason": "tool-calls"},
            modelID="gpt-5",
            tokens={"input": 12, "output": 7, "reasoning": 3, "cache": {"read": 30, "write": 0}},
        ),
        _message(3, "assistant", {"type": "text", "text": ANSWERED}, modelID="gpt-5"),
        _message(4, "user", {"type": "compaction", "auto": True, "tail_start_id": "msg_3"}),
        _message(5, "assistant", {"type": "text", "text": "Asked for a capital."}, summary=True),
    ],
}


def opencode_tables() -> dict[str, list[dict[str, Any]]]:
    """The same session as the tables of the database."""
    messages = [
        {"id": one["info"]["id"], "session_id": "ses_1", "time_created": place, "data": json.dumps(one["info"])}
        for place, one in enumerate(OPENCODE["messages"])
    ]
    parts = [
        {"id": part["id"], "message_id": one["info"]["id"], "session_id": "ses_1", "data": json.dumps(part)}
        for one in OPENCODE["messages"]
        for part in one["parts"]
    ]
    return {"session": [{"id": "ses_1", "title": "Capitals", "parent_id": None}], "message": messages, "part": parts}


OPENHANDS: list[dict[str, Any]] = [
    {
        "id": "h0",
        "timestamp": "2026-05-01T10:00:00",
        "source": "agent",
        "kind": "SystemPromptEvent",
        "system_prompt": {"type": "text", "text": "Answer in one word."},
        "tools": [{"name": "read", "description": "Reads."}],
    },
    {
        "id": "h1",
        "timestamp": "2026-05-01T10:00:01",
        "source": "user",
        "kind": "MessageEvent",
        "llm_message": {"role": "user", "content": [{"type": "text", "text": ASKED}]},
    },
    {
        "id": "h2",
        "timestamp": "2026-05-01T10:00:02",
        "source": "agent",
        "kind": "ActionEvent",
        "thought": [],
        "reasoning_content": "Look it up.",
        "action": {"kind": "ReadAction", "path": "capitals.txt"},
        "tool_name": "read",
        "tool_call_id": "c1",
        "tool_call": {"id": "c1", "name": "read", "arguments": '{"path": "capitals.txt"}'},
    },
    {
        "id": "h3",
        "timestamp": "2026-05-01T10:00:03",
        "source": "environment",
        "kind": "ObservationEvent",
        "observation": {"kind": "ReadObservation", "content": [{"type": "text", "text": "Paris"}]},
        "action_id": "h2",
        "tool_name": "read",
        "tool_call_id": "c1",
    },
    {
        "id": "h4",
        "timestamp": "2026-05-01T10:00:04",
        "source": "agent",
        "kind": "MessageEvent",
        "llm_message": {"role": "assistant", "content": [{"type": "text", "text": ANSWERED}]},
    },
    {
        "id": "h5",
        "timestamp": "2026-05-01T10:00:05",
        "source": "environment",
        "kind": "Condensation",
        "forgotten_event_ids": ["h1", "h2", "h3"],
        "summary": "Asked for a capital.",
    },
]
_TOLD = {"tool_call_id": "c1", "function_name": "read"}
_READ = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path": "capitals.txt"}'}}
_RESPONSE = {
    "model": "gpt-5",
    "usage": {"prompt_tokens": 20, "completion_tokens": 5},
    "choices": [{"message": {"tool_calls": [_READ]}}],
}
OPENHANDS_OLD: list[dict[str, Any]] = [
    {"id": 0, "source": "agent", "action": "system", "args": {"content": "Answer in one word.", "tools": []}},
    {"id": 1, "timestamp": "2025-05-01T10:00:01", "source": "user", "action": "message", "args": {"content": ASKED}},
    {
        "id": 2,
        "timestamp": "2025-05-01T10:00:02",
        "source": "agent",
        "action": "read",
        "args": {"path": "capitals.txt", "thought": "I will look."},
        "tool_call_metadata": {**_TOLD, "model_response": _RESPONSE},
    },
    {"id": 3, "source": "agent", "cause": 2, "observation": "read", "content": "Paris", "tool_call_metadata": _TOLD},
    {"id": 4, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": {}},
    {"id": 5, "source": "agent", "action": "message", "args": {"content": ANSWERED, "wait_for_response": True}},
    {
        "id": 6,
        "source": "agent",
        "action": "condensation",
        "args": {"forgotten_events_start_id": 1, "forgotten_events_end_id": 3, "summary": "Asked for a capital."},
    },
]

SWE_AGENT: dict[str, Any] = {
    "environment": "main",
    "trajectory": [{"action": "read capitals.txt", "observation": "Paris", "response": "Look.", "thought": "Look."}],
    "history": [
        {"role": "system", "content": "Answer in one word.", "agent": "primary", "message_type": "system_prompt"},
        {"role": "user", "content": ASKED, "agent": "primary", "message_type": "observation", "is_demo": False},
        {
            "role": "assistant",
            "content": "",
            "thought": "Look it up.",
            "action": "read capitals.txt",
            "agent": "primary",
            "tool_calls": [_READ],
            "message_type": "action",
        },
        {
            "role": "tool",
            "content": "Paris",
            "agent": "primary",
            "message_type": "observation",
            "tool_call_ids": ["c1"],
        },
        {"role": "assistant", "content": ANSWERED, "agent": "primary", "message_type": "action"},
    ],
    "info": {"exit_status": "submitted", "model_stats": {"tokens_sent": 1}},
}


def grok_tables() -> dict[str, list[dict[str, Any]]]:
    """The same session as the tables of Grok CLI."""
    messages = [
        {
            "session_id": "g1",
            "seq": place,
            "role": one["role"],
            "message_json": json.dumps(one),
            "created_at": _AT.format(place),
        }
        for place, one in enumerate(CURSOR_MESSAGES)
    ]
    kept = {"session_id": "g1", "id": 1, "first_kept_seq": 4, "summary": "Asked for a capital.", "tokens_before": 9}
    used = {
        "session_id": "g1",
        "message_seq": 4,
        "model": "grok-4",
        "input_tokens": 20,
        "output_tokens": 2,
        "total_tokens": 22,
    }
    return {
        "sessions": [{"id": "g1", "title": "Capitals", "model": "grok-4", "recap_text": None}],
        "messages": messages,
        "compactions": [{**kept, "created_at": _AT.format(9)}],
        "usage_events": [used],
    }


def hermes_tables() -> dict[str, list[dict[str, Any]]]:
    """The same session as the tables of Hermes Agent, with an answer that was taken back."""
    empty = {"session_id": "h1", "tool_call_id": None, "tool_calls": None, "reasoning": None, "active": 1}
    calls = json.dumps([_READ])
    messages = [
        {**empty, "id": 1, "role": "user", "content": ASKED},
        {**empty, "id": 2, "role": "assistant", "content": "Lyon.", "active": 0},
        {**empty, "id": 3, "role": "assistant", "content": None, "tool_calls": calls, "reasoning": "Look it up."},
        {**empty, "id": 4, "role": "tool", "content": "Paris", "tool_call_id": "c1"},
        {**empty, "id": 5, "role": "assistant", "content": ANSWERED},
    ]
    about = {
        "id": "h1",
        "source": "cli",
        "title": "Capitals",
        "model": "hermes-4",
        "system_prompt": "Answer in one word.",
    }
    return {"sessions": [about], "messages": messages}


def openclaw_tables() -> dict[str, list[dict[str, Any]]]:
    """The session of pi as rows of OpenClaw, which were written in another order, and a second session."""
    second = [{**PI[0], "id": "p2"}, {**PI[2], "parentId": None}]
    logs = (("p1", PI), ("p2", second))
    rows = [
        {"session_id": id_, "seq": number, "event_json": json.dumps(one), "created_at": 1}
        for id_, log in logs
        for number, one in enumerate(log)
    ]
    return {"session_windows": [{"session_id": "p1", "session_key": "main"}], "transcript_events": rows[::-1]}


CLAUDE_EVENTS: list[dict[str, Any]] = [
    {"type": "system", "subtype": "init", "session_id": "s1", "model": "claude-x", "tools": ["Read"], "cwd": "/home"},
    {"type": "user", "message": {"role": "user", "content": ASKED}, "parent_tool_use_id": None, "session_id": "s1"},
    {
        "type": "assistant",
        "message": {
            "id": "m1",
            "role": "assistant",
            "model": "claude-x",
            "content": [{"type": "thinking", "thinking": "Look it up."}],
        },
        "parent_tool_use_id": None,
        "session_id": "s1",
    },
    {
        "type": "assistant",
        "message": {
            "id": "m1",
            "role": "assistant",
            "model": "claude-x",
            "content": [{"type": "tool_use", "id": "c1", "name": "Read", "input": {"path": "capitals.txt"}}],
        },
        "parent_tool_use_id": None,
        "session_id": "s1",
    },
    {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "Paris"}]},
        "parent_tool_use_id": None,
        "session_id": "s1",
    },
    {
        "type": "assistant",
        "message": {"id": "m2", "role": "assistant", "content": [{"type": "text", "text": ANSWERED}]},
        "parent_tool_use_id": None,
        "session_id": "s1",
    },
    {"type": "result", "subtype": "success", "is_error": False, "result": ANSWERED, "session_id": "s1"},
]

GEMINI_EVENTS: list[dict[str, Any]] = [
    {"type": "init", "timestamp": _AT.format(0), "session_id": "g1", "model": "gemini-3"},
    {"type": "message", "role": "user", "content": ASKED, "timestamp": _AT.format(1)},
    {
        "type": "tool_use",
        "tool_name": "read_file",
        "tool_id": "c1",
        "parameters": {"path": "capitals.txt"},
        "timestamp": _AT.format(2),
    },
    {"type": "tool_result", "tool_id": "c1", "status": "success", "output": "Paris", "timestamp": _AT.format(3)},
    {"type": "message", "role": "assistant", "content": "Par", "delta": True, "timestamp": _AT.format(4)},
    {"type": "message", "role": "assistant", "content": "is.", "delta": True, "timestamp": _AT.format(4)},
    {"type": "result", "status": "success", "stats": {"total_tokens": 9}, "timestamp": _AT.format(5)},
]

DROID_EVENTS: list[dict[str, Any]] = [
    {"type": "system", "subtype": "init", "session_id": "d1", "model": "droid-model", "cwd": "/home"},
    {"type": "message", "session_id": "d1", "timestamp": _AT.format(1), "role": "user", "text": ASKED, "id": "m1"},
    {
        "type": "tool_call",
        "session_id": "d1",
        "timestamp": _AT.format(2),
        "toolCallId": "c1",
        "toolName": "Read",
        "parameters": {"path": "capitals.txt"},
    },
    {"type": "tool_result", "session_id": "d1", "timestamp": _AT.format(3), "toolCallId": "c1", "value": "Paris"},
    {"type": "completion", "session_id": "d1", "timestamp": _AT.format(4), "finalText": ANSWERED, "id": "end"},
]

CURSOR_EVENTS: list[dict[str, Any]] = [
    {"type": "system", "subtype": "init", "session_id": "c6", "model": "Claude 4", "permissionMode": "default"},
    {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": ASKED}]}, "session_id": "c6"},
    {
        "type": "tool_call",
        "subtype": "started",
        "call_id": "c1",
        "tool_call": {"readToolCall": {"args": {"path": "capitals.txt"}}},
        "session_id": "c6",
    },
    {
        "type": "tool_call",
        "subtype": "completed",
        "call_id": "c1",
        "tool_call": {
            "readToolCall": {
                "args": {"path": "capitals.txt"},
                "result": {"success": {"content": "Paris"}},
            }
        },
        "session_id": "c6",
    },
    {
        "type": "assistant",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "Par"}]},
        "session_id": "c6",
        "timestamp_ms": 1,
    },
    {
        "type": "assistant",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "is."}]},
        "session_id": "c6",
        "timestamp_ms": 2,
    },
    {
        "type": "assistant",
        "message": {"role": "assistant", "content": [{"type": "text", "text": ANSWERED}]},
        "session_id": "c6",
    },
    {"type": "result", "subtype": "success", "is_error": False, "result": ANSWERED, "session_id": "c6"},
]

CODEX_EVENTS: list[dict[str, Any]] = [
    {"type": "thread.started", "thread_id": "t1"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"id": "item_0", "type": "reasoning", "text": "Look it up."}},
    {
        "type": "item.started",
        "item": {
            "id": "item_1",
            "type": "command_execution",
            "command": "cat capitals.txt",
            "aggregated_output": "",
            "exit_code": None,
            "status": "in_progress",
        },
    },
    {
        "type": "item.completed",
        "item": {
            "id": "item_1",
            "type": "command_execution",
            "command": "cat capitals.txt",
            "aggregated_output": "Paris",
            "exit_code": 0,
            "status": "completed",
        },
    },
    {"type": "item.completed", "item": {"id": "item_2", "type": "agent_message", "text": ANSWERED}},
    {"type": "turn.completed", "usage": {"input_tokens": 30, "cached_input_tokens": 8, "output_tokens": 6}},
]

CODEX_OLD_EVENTS: list[dict[str, Any]] = [
    {"model": "gpt-5", "workdir": "/home", "provider": "openai"},
    {"prompt": ASKED},
    {"id": "0", "msg": {"type": "task_started"}},
    {"id": "0", "msg": {"type": "agent_reasoning", "text": "Look it up."}},
    {"id": "0", "msg": {"type": "exec_command_begin", "call_id": "c1", "command": ["cat", "capitals.txt"]}},
    {"id": "0", "msg": {"type": "exec_command_end", "call_id": "c1", "aggregated_output": "Paris", "exit_code": 0}},
    {"id": "0", "msg": {"type": "agent_message", "message": ANSWERED}},
    {"id": "0", "msg": {"type": "task_complete", "last_agent_message": ANSWERED}},
]

GROK_HISTORY: list[dict[str, Any]] = [
    {"type": "system", "content": "You are Grok."},
    {
        "type": "user",
        "content": [{"type": "text", "text": "<user_info>OS: linux</user_info>"}],
        "synthetic_reason": "environment_context",
    },
    {"type": "user", "content": [{"type": "text", "text": ASKED}], "prompt_index": 0},
    {"type": "reasoning", "id": "rs1", "summary": [{"type": "summary_text", "text": "Look it up."}]},
    {
        "type": "assistant",
        "content": "",
        "tool_calls": [{"id": "c1", "name": "read_file", "arguments": '{"path": "capitals.txt"}'}],
        "model_id": "grok-4.5",
    },
    {"type": "tool_result", "tool_call_id": "c1", "content": "Paris"},
    {"type": "assistant", "content": ANSWERED, "tool_calls": [], "model_id": "grok-4.5"},
]

HERMES: dict[str, Any] = {
    "session_id": "h1",
    "model": "gpt-5",
    "platform": "cli",
    "session_start": _AT.format(0),
    "message_count": 4,
    "system_prompt": "You are Hermes.",
    "tools": [{"type": "function", "function": {"name": "read"}}],
    "messages": [
        {"role": "session_meta"},
        {"role": "user", "content": ASKED},
        {
            "role": "assistant",
            "content": "",
            "reasoning": "Look it up.",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "read", "arguments": '{"path": "capitals.txt"}'},
                }
            ],
        },
        {"role": "tool", "content": "Paris", "tool_call_id": "c1"},
        {"role": "assistant", "content": ANSWERED},
    ],
}

CLINE_4: dict[str, Any] = {
    "version": 1,
    "updated_at": "2026-05-01T10:00:00.000Z",
    "agent": "lead",
    "sessionId": "1777000000000_k3x9q",
    "messages": [
        {
            "id": "msg_1",
            "role": "user",
            "content": [{"type": "text", "text": ASKED}],
            "ts": 1777000000000,
        },
        {
            "id": "msg_2",
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look it up.", "signature": "c2ln"},
                {"type": "tool_use", "id": "c1", "name": "read_files", "input": {"paths": ["capitals.txt"]}},
            ],
            "modelInfo": {"id": "model-x", "provider": "anthropic"},
            "metrics": {"inputTokens": 30, "outputTokens": 5, "cacheReadTokens": 20, "cost": 0.1},
            "ts": 1777000001000,
        },
        {
            "id": "msg_3",
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c1",
                    "name": "read_files",
                    "content": [
                        {"type": "text", "text": "Paris"},
                        {"type": "image", "data": "iVBORw0KGgo=", "mediaType": "image/png"},
                        {"type": "image_ref", "blobId": "ab", "mediaType": "image/png", "bytes": 20000},
                    ],
                }
            ],
            "ts": 1777000002000,
        },
        {"id": "msg_4", "role": "assistant", "content": [{"type": "text", "text": ANSWERED}], "ts": 1777000003000},
    ],
    "system_prompt": "Answer in one word.",
}
CLINE_COMPACTION: dict[str, Any] = {
    "version": 1,
    "updated_at": "2026-05-01T10:00:00.000Z",
    "source_message_count": 3,
    "source_prefix_hash": "sha256:0",
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Context summary: France."}], "id": "msg_s"},
        *CLINE_4["messages"][1:3],
    ],
}
ROO_2: dict[str, Any] = {
    "version": 2,
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": f"<task>\n{ASKED}\n</task>"},
                {"type": "text", "text": "<environment_details>\nNothing open\n</environment_details>"},
            ],
            "ts": 1777000000000,
        },
        {
            "type": "reasoning",
            "encrypted_content": "QUJD",
            "summary": [{"type": "summary_text", "text": "Look it up."}],
            "ts": 1777000001000,
        },
        {
            "role": "assistant",
            "content": [
                {"type": "tool-call", "toolCallId": "c1", "toolName": "read_file", "input": {"path": "capitals.txt"}}
            ],
            "ts": 1777000001000,
        },
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolCallId": "c1",
                    "toolName": "read_file",
                    "output": {"type": "text", "value": "Paris"},
                }
            ],
            "ts": 1777000002000,
        },
        {"role": "assistant", "content": [{"type": "text", "text": ANSWERED}], "ts": 1777000003000},
    ],
}
_CALL = {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path":"capitals.txt"}'}}
CONTINUE: dict[str, Any] = {
    "sessionId": "s1",
    "title": "Capital",
    "workspaceDirectory": "file:///home/someone",
    "mode": "agent",
    "chatModelTitle": "model-x",
    "history": [
        {"message": {"role": "user", "content": ASKED, "id": "u1"}, "contextItems": []},
        {"message": {"role": "thinking", "content": "Look it up."}, "contextItems": []},
        {
            "message": {"role": "assistant", "content": "I look.", "toolCalls": [_CALL], "id": "a1"},
            "contextItems": [],
            "toolCallStates": [
                {
                    "toolCallId": "c1",
                    "toolCall": _CALL,
                    "status": "done",
                    "parsedArgs": {"path": "capitals.txt"},
                    "output": [{"name": "capitals.txt", "description": "A file", "content": "Paris"}],
                }
            ],
        },
        {"message": {"role": "assistant", "content": ANSWERED, "id": "a2"}, "contextItems": []},
    ],
}
ARTEFACT: dict[str, Any] = {
    "artifactType": "ARTIFACT_TYPE_TASK",
    "summary": "The capital of France.",
    "updatedAt": "2026-01-07T04:39:32Z",
    "file": "task.md",
    "chat": "c1",
    "content": "- [ ] Look at the map.",
    "earlier": ["task.md.resolved"],
}
"""An artefact of Antigravity, as gathered."""
CLINE_SHOWN: list[dict[str, Any]] = [
    {"ts": 1, "type": "say", "say": "task", "text": ASKED, "images": ["data:image/png;base64,iVBORw0KGgo="]},
    {"ts": 2, "type": "say", "say": "api_req_started", "text": '{"request":"x","tokensIn":20,"tokensOut":5,"cost":0}'},
    {"ts": 3, "type": "say", "say": "reasoning", "text": "Look it up."},
    {"ts": 4, "type": "say", "say": "text", "text": "I look.", "modelInfo": {"modelId": "model-x"}},
    {"ts": 5, "type": "ask", "ask": "command", "text": "cat capitals.txt"},
    {"ts": 6, "type": "say", "say": "command_output", "text": "France:"},
    {"ts": 7, "type": "say", "say": "command_output", "text": "Paris"},
    {"ts": 8, "type": "ask", "ask": "followup", "text": '{"question":"Which France?","options":["Here","There"]}'},
    {"ts": 9, "type": "say", "say": "user_feedback", "text": "Here."},
    {"ts": 10, "type": "say", "say": "completion_result", "text": ANSWERED},
    {"ts": 11, "type": "ask", "ask": "completion_result", "text": ""},
]
CURSOR_TEXT = f"""user:
<user_query>
{ASKED}
</user_query>

assistant:
[Thinking] **Looking**

I look it up:
- in the list
The list has it.
[Tool call] ReadFile
  path: capitals.txt
  limit: 20
[Tool call] Shell
  command: ls

[Tool result] ReadFile

[Tool result] Shell

assistant:
{ASKED[:4]} is asked.

user:
<user_query>
And?
</user_query>

assistant:
[Thinking]
{ANSWERED}
"""
EXAMPLES: dict[str, dict[str, Any]] = {
    "copilot_cli": {"events.jsonl": COPILOT},
    "qwen_code": {"session.jsonl": QWEN},
    "pi": {"session.jsonl": PI},
    "antigravity": {"transcript.jsonl": ANTIGRAVITY},
    "vscode_chat": {"session.json": VSCODE, "rounds.json": VSCODE_ROUNDS, "session.jsonl": VSCODE_LOG},
    "chat_replay": {"replay.json": REPLAY, "sent.json": REPLAY_SENT},
    "cursor_cli": {"transcript.jsonl": CURSOR_LINES},
    "kimi": {"context.jsonl": KIMI_CONTEXT, "wire.jsonl": KIMI_WIRE, "older.jsonl": KIMI_OLD_WIRE},
    "droid": {"session.jsonl": DROID},
    "amp": {"T-1.json": AMP},
    "opencode": {"session.json": OPENCODE},
    "openhands": {
        "events.json": OPENHANDS,
        "events.jsonl": OPENHANDS,
        "trajectory.json": {"trajectory": OPENHANDS_OLD},
    },
    "swe_agent": {"task.traj": SWE_AGENT},
    "agent_events": {
        "claude.jsonl": CLAUDE_EVENTS,
        "gemini.jsonl": GEMINI_EVENTS,
        "droid.jsonl": DROID_EVENTS,
        "cursor.jsonl": CURSOR_EVENTS,
        "array.json": CLAUDE_EVENTS,
    },
    "grok_history": {"chat_history.jsonl": GROK_HISTORY},
    "cline_session": {"s.messages.json": CLINE_4, "gathered.json": {**CLINE_4, "compaction": CLINE_COMPACTION}},
    "hermes": {"session.json": HERMES},
    "continue": {"session.json": CONTINUE},
    "goose": GOOSE,
    "crush": {"session.json": CRUSH_SHOWN},
    "kiro": {"session.jsonl": KIRO},
    "codex_exec": {"exec.jsonl": CODEX_EVENTS, "older.jsonl": CODEX_OLD_EVENTS},
}
