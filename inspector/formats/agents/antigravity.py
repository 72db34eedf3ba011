"""Transcripts of Google Antigravity: a step on each line, with its source, its type and its content.

Layout: specstoryai/getspecstory, `specstory-cli/pkg/providers/antigravitycli/ANTIGRAVITY-FORMAT.md`. The result of a
tool is the step after its call, and names no call. `transcript.jsonl` has the values of arguments as JSON texts,
`transcript_full.jsonl` as they are. A CHECKPOINT stands for all earlier steps.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from inspector.formats.agents.session import (
    LeftOut,
    Session,
    lines_of,
    sure_of,
    thoughts_in,
    turn,
    workspace_of_sessions,
)
from inspector.formats.content.turns import result_message
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.model import Call, Message, Result, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping, objects, parse_time, pure_path

_SOURCES = frozenset(("USER_EXPLICIT", "USER_IMPLICIT", "MODEL", "SYSTEM", "SYSTEM_SDK"))
_SILENT = frozenset(("CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE"))
_REQUEST = re.compile(r"<USER_REQUEST>\n?(.*?)\n?</USER_REQUEST>", re.DOTALL)
_MODEL = re.compile(r"`Model Selection` from .{1,100}? to (.{1,100}?)\.(?:\s|<|$)")
_HIDDEN = ".system_generated"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds the steps of a conversation."""
    return sure_of(source, _is_step)


def _is_step(record: Mapping[str, Any]) -> bool:
    return {"step_index", "type"} <= record.keys() and record.get("source") in list(_SOURCES)


class _Log:
    """A conversation while it is read."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.session = Session(notes, _id_in(notes.file))
        self.left_out = LeftOut(notes)
        self.wrapped = 0

    def read(self, record: Mapping[str, Any], place: str) -> None:
        """Read a step."""
        kind, source = as_text(record.get("type")), as_text(record.get("source"))
        if kind == "CHECKPOINT":
            if not record.get("content"):
                self.notes.add(f"{place}.content", "expected the summary of earlier steps, found none; it is empty")
            summary = Message("", "user", as_text(record.get("content", "")), time=parse_time(record.get("created_at")))
            self.session.compact(_name(record), summary, place)
        elif kind == "PLANNER_RESPONSE":
            self._add(record, self._answer(record, place), place)
        elif kind == "USER_INPUT" or source.startswith("USER"):
            self._add(record, self._request(record, place), place)
        elif kind in _SILENT and not record.get("content"):
            self.left_out.add(kind, f"{place}.type", True)
        elif source == "MODEL":
            self._add(record, [self._result(record, kind, place)], place)
        elif source.startswith("SYSTEM"):
            time = record.get("created_at")
            found = turn("system", record.get("content"), self.notes, f"{place}.content", time=time)
            self._add(record, found, place)
        else:
            self.left_out.add(kind, f"{place}.type", False)

    def _add(self, record: Mapping[str, Any], messages: list[Message], place: str) -> None:
        self.session.add(_name(record), messages, place)

    def _request(self, record: Mapping[str, Any], place: str) -> list[Message]:
        """Return a request without the blocks that the program puts around it."""
        content = record.get("content")
        if isinstance(content, str) and (asked := _REQUEST.search(content)):
            if model := _MODEL.search(content):
                self.session.model = as_text(model[1])
            self.wrapped += bool(content.replace(asked[0], "").strip())
            content = asked[1]
        return turn("user", content, self.notes, f"{place}.content", time=record.get("created_at"))

    def _answer(self, record: Mapping[str, Any], place: str) -> list[Message]:
        calls = [
            Call(as_text(call.get("id")), as_text(call.get("name")), as_text(_arguments(call.get("args"))))
            for call in objects(record.get("tool_calls"))
        ]
        return turn(
            "assistant",
            record.get("content"),
            self.notes,
            f"{place}.content",
            time=record.get("created_at"),
            about=f"{_name(record)}.",
            before=thoughts_in(record, ("thinking",), self.notes, place),
            after=calls,
        )

    def _result(self, record: Mapping[str, Any], kind: str, place: str) -> Message:
        if "content" not in record and record.get("status") == "DONE":
            self.notes.add(place, "expected the content of a result, found nothing; it is empty")
        result = Result("", "", as_text(record.get("content", "")))
        failed = {"is_error": True} if record.get("status") == "ERROR" else {}
        return result_message(result, name=kind.lower(), time=parse_time(record.get("created_at")), metadata=failed)


def _name(record: Mapping[str, Any]) -> str:
    return f"step{as_text(record.get('step_index'))}"


def _arguments(told: Any) -> Any:
    """Return the arguments of a call; those that are each JSON texts are decoded."""
    held = mapping(told)
    texts = [value for value in held.values() if isinstance(value, str)]
    if not texts or len(texts) < len(held) or not any(text.startswith('"') for text in texts):
        return told
    try:
        return {key: json.loads(value) for key, value in held.items()}
    except (ValueError, RecursionError):
        return told


def _id_in(path: str) -> str:
    """Return the id of the conversation, which is the name of its folder; "" if the file is not in such a folder."""
    parts = pure_path(path).parts
    place = parts.index(_HIDDEN) if _HIDDEN in parts else 0
    return parts[place - 1] if place else ""


def load(source: FileSource) -> Workspace:
    """Return the conversation. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    log = _Log(notes)
    for place, record in lines_of(source, notes):
        log.read(record, place)
    if log.wrapped:
        words = f"{log.wrapped:,} requests were sent with blocks of the program (time, settings) that are not shown"
        notes.add("", words, "info")
    return workspace_of_sessions([log.session], source, log.left_out, notes, "steps of Antigravity with content")


def _is_wrapped(record: Mapping[str, Any]) -> bool:
    """Return whether a record is a request with blocks of the program around it, which are said but not shown."""
    content = record.get("content")
    return "step_index" in record and isinstance(content, str) and bool(_REQUEST.search(content))


FORMAT = Format(
    "antigravity",
    "Antigravity transcript",
    sniff,
    load,
    "lines with `step_index`, `source` and `type`",
    unsent=_is_wrapped,
)
