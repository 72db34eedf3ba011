"""Sessions of Kimi CLI and Kimi Code: `context.jsonl` and `wire.jsonl` of `~/.kimi/sessions` and `~/.kimi-code`.

Layouts: MoonshotAI/kimi-cli, `src/kimi_cli/soul/context.py`; MoonshotAI/kimi-code,
`packages/agent-core/src/agent/records/types.ts`. A context has messages of OpenAI, and lines of roles that begin with
an underscore. The records of a wire build the context: messages, parts and calls of steps, and compactions, which
replace the first messages, or since 2026 all but some of the user's (the same repository,
`packages/agent-core-v2/src/agent/contextMemory/compactionHandoff.ts`; `contextSummary` is the text that was sent).
"""

from collections.abc import Callable, Mapping
from typing import Any

from inspector.formats.agents.session import (
    LeftOut,
    Session,
    lines_of,
    sure_of,
    turn,
    usage_metadata,
    workspace_of_sessions,
)
from inspector.formats.content.at import At
from inspector.formats.content.reader import read_content, read_result
from inspector.formats.content.turns import result_message
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_call, read_message
from inspector.model import Call, Message, Part, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, mapping, objects, parse_time

_OWN_ROLES = frozenset(("_checkpoint", "_usage", "_system_prompt"))
_OWN_TYPES = ("context.", "llm.", "config.update", "turn.prompt")
_SILENT = (
    *("metadata", "forked", "turn.", "permission.", "full_compaction.", "micro_compaction.", "plan_mode.", "mcp."),
    *("swarm_mode.", "tools.", "goal.", "file_history.", "cron.", "task.", "skill.", "hook."),
)

_OLDER_SILENT = frozenset(
    (
        *(
            "StepBegin",
            "StepInterrupted",
            "StepRetry",
            "TurnEnd",
            "CompactionBegin",
            "CompactionEnd",
            "MCPLoadingBegin",
        ),
        *("MCPLoadingEnd", "ApprovalRequest", "ApprovalResponse", "ApprovalRequestResolved", "QuestionRequest"),
        *("ToolCallRequest", "SubagentEvent", "PlanDisplay", "Notification", "HookTriggered", "HookResolved"),
        *("BtwBegin", "BtwEnd", "MCPStatusSnapshot"),
    )
)


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a context or the records of a wire."""
    return sure_of(source, _is_ours)


def _is_ours(record: Mapping[str, Any]) -> bool:
    kind, role = record.get("type"), record.get("role")
    if isinstance(role, str) and role in _OWN_ROLES:
        return True
    if kind == "metadata":
        return "protocol_version" in record
    return isinstance(kind, str) and kind.startswith(_OWN_TYPES) and "time" in record


class _Log:
    """A session while it is read. `_sent` are the nodes of each message of the present context."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.session = Session(notes)
        self.left_out = LeftOut(notes)
        self._sent: list[list[str]] = []
        self._asked: set[str] = set()
        self._step: list[Part] = []
        self._step_place = ""
        self._time: Any = None

    def read(self, record: Mapping[str, Any], place: str) -> None:
        """Read a line of either file."""
        kind = as_text(record.get("type", ""))
        if "role" in record:
            self._read_context(record, place)
        elif not kind and "type" in mapping(record.get("message")):
            self._time = record.get("timestamp", self._time)
            self._read_older(mapping(record["message"]), f"{place}.message")
        elif kind in _READ:
            self._time = record.get("time", self._time)
            _READ[kind](self, record, place)
        else:
            self.left_out.add(kind, f"{place}.type", kind.startswith(_SILENT))

    def _read_context(self, record: Mapping[str, Any], place: str) -> None:
        role = as_text(record.get("role"))
        if role == "_system_prompt":
            if not isinstance(record.get("content"), str):
                self.notes.add(f"{place}.content", "expected the text of the system prompt, found none")
            self.session.system = as_text(record.get("content", "")) or self.session.system
        elif role in _OWN_ROLES:
            self.left_out.add(role, f"{place}.role", True)
        else:
            self._add(read_message(record, self.notes, place), place)

    def _read_older(self, event: Mapping[str, Any], place: str) -> None:
        """Read an event of the wire of Kimi CLI in Python (`src/kimi_cli/wire/types.py`)."""
        kind, payload, at = as_text(event["type"]), mapping(event.get("payload")), f"{place}.payload"
        if kind in ("TurnBegin", "SteerInput"):
            self.finish()
            self._add(turn("user", payload.get("user_input"), self.notes, f"{at}.user_input", time=self._time), at)
        elif kind == "ContentPart":
            self._hold(read_content([payload], self.notes, at), at)
        elif kind == "ToolCall":
            self._hold([read_call(payload, self.notes, at)], at)
        elif kind == "ToolCallPart" and self._step and isinstance(self._step[-1], Call):
            call = self._step[-1]
            arguments = call.arguments + as_text(payload.get("arguments_part") or "")
            self._step[-1] = changed(call, arguments=arguments)
        elif kind == "ToolResult":
            self.finish()
            told = mapping(payload.get("return_value"))
            self._answer(payload.get("tool_call_id"), told, payload.get("return_value"), told.get("is_error"), at)
        elif kind == "StatusUpdate":
            self._record_usage({"usage": payload.get("token_usage")}, at)
        else:
            self.left_out.add(kind, f"{place}.type", kind in _OLDER_SILENT)
            if kind in ("StepBegin", "TurnEnd", "StepInterrupted"):
                self.finish()

    def _answer(self, id_: Any, told: Mapping[str, Any], whole: Any, failed: Any, place: str) -> None:
        """Add the result of a call: its output, or all of it if it is no object with one."""
        held = {"output": told.get("output", whole), "id": as_text(id_ or "")}
        marks = {"is_error": True} if failed is True else {}
        result = read_result(held, At(self.notes, place))
        self._add([result_message(result, time=parse_time(self._time), metadata=marks)], place)

    def _add(self, messages: list[Message], place: str) -> None:
        if messages:
            self._sent.append(self.session.add("", messages, place))

    def _message(self, record: Mapping[str, Any], place: str) -> None:
        self.finish()
        held = mapping(record.get("message"))
        calls = [
            {"id": one.get("id"), "function": {"name": one.get("name"), "arguments": one.get("arguments", "")}}
            for one in objects(held.get("toolCalls"))
        ]
        named = {**held, "timestamp": record.get("time")}
        named |= {"tool_calls": calls} if calls else {}
        named |= {"tool_call_id": held["toolCallId"]} if "toolCallId" in held else {}
        found = read_message(named, self.notes, f"{place}.message")
        self._add(found, place)
        if found and held.get("role") == "user" and _is_asked(mapping(held.get("origin"))):
            self._asked.update(*self._sent[-1:])

    def _event(self, record: Mapping[str, Any], place: str) -> None:
        event = mapping(record.get("event"))
        kind, at = as_text(event.get("type")), f"{place}.event"
        if kind == "content.part":
            if event.get("part") is None:
                self.notes.add(f"{at}.part", "expected a part of an answer, found nothing")
            self._hold(read_content([event.get("part")], self.notes, f"{at}.part"), at)
        elif kind == "tool.call":
            id_ = as_text(event.get("toolCallId") or event.get("uuid"))
            self._hold([Call(id_, as_text(event.get("name")), as_text(event.get("args", "")))], at)
        elif kind == "tool.result":
            self.finish()
            told = mapping(event.get("result"))
            self._answer(event.get("toolCallId"), told, event.get("result"), told.get("isError"), f"{at}.result")
        elif kind in ("step.begin", "step.end"):
            self.finish(event.get("usage"))
        else:
            self.left_out.add(f"event {kind}", f"{at}.type", False)

    def _hold(self, parts: list[Part], place: str) -> None:
        self._step_place = self._step_place or place
        self._step += parts

    def finish(self, usage: Any = None) -> None:
        """Add the parts of the step so far as an answer."""
        metadata, thoughts = usage_metadata(_usage(usage))
        answer = turn(
            "assistant",
            [],
            self.notes,
            self._step_place,
            time=self._time,
            before=self._step,
            metadata=metadata,
            thoughts=thoughts,
        )
        self._add(answer, self._step_place)
        self._step, self._step_place = [], ""

    def _compact(self, record: Mapping[str, Any], place: str) -> None:
        self.finish()
        sent = record.get("contextSummary")
        summary = sent if isinstance(sent, str) else record.get("summary")
        text = summary if isinstance(summary, str) else "\n".join(_texts(summary))
        if not text:
            self.notes.add(f"{place}.summary", "expected the summary of a compaction, found none; it is empty")
        kept = self._kept(record)
        told = {key: record[key] for key in ("tokensBefore", "tokensAfter") if as_whole(record.get(key)) is not None}
        message = Message("", "user", as_text(text), time=parse_time(self._time), metadata={"compaction": told})
        self.session.compact("", message, place, [name for names in kept for name in names])
        self._sent = [[self.session.tip], *kept] if _has_tail(record) else [*kept, [self.session.tip]]

    def _kept(self, record: Mapping[str, Any]) -> list[list[str]]:
        """Return the messages that stay beside a summary: a tail of all, since 2026 the user's first and last ones."""
        if _has_tail(record):
            count = as_whole(record.get("compactedCount"))
            return [] if count is None else self._sent[max(count, 0) :]
        asked = [names for names in self._sent if self._asked.issuperset(names)]
        count = min(max(as_whole(record.get("keptUserMessageCount")) or 0, 0), len(asked))
        head = min(max(as_whole(record.get("keptHeadUserMessageCount")) or 0, 0), count)
        return [*asked[:head], *asked[len(asked) - count + head :]]

    def _clear(self, _record: Mapping[str, Any], _place: str) -> None:
        """Begin anew; the messages so far stay as a branch."""
        self.finish()
        self.session.tip = ""
        self._sent = []

    def _undo(self, record: Mapping[str, Any], place: str) -> None:
        """Go back to before the last turns of the user; they stay as a branch."""
        self.finish()
        count = as_whole(record.get("count")) or 0
        while count > 0 and self._sent:
            names = self._sent.pop()
            node = self.session.nodes[names[0]]
            self.session.tip = node.parent
            count -= any(message.role == "user" for message in node.messages)
        if count > 0:
            self.notes.add(f"{place}.count", f"takes back {count:,} more turns than there are")

    def _configure(self, record: Mapping[str, Any], _place: str) -> None:
        session = self.session
        session.system = as_text(record.get("systemPrompt")) or session.system
        session.model = as_text(record.get("model") or record.get("modelAlias")) or session.model

    def _tools(self, record: Mapping[str, Any], _place: str) -> None:
        """Take the tools of a request; a later table replaces them."""
        found = [{"type": "function", "function": tool} for tool in objects(record.get("tools")) if tool.get("name")]
        self.session.tools = [*found] or self.session.tools

    def _record_usage(self, record: Mapping[str, Any], _place: str) -> None:
        """Take the usage of the last answer."""
        self.finish()
        session = self.session
        metadata, thoughts = usage_metadata(_usage(record.get("usage")), record.get("model"))
        if metadata and (name := session.last_answer()):
            session.annotate(name, metadata, thoughts)


_USAGE = {
    **dict.fromkeys(("inputOther", "input_other"), "input_tokens"),
    "output": "output_tokens",
    **dict.fromkeys(("inputCacheRead", "input_cache_read"), "cache_read_input_tokens"),
    **dict.fromkeys(("inputCacheCreation", "input_cache_creation"), "cache_creation_input_tokens"),
}


def _has_tail(record: Mapping[str, Any]) -> bool:
    """Return whether a compaction kept the last messages of all kinds, as before it counted those of the user."""
    told = record.get("legacyTail")
    return told if isinstance(told, bool) else as_whole(record.get("keptUserMessageCount")) is None


def _is_asked(origin: Mapping[str, Any]) -> bool:
    """Return whether a message of this origin was written by the user, and so stays in a compaction."""
    kind = origin.get("kind", "user")
    by_hand = kind in ("skill_activation", "plugin_command") and origin.get("trigger") == "user-slash"
    return kind == "user" or by_hand


def _texts(value: Any) -> list[str]:
    return [as_text(one["text"]) for one in objects(value) if isinstance(one.get("text"), str)]


def _usage(told: Any) -> Mapping[str, Any]:
    """Return the usage under Anthropic's names: tokens read from a cache or written to it are beside the others."""
    held = mapping(told)
    return {name: held[key] for key, name in _USAGE.items() if key in held}


_READ: Mapping[str, Callable[[_Log, Mapping[str, Any], str], None]] = {
    "context.append_message": _Log._message,
    "context.append_loop_event": _Log._event,
    "context.apply_compaction": _Log._compact,
    "context.clear": _Log._clear,
    "context.undo": _Log._undo,
    "config.update": _Log._configure,
    "llm.request": _Log._configure,
    "llm.tools_snapshot": _Log._tools,
    "usage.record": _Log._record_usage,
}


def load(source: FileSource) -> Workspace:
    """Return the session. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    log = _Log(notes)
    for place, record in lines_of(source, notes):
        log.read(record, place)
    log.finish()
    return workspace_of_sessions([log.session], source, log.left_out, notes, "messages of Kimi")


_BESIDE = ("action", "description", "display", "note", "objective")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "kimi",
    "Kimi session",
    sniff,
    load,
    "lines of role `_checkpoint`, or of type `context.append_message`",
    beside=_BESIDE,
)
