"""What Cline and Roo showed of a task: `ui_messages.json`, where the messages that were sent are not at hand.

Each record says or asks (`say`, `ask`) something of a kind. Kinds and fields: cline/cline
(`src/shared/ExtensionMessage.ts`) and RooCodeInc/Roo-Code (`packages/types/src/message.ts`). The calls and results are
as the screen names them, and the system prompt and most results are not in the file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, lines_of, workspace_of_sessions
from inspector.formats.content.at import At
from inspector.formats.content.media import picture_of
from inspector.formats.content.turns import identified, result_message
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import first_values
from inspector.model import Call, Message, Part, Result, Role, Text, Thought, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, as_whole, items_of, mapping, parse_time, pure_path, stem

_KINDS = ("say", "ask")
_BY_USER = ("task", "user_feedback", "user_feedback_diff")
_SPOKEN = ("text", "completion_result", "followup", "plan_mode_respond", "act_mode_respond", "new_task", "image")
_WORDS = ("response", "question", "context", "feedback", "diff")
"""Keys of the text in records that hold JSON."""
_CALLS = {
    "tool": "tool",
    "command": "execute_command",
    "use_mcp_server": "use_mcp_server",
    "browser_action": "browser_action",
    "browser_action_launch": "browser_action",
    "use_subagents": "use_subagents",
}
_RESULTS = {
    "command_output": "execute_command",
    "mcp_server_response": "use_mcp_server",
    "browser_action_result": "browser_action",
    "subtask_result": "subtask",
    "codebase_search_result": "codebase_search",
    "subagent": "use_subagents",
}
_SILENT = frozenset(
    (
        *("api_req_started", "api_req_finished", "api_req_retried", "api_req_failed", "api_req_retry_delayed"),
        *("api_req_rate_limited", "api_req_deleted", "deleted_api_reqs", "checkpoint_created", "checkpoint_saved"),
        *("resume_task", "resume_completed_task", "mistake_limit_reached", "auto_approval_max_req_reached"),
        *("shell_integration_warning", "shell_integration_warning_with_suggestion", "mcp_server_request_started"),
        *("mcp_notification", "load_mcp_documentation", "generate_explanation", "info", "task_progress"),
        *("hook_status", "hook_output_stream", "subagent_usage", "conditional_rules_applied", "error", "error_retry"),
        *("diff_error", "clineignore_error", "rooignore_error", "command_permission_denied", "condense_context_error"),
        *("sliding_window_truncation", "user_edit_todos", "browser_session_status", "condense", "summarize_task"),
        "report_bug",
    )
)
_USAGE = {"tokensIn": "input_tokens", "tokensOut": "output_tokens", "cacheReads": "cache_read_input_tokens"}


def sniff(source: FileSource) -> float:
    """Return how likely the file holds what the screen of Cline or Roo showed."""
    try:
        values = first_values(source)
    except UnreadableError:
        return 0.0
    return 0.9 if values and all(map(_is_shown, values)) else 0.0


def _is_shown(value: Any) -> bool:
    return isinstance(value, Mapping) and "ts" in value and value.get("type") in _KINDS and "role" not in value


def is_silent(record: Mapping[str, Any]) -> bool:
    """Return whether a record shows what is no part of the chat, such as the start of a request."""
    return record.get("type") in _KINDS and _kind(record) in _SILENT


def _kind(record: Mapping[str, Any]) -> str:
    return as_text(record.get(as_text(record.get("type"))) or "")


@dataclass(slots=True)
class _Screen:
    """A task while its records are read; `parts` are those of the turn of the assistant that is not finished."""

    session: Session
    left_out: LeftOut
    parts: list[Part] = field(default_factory=list)
    place: str = ""
    time: Any = None
    metadata: dict[str, Any] = field(default_factory=dict)
    output: list[str] = field(default_factory=list)
    answered: str = ""

    def read(self, record: Mapping[str, Any], at: At, is_first: bool) -> None:
        """Read a record."""
        kind = _kind(record)
        if kind not in _RESULTS or _RESULTS[kind] != self.answered:
            self._end_output()
        if kind == "api_req_started":
            self._begin_request(record)
        if kind in _SILENT:
            self.left_out.add(kind, at.place, True)
        elif kind == "condense_context":
            self._compact(record, at)
        elif kind in _BY_USER or (is_first and kind == "text"):
            self._say("user", [Text(_text(record)), *_pictures(record, at)], record, at)
        elif kind in _RESULTS:
            self._begin_output(kind, record, at)
        elif kind in _CALLS or kind in _SPOKEN or kind == "reasoning":
            self._answer(kind, record, at)
        else:
            self.left_out.add(kind, at.place, False)

    def end(self) -> None:
        """Finish the last turn."""
        self._end_output()
        self._end_answer()

    def _begin_request(self, record: Mapping[str, Any]) -> None:
        self._end_answer()
        told = _object(record.get("text"))
        usage = read_usage({name: told[key] for key, name in _USAGE.items() if as_whole(told.get(key)) is not None})
        self.metadata = dict(usage.metadata)

    def _compact(self, record: Mapping[str, Any], at: At) -> None:
        summary = as_text(mapping(record.get("contextCondense")).get("summary") or "")
        if not summary:
            at.below(".contextCondense.summary").note("expected the summary of earlier messages, found none")
            return
        self._end_answer()
        message = Message("", "user", summary, time=parse_time(record.get("ts")))
        self.session.compact(as_text(record.get("ts")), message, at.place)

    def _answer(self, kind: str, record: Mapping[str, Any], at: At) -> None:
        if not self.parts:
            self.place, self.time = at.place, record.get("ts")
        self.parts += _parts(kind, record, at)
        if model := mapping(record.get("modelInfo")).get("modelId"):
            self.metadata["model"] = as_text(model)

    def _end_answer(self) -> None:
        parts = [one for one in self.parts if one not in (Text(), Thought())]
        if parts:
            parts = list(identified(parts, f"{as_text(self.time)}."))
            message = Message("", "assistant", parts=tuple(parts), time=parse_time(self.time), metadata=self.metadata)
            self.session.add(as_text(self.time), [message], self.place)
            self.session.model = as_text(self.metadata.get("model") or "") or self.session.model
            self.metadata = {}
        self.parts = []

    def _begin_output(self, kind: str, record: Mapping[str, Any], at: At) -> None:
        self._end_answer()
        if not self.answered:
            self.place, self.time = at.place, record.get("ts")
        self.answered = _RESULTS[kind]
        if not isinstance(record.get("text"), str):
            at.below(".text").note("expected the text of a result, found none; it was left out")
        self.output.append(as_text(record.get("text") or ""))

    def _end_output(self) -> None:
        """Finish a result, of which several records may show pieces."""
        if text := "\n".join(filter(None, self.output)):
            message = result_message(Result("", self.answered, text), time=parse_time(self.time))
            self.session.add(as_text(self.time), [message], self.place)
        self.output, self.answered = [], ""

    def _say(self, role: Role, parts: list[Part], record: Mapping[str, Any], at: At) -> None:
        self._end_answer()
        parts = [one for one in parts if one != Text()]
        if not parts:
            at.below(".text").note("expected the text of the user, found nothing; the message was left out")
            return
        files = {"files": items_of(record["files"])} if record.get("files") else {}
        message = Message("", role, parts=tuple(parts), time=parse_time(record.get("ts")), metadata=files)
        self.session.add(as_text(record.get("ts")), [message], at.place)


def _parts(kind: str, record: Mapping[str, Any], at: At) -> list[Part]:
    """Return the parts of an answer that a record shows."""
    if kind in _CALLS:
        if not isinstance(record.get("text"), str):
            at.below(".text").note("expected the arguments of a call, found none; it has none")
        told = _object(record.get("text"))
        named = next((told[key] for key in ("tool", "toolName", "action") if isinstance(told.get(key), str)), "")
        return [Call("", as_text(named) or _CALLS[kind], as_text(record.get("text") or ""))]
    told = (record.get("text"), record.get("reasoning"), record.get("images"))
    if kind != "completion_result" and not any(told):
        at.below(".text").note("expected text, found none; the record was left out")
    thought = as_text(record.get("reasoning") or "")
    if kind == "reasoning":
        return [Thought(as_text(record.get("text") or "") or thought)]
    return [Thought(thought), Text(_text(record)), *_pictures(record, at)]


def _pictures(record: Mapping[str, Any], at: At) -> list[Part]:
    images = items_of(record.get("images"))
    return [picture_of(one, at.below(f".images[{number}]")) for number, one in enumerate(images)]


def _text(record: Mapping[str, Any]) -> str:
    """Return the text of a record; of JSON the question, answer or change in it, with the choices that it offers."""
    text = as_text(record.get("text") or "")
    told = _object(text)
    word = next((told[key] for key in _WORDS if isinstance(told.get(key), str)), None)
    if word is None:
        return text
    return "\n".join((as_text(word), *map(as_text, items_of(told.get("options")))))


def _object(text: Any) -> Mapping[str, Any]:
    """Return the object in a text of JSON, an empty one for any other text."""
    try:
        return mapping(json.loads(as_text(text)))
    except (ValueError, RecursionError):
        return {}


def load(source: FileSource) -> Workspace:
    """Return the task as a conversation. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    folder = pure_path(source.path).parent.name
    id_ = folder if stem(source.path) == "ui_messages" and folder.isdecimal() else ""
    screen = _Screen(Session(notes, id_), LeftOut(notes))
    for number, (place, record) in enumerate(lines_of(source, notes)):
        if _is_shown(record):
            screen.read(record, At(notes, place), number == 0)
        else:
            notes.add(place, "expected what the screen showed (ts, type, say or ask); it was left out", "error")
    screen.end()
    words = "has what the screen of Cline or Roo showed; what was sent is in api_conversation_history.json"
    notes.add("", words)
    return workspace_of_sessions([screen.session], source, screen.left_out, notes, "messages of Cline or Roo")


FORMAT = Format(
    "cline_shown",
    "Cline or Roo task, as shown",
    sniff,
    load,
    "records with `ts`, and `say` or `ask`",
    beside=("lastCheckpointHash", "modelInfo"),
    unsent=is_silent,
)
