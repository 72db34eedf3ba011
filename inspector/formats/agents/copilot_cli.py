"""Sessions of GitHub Copilot CLI: `events.jsonl` of `~/.copilot/session-state/ID`, also written by VS Code's agents.

Layout: github/copilot-sdk, `nodejs/src/generated/session-events.ts`. Each line is `{type, data, id, timestamp,
parentId}`, where the parent is the line before it. The turns of sub-agents name the call that began them, and are
conversations of their own. A message that was sent with more around it is shown as typed, which is said.
"""

from collections.abc import Callable, Mapping
from typing import Any

from inspector.figures import counted
from inspector.formats.agents.session import (
    LeftOut,
    Session,
    lines_of,
    sure_of,
    thoughts_in,
    turn,
    usage_metadata,
    workspace_of_sessions,
)
from inspector.formats.content.at import At
from inspector.formats.content.media import medium_of
from inspector.formats.content.reader import read_result
from inspector.formats.content.turns import result_message
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.model import Call, Message, Part, Thought, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, mapping, objects, parse_time

_FAMILIES = (
    *("session.", "subagent.", "hook.", "skill.", "permission.", "mcp.", "mcp_app.", "model.", "external_tool."),
    *("command.", "commands.", "elicitation.", "sampling.", "canvas.", "exit_plan_mode.", "user_input.", "auto_mode"),
    *("custom_", "factory.", "assistant.fusion_", "capabilities.", "extensions.", "binary_asset", "ui."),
)
"""The beginnings of the types of events that are never messages."""
_SILENT = frozenset(
    (
        *("assistant.turn_start", "assistant.turn_end", "assistant.intent", "assistant.idle", "abort"),
        *("assistant.reasoning", "assistant.reasoning_delta", "assistant.streaming_delta", "assistant.tool_call_delta"),
        *("assistant.message_start", "assistant.message_delta", "assistant.server_tool_progress"),
        *("tool.execution_progress", "tool.execution_partial_result", "tool.user_requested"),
        *("tool_search.activated", "system.notification", "pending_messages.modified"),
    )
)
"""Events beside the messages: signs of progress, and pieces of what a whole message repeats."""
_OF_PERSONS = frozenset(("", "user"))
_AGENT = "agent-"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds events of Copilot CLI."""
    return sure_of(source, _is_event) if source.shape in ("json_lines", "json") else 0.0


def _is_event(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str) or not isinstance(record.get("data"), Mapping) or "timestamp" not in record:
        return False
    data = record["data"]
    if kind == "session.start":
        return bool(data.keys() & {"copilotVersion", "producer"})
    return "parentId" in record and (kind in _READ or kind in ("assistant.turn_start", "tool.execution_start"))


class _Log:
    """The sessions of a file while it is read: the agent's own, and those of its sub-agents by the call of each."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.main = Session(notes)
        self.subs: dict[str, Session] = {}
        self.left_out = LeftOut(notes)
        self.wrapped = 0
        self._answers: dict[str, tuple[Session, str]] = {}
        self._usage: dict[str, Any] = {}
        self._names: dict[str, str] = {}
        self._systems: set[str] = set()
        self._begun: dict[str, str] = {}

    def read(self, record: Mapping[str, Any], place: str) -> None:
        """Read an event."""
        kind, data = as_text(record.get("type")), mapping(record.get("data"))
        if kind in _READ:
            _READ[kind](self, {**record, "data": data}, f"{place}.data")
        else:
            self.left_out.add(kind, f"{place}.type", kind in _SILENT or kind.startswith(_FAMILIES))

    def _session(self, record: Mapping[str, Any]) -> Session:
        data = record["data"]
        source = as_text(data.get("source"))
        agent = source.removeprefix(_AGENT) if source.startswith(_AGENT) else ""
        key = as_text(data.get("parentToolCallId")) or as_text(record.get("agentId")) or agent
        if not key:
            return self.main
        return self.subs.setdefault(key, Session(self.notes, f"{self.main.id}/{key}"))

    def _start(self, record: Mapping[str, Any], _place: str) -> None:
        data = record["data"]
        self.main.id = as_text(data.get("sessionId")) or self.main.id
        self.main.model = as_text(data.get("selectedModel")) or self.main.model

    def _model(self, record: Mapping[str, Any], _place: str) -> None:
        self.main.model = as_text(record["data"].get("newModel")) or self.main.model

    def _title(self, record: Mapping[str, Any], _place: str) -> None:
        self.main.title = as_text(record["data"].get("title")) or self.main.title

    def _system(self, record: Mapping[str, Any], place: str) -> None:
        """Take the system prompt, which is sent again with each request."""
        text, session = as_text(record["data"].get("content")), self._session(record)
        if session is self.main and text and self._systems and text not in self._systems:
            self.notes.add(f"{place}.content", "is another system prompt than before; the last one is shown", "info")
        self._systems.add(text)
        session.system = text or session.system

    def _user(self, record: Mapping[str, Any], place: str) -> None:
        data = record["data"]
        content, at = data.get("content"), f"{place}.content"
        sent = data.get("transformedContent")
        if content in (None, "") and isinstance(sent, str):
            content, at = sent, f"{place}.transformedContent"
        elif isinstance(sent, str) and sent != content:
            self.wrapped += 1
        attached = objects(data.get("attachments"))
        seen = [
            medium_of("file", one, At(self.notes, f"{place}.attachments[{n}]"))
            for n, one in enumerate(attached)
            if as_text(one.get("type")) in ("blob", "image") or "data" in one
        ]
        source = as_text(data.get("source"))
        metadata = {
            "files": [name for one in attached if (name := as_text(one.get("path") or one.get("displayName")))],
            "source": "" if source in _OF_PERSONS else source,
        }
        time = record.get("timestamp")
        self._add(record, turn("user", content, self.notes, at, time=time, after=seen, metadata=metadata), place)

    def _assistant(self, record: Mapping[str, Any], place: str) -> None:
        data = record["data"]
        metadata, thoughts = usage_metadata(self._usage.pop(as_text(data.get("apiCallId")), None), data.get("model"))
        output = as_whole(data.get("outputTokens"))
        if output and "recorded_tokens" not in metadata:
            told, _ = usage_metadata({"output_tokens": output})
            metadata = {**told, **metadata}
        found = turn(
            "assistant",
            data.get("content"),
            self.notes,
            f"{place}.content",
            time=record.get("timestamp"),
            before=self._thoughts(data, place),
            after=[self._call(call) for call in objects(data.get("toolRequests"))],
            metadata=metadata,
            thoughts=thoughts,
        )
        session = self._add(record, found, place)
        if found:
            session.model = as_text(data.get("model")) or session.model

    def _thoughts(self, data: Mapping[str, Any], place: str) -> list[Part]:
        """Return the summary of the reasoning, and the encrypted one that is sent back."""
        key = next((key for key in ("reasoningOpaque", "encryptedContent") if isinstance(data.get(key), str)), "")
        sealed = At(self.notes, place).source(f".{key}") if key and data[key] else None
        told = thoughts_in(data, ("reasoningText",), self.notes, place)
        if told:
            return [changed(one, place=sealed) for one in told if isinstance(one, Thought)]
        return [Thought("", True, bytes=len(data[key]), place=sealed)] if sealed else []

    def _call(self, call: Mapping[str, Any]) -> Call:
        id_, name = as_text(call.get("toolCallId")), as_text(call.get("name"))
        self._names[id_] = name
        return Call(id_, name, as_text(call.get("arguments", "")))

    def _begin(self, record: Mapping[str, Any], place: str) -> None:
        """Read the beginning of a call, which repeats what a message asks for."""
        data = record["data"]
        id_ = as_text(data.get("toolCallId"))
        self._names.setdefault(id_, as_text(data.get("toolName")))
        self._begun[id_] = place
        self.left_out.add("tool.execution_start", place, True)

    def note_begun(self) -> None:
        """Note the calls that began without a message that asks for them."""
        called = {id_ for session in (self.main, *self.subs.values()) for id_ in session.called}
        places = [place for id_, place in self._begun.items() if id_ not in called]
        if places:
            self.notes.add(places[0], f"{counted(len(places), 'call')} began that no message asks for; left out")

    def _result(self, record: Mapping[str, Any], place: str) -> None:
        data = record["data"]
        id_ = as_text(data.get("toolCallId"))
        answer, error = data.get("result"), mapping(data.get("error"))
        told = mapping(answer).get("content", answer) if answer is not None else error.get("message")
        held = {"content": told, "toolCallId": id_, "toolName": self._names.get(id_) or as_text(data.get("toolName"))}
        result = read_result(held, At(self.notes, f"{place}.result"))
        failed = {"is_error": True} if data.get("success") is False else {}
        message = result_message(result, time=parse_time(record.get("timestamp")), metadata=failed)
        self._add(record, [message], place)

    def _usage_record(self, record: Mapping[str, Any], _place: str) -> None:
        """Keep the usage of a request for its answer, which comes after it or, in other versions, came before it."""
        data = record["data"]
        usage = mapping(data.get("usage")) or data
        window = as_whole(usage.get("maxPromptTokens"))
        self.main.context_window = window or self.main.context_window
        request = as_text(usage.get("apiCallId"))
        if request in self._answers:
            session, name = self._answers[request]
            metadata, thoughts = usage_metadata(usage, usage.get("model"))
            session.annotate(name, metadata, thoughts)
        elif request:
            self._usage[request] = usage

    def _compaction(self, record: Mapping[str, Any], place: str) -> None:
        data = record["data"]
        if data.get("success") is False:
            self.left_out.add("session.compaction_complete", place, True)
            return
        text = as_text(data.get("summaryContent"))
        if not text:
            self.notes.add(f"{place}.summaryContent", "expected the summary of a compaction, found none; it is empty")
        told = ("preCompactionTokens", "postCompactionTokens", "messagesRemoved", "trigger")
        metadata = {"compaction": {key: data[key] for key in told if isinstance(data.get(key), str | int)}}
        summary = Message("", "user", text, time=parse_time(record.get("timestamp")), metadata=metadata)
        self._session(record).compact(as_text(record.get("id")), summary, place)

    def _rewind(self, record: Mapping[str, Any], place: str) -> None:
        """Go back to before an event, which stays as a branch."""
        wanted = as_text(record["data"].get("upToEventId"))
        if wanted in self.main.nodes:
            self.main.tip = self.main.nodes[wanted].parent
        elif wanted:
            self.notes.add(f"{place}.upToEventId", f'goes back to "{wanted[:40]}", which is not in the file', "info")

    def _add(self, record: Mapping[str, Any], messages: list[Message], place: str) -> Session:
        session = self._session(record)
        session.add(as_text(record.get("id")), messages, place)
        request = as_text(record["data"].get("apiCallId"))
        if request and messages:
            self._answers[request] = (session, session.tip)
        return session


def load(source: FileSource) -> Workspace:
    """Return the session, and those of its sub-agents. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    log = _Log(notes)
    for place, record in lines_of(source, notes):
        log.read(record, place)
    if log.wrapped:
        words = f"{log.wrapped:,} messages were sent with more around them (`transformedContent`) than is shown"
        notes.add("", words, "info")
    log.note_begun()
    sessions = (log.main, *log.subs.values())
    return workspace_of_sessions(sessions, source, log.left_out, notes, "messages of Copilot CLI")


_READ: Mapping[str, Callable[[_Log, Mapping[str, Any], str], None]] = {
    "session.start": _Log._start,
    "session.resume": _Log._start,
    "session.model_change": _Log._model,
    "session.title_changed": _Log._title,
    "session.compaction_complete": _Log._compaction,
    "session.snapshot_rewind": _Log._rewind,
    "session.usage_record": _Log._usage_record,
    "assistant.usage": _Log._usage_record,
    "system.message": _Log._system,
    "user.message": _Log._user,
    "assistant.message": _Log._assistant,
    "tool.execution_start": _Log._begin,
    "tool.execution_complete": _Log._result,
}


_BESIDE = (
    "detailedContent",
    "intentionSummary",
    "toolTitle",
    "toolTelemetry",
    "transformedContent",
    "reasoningBlocks",
    "input",
    "output",
    "message",
    "stack",
    "agentDescription",
    "permissionRequest",
    "promptRequest",
    "tools",
    "question",
    "warning",
    "summary",
)
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "copilot_cli",
    "Copilot CLI session",
    sniff,
    load,
    "events such as `session.start` with `data` and `parentId`",
    beside=_BESIDE,
    unsent=lambda held: held.get("type") in (*_SILENT, "tool.execution_start"),
)
