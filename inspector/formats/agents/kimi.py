"""Sessions of Kimi CLI and Kimi Code: `context.jsonl` and `wire.jsonl` of `~/.kimi/sessions` and `~/.kimi-code`.

Layouts: MoonshotAI/kimi-cli, `src/kimi_cli/soul/context.py`; MoonshotAI/kimi-code,
`packages/agent-core/src/agent/records/types.ts`. A context has messages of OpenAI, and lines of roles that begin with
an underscore. The records of a wire build the context: messages, parts and calls of steps, and compactions, which
replace the first messages.
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
from inspector.formats.openai.message import read_message
from inspector.model import Call, Message, Part, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, mapping, objects, parse_time

_OWN_ROLES = frozenset(("_checkpoint", "_usage", "_system_prompt"))
_OWN_TYPES = ("context.", "llm.", "config.update", "turn.prompt")
_SILENT = (
    *("metadata", "forked", "turn.", "permission.", "full_compaction.", "micro_compaction.", "plan_mode.", "mcp."),
    *("swarm_mode.", "tools.", "goal.", "file_history.", "cron.", "task.", "skill.", "hook."),
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
        self._step: list[Part] = []
        self._step_place = ""
        self._time: Any = None

    def read(self, record: Mapping[str, Any], place: str) -> None:
        """Read a line of either file."""
        kind = as_text(record.get("type"))
        if "role" in record:
            self._read_context(record, place)
        elif kind in _READ:
            self._time = record.get("time", self._time)
            _READ[kind](self, record, place)
        else:
            self.left_out.add(kind, f"{place}.type", kind.startswith(_SILENT))

    def _read_context(self, record: Mapping[str, Any], place: str) -> None:
        role = as_text(record.get("role"))
        if role == "_system_prompt":
            self.session.system = as_text(record.get("content")) or self.session.system
        elif role in _OWN_ROLES:
            self.left_out.add(role, f"{place}.role", True)
        else:
            self._add(read_message(record, self.notes, place), place)

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
        self._add(read_message(named, self.notes, f"{place}.message"), place)

    def _event(self, record: Mapping[str, Any], place: str) -> None:
        event = mapping(record.get("event"))
        kind, at = as_text(event.get("type")), f"{place}.event"
        if kind == "content.part":
            self._hold(read_content([event.get("part")], self.notes, f"{at}.part"), at)
        elif kind == "tool.call":
            id_ = as_text(event.get("toolCallId") or event.get("uuid"))
            self._hold([Call(id_, as_text(event.get("name")), as_text(event.get("args", "")))], at)
        elif kind == "tool.result":
            self.finish()
            told = mapping(event.get("result"))
            held = {"output": told.get("output", event.get("result")), "id": as_text(event.get("toolCallId"))}
            failed = {"is_error": True} if told.get("isError") is True else {}
            result = read_result(held, At(self.notes, f"{at}.result"))
            self._add([result_message(result, time=parse_time(self._time), metadata=failed)], at)
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
        summary = record.get("summary")
        text = summary if isinstance(summary, str) else "\n".join(_texts(summary))
        if not text:
            self.notes.add(f"{place}.summary", "expected the summary of a compaction, found none; it is empty")
        count = as_whole(record.get("compactedCount"))
        kept = [] if count is None else self._sent[max(count, 0) :]
        told = {key: record[key] for key in ("tokensBefore", "tokensAfter") if as_whole(record.get(key)) is not None}
        message = Message("", "user", as_text(text), time=parse_time(self._time), metadata={"compaction": told})
        self.session.compact("", message, place, [name for names in kept for name in names])
        self._sent = [[self.session.tip], *kept]

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
        answers = (name for name in reversed(session.path()) if _is_answer(session, name))
        if metadata and (name := next(answers, "")):
            session.annotate(name, metadata, thoughts)


def _is_answer(session: Session, name: str) -> bool:
    return any(message.role == "assistant" for message in session.nodes[name].messages)


def _texts(value: Any) -> list[str]:
    return [as_text(one["text"]) for one in objects(value) if isinstance(one.get("text"), str)]


def _usage(told: Any) -> Mapping[str, Any]:
    """Return the usage under Anthropic's names: tokens read from a cache or written to it are beside the others."""
    held = mapping(told)
    names = {
        "inputOther": "input_tokens",
        "output": "output_tokens",
        "inputCacheRead": "cache_read_input_tokens",
        "inputCacheCreation": "cache_creation_input_tokens",
    }
    return {name: held[key] for key, name in names.items() if key in held}


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


FORMAT = Format("kimi", "Kimi session", sniff, load, "lines of role `_checkpoint`, or of type `context.append_message`")
