"""Checkpoints as LangGraph's SQLite checkpointer writes them, made without it."""

import json
from typing import Any

import msgspec

from tests.formats.agents.test_agent_databases import Tables

_PYDANTIC, _SNAPSHOT = 5, 7


def human(text: str, id_: str = "") -> dict[str, Any]:
    """The fields of a message of a user."""
    return _fields("human", text, id_)


def ai(text: str, id_: str = "", **more: Any) -> dict[str, Any]:
    """The fields of an answer."""
    return _fields("ai", text, id_, tool_calls=[], invalid_tool_calls=[], usage_metadata=None) | more


def system(text: str, id_: str = "") -> dict[str, Any]:
    """The fields of a system prompt."""
    return _fields("system", text, id_)


def _fields(kind: str, text: str, id_: str, **more: Any) -> dict[str, Any]:
    same = {"content": text, "additional_kwargs": {}, "response_metadata": {}}
    return {**same, "type": kind, "name": None, "id": id_ or text, **more}


def object_of(fields: dict[str, Any]) -> msgspec.msgpack.Ext:
    """An object of LangChain, as MessagePack has it."""
    name = f"{fields['type'].title()}Message"
    held = ["langchain_core.messages", name, fields, "model_validate_json"]
    return msgspec.msgpack.Ext(_PYDANTIC, packed(held))


def snapshot(value: Any) -> msgspec.msgpack.Ext:
    """The whole value of a channel of which otherwise only the writes are saved."""
    return msgspec.msgpack.Ext(_SNAPSHOT, packed(value))


def packed(value: Any) -> bytes:
    """A value as MessagePack."""
    return msgspec.msgpack.encode(value)


def constructed(fields: dict[str, Any]) -> dict[str, Any]:
    """A message as older versions and LangGraph.js write it in JSON."""
    name = f"{fields['type'].title()}Message"
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": fields}


def checkpoint(number: int, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A row of a state, which follows the one of the number before."""
    saved = {"v": 4, "id": f"c{number}", "ts": f"2026-01-02T03:04:{number:02}+00:00", "channel_values": values}
    parent = f"c{number - 1}" if number else None
    row = {"thread_id": "one", "checkpoint_ns": "", "checkpoint_id": f"c{number}", "parent_checkpoint_id": parent}
    held = {"type": "msgpack", "checkpoint": packed({**saved, "channel_versions": dict.fromkeys(values, "1")})}
    return {**row, **held, "metadata": b'{"step": 1}', **more}


def state(number: int, *messages: dict[str, Any], **values: Any) -> dict[str, Any]:
    """A row of a state with messages."""
    return checkpoint(number, {"messages": [object_of(one) for one in messages], **values})


def write(number: int, *messages: dict[str, Any], channel: str = "messages", at: int = 0) -> dict[str, Any]:
    """A row of what a step wrote after a state."""
    row = {"thread_id": "one", "checkpoint_ns": "", "checkpoint_id": f"c{number}", "task_id": "t", "idx": at}
    return {**row, "channel": channel, "type": "msgpack", "value": packed([object_of(one) for one in messages])}


def old(number: int, *messages: dict[str, Any]) -> dict[str, Any]:
    """A row of the first versions, with other ids and JSON."""
    saved = {
        "v": 1,
        "ts": f"2024-01-02T03:04:{number:02}",
        "channel_values": {"messages": [*map(constructed, messages)]},
    }
    parent = f"c{number - 1}" if number else None
    row = {"thread_id": "one", "thread_ts": f"c{number}", "parent_ts": parent}
    return {**row, "checkpoint": json.dumps(saved).encode(), "metadata": b"{}"}


def checkpoints() -> Tables:
    """Two threads: one with a fork and other values, one with a write of a step that was not finished."""
    first = [human("Hi"), ai("Ho")]
    rows = [
        checkpoint(0, {"__start__": {"messages": [["user", "Hi"]]}}),
        state(1, *first[:1]),
        state(2, *first, summary="They greet."),
        state(3, *first, human("Where?")),
        {**state(4, *first, human("When?")), "parent_checkpoint_id": "c2"},
    ]
    return {"checkpoints": rows, "writes": [write(4, ai("Now."))]}
