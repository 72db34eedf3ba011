"""What `codex exec --json` prints: events of a thread, a line each, and the events of its first versions (`msg`).

Layout: openai/codex, `codex-rs/exec/src/exec_events.rs` (`ThreadEvent`, `ThreadItem`); of the first versions
`codex-rs/protocol/src/protocol.rs` (`EventMsg`), with the settings and the prompt before the events. An item is printed
when it starts, changes and ends; the last state counts. Newer versions do not print the prompt. Some print the
questions that the model asks the user with a tool (`request_user_input`), but no answer.
"""

from collections.abc import Mapping
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
from inspector.formats.content.reader import read_result
from inspector.formats.content.thoughts import reasoning_text
from inspector.formats.content.turns import result_message
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.model import Call, Message, Part, Result, Thought, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping

_THREAD = frozenset(("thread.started", "turn.started", "turn.completed", "turn.failed"))
_ITEM = frozenset(("item.started", "item.updated", "item.completed"))
_SPOKEN = frozenset(("agent_message", "plan", "assistant_message"))
_ONE_REQUEST = _SPOKEN | {"reasoning"}
"""The items of a turn that was a single request."""
_COMMAND, _OUTPUT = "command_execution", "aggregated_output"
_OUTPUTS: Mapping[str, tuple[str, ...]] = {
    _COMMAND: (_OUTPUT,),
    "mcp_tool_call": ("result", "error"),
    "collab_tool_call": ("agents_states",),
    "file_change": (),
    "web_search": ("results",),
    "todo_list": (),
    "request_user_input": (),
}
"""The items that are calls, each with the keys of its result."""
_FRAME = frozenset(("id", "call_id", "type", "status", "exit_code", "server", "tool"))
_MSG_CALLS = {"exec_command_begin": "command", "mcp_tool_call_begin": "invocation", "patch_apply_begin": "changes"}
_MSG_ENDS = {"exec_command_end": _OUTPUT, "mcp_tool_call_end": "result", "patch_apply_end": "stdout"}
_SILENT_MSG = frozenset(
    (
        *("task_started", "session_configured", "agent_message_delta", "agent_reasoning_delta", "turn_diff"),
        *("agent_reasoning_section_break", "exec_command_output_delta", "background_event", "plan_update"),
        *("mcp_startup_complete", "mcp_startup_update", "raw_response_item", "shutdown_complete"),
    )
)


def sniff(source: FileSource) -> float:
    """Return how likely the file holds events that Codex printed."""
    return sure_of(source, _is_event, 0.98)


def _is_event(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str):
        return "id" in record and isinstance(mapping(record.get("msg")).get("type"), str)
    if kind in _ITEM:
        return isinstance(mapping(record.get("item")).get("type"), str)
    return (kind == "thread.started" and "thread_id" in record) or (kind == "turn.completed" and "usage" in record)


class _Log:
    """The events while they are read; `_items` are the items of the present turn in their last state."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.session = Session(notes)
        self.left_out = LeftOut(notes)
        self._items: dict[str, tuple[Mapping[str, Any], str]] = {}
        self._thoughts: list[str] = []
        self._numbers = 0

    def read(self, record: Mapping[str, Any], place: str) -> None:
        """Read an event."""
        kind = as_text(record.get("type") or "")
        if isinstance(record.get("msg"), Mapping):
            self._older(mapping(record["msg"]), f"{place}.msg")
        elif isinstance(record.get("prompt"), str):
            self.session.add("", turn("user", record["prompt"], self.notes, f"{place}.prompt"), place)
        elif kind in _ITEM:
            self._keep(mapping(record.get("item")), f"{place}.item")
        elif kind == "request_user_input":
            self._keep({**record, "id": record.get("call_id") or record.get("id")}, place)
        elif kind == "thread.started":
            self.session.id = as_text(record.get("thread_id") or "")
        elif kind in _THREAD:
            self.flush(usage_metadata(record.get("usage"))[0])
            if kind == "turn.failed":
                self._failed(mapping(record.get("error")), place)
        elif kind == "error":
            self._failed(record, place)
        elif not kind and "model" in record:
            self.session.model = as_text(record["model"])
        else:
            self.left_out.add(kind, place, kind == "item.plan.delta")

    def flush(self, metadata: Mapping[str, Any] | None = None) -> None:
        """Add the items of a turn. An answer without calls takes the usage, which is that of all requests of a turn."""
        items, self._items = self._items, {}
        for item, place in items.values():
            self._item(item, place)
        if self._thoughts:
            self._say([], "$")
        is_one = all(as_text(item.get("type")) in _ONE_REQUEST for item, _ in items.values())
        if metadata and items and is_one and (name := self.session.last_answer()):
            self.session.annotate(name, metadata)

    def _keep(self, item: Mapping[str, Any], place: str) -> None:
        id_ = as_text(item.get("id") or "")
        if not item:
            self.notes.add(place, "expected an item (an object), found none; it was left out")
            return
        self._items[id_ or f"{len(self._items)}"] = (item, place)

    def _item(self, item: Mapping[str, Any], place: str) -> None:
        kind = as_text(item.get("type") or item.get("item_type") or "")
        if kind in _SPOKEN:
            self._say(item.get("text"), f"{place}.text")
        elif kind == "reasoning":
            self._think(item.get("text"), f"{place}.text")
        elif kind in _OUTPUTS:
            self._called(item, kind, place)
        elif kind == "error":
            self._failed(item, place)
        else:
            self.left_out.add(f"item {kind}", f"{place}.type", False)

    def _say(self, content: Any, place: str) -> None:
        before: list[Part] = [Thought("\n".join(self._thoughts))] if self._thoughts else []
        self._thoughts = []
        self.session.add("", turn("assistant", content, self.notes, place, before=before), place)

    def _think(self, told: Any, place: str) -> None:
        text = reasoning_text(told)
        if not text:
            self.notes.add(place, "expected the text of a thought, found none")
        self._thoughts += [text] if text else []

    def _called(self, item: Mapping[str, Any], kind: str, place: str) -> None:
        """Add a call and its result. A command's output may be empty; its exit code then tells that it ended."""
        keys = _OUTPUTS[kind]
        own = {key: value for key, value in item.items() if key not in _FRAME and key not in keys}
        asked = own.get("arguments", own.get("command", own))
        name = ".".join(as_text(item[key]) for key in ("server", "tool") if item.get(key)) or kind
        key = next((key for key in keys if item.get(key) not in (None, "")), next(iter(keys), ""))
        told = item.get(key)
        if told is None and item.get("exit_code") is None:
            told = item.get("status") if not keys else None
        if kind == _COMMAND and item.get(_OUTPUTS[_COMMAND][0]) is None:
            self.notes.add(
                f"{place}.{_OUTPUTS[_COMMAND][0]}", "expected the output of a command, found nothing", "info"
            )
        failed = item.get("status") in ("failed", "declined") or item.get("exit_code") not in (None, 0)
        self._add_call(as_text(item.get("id") or ""), name, asked, place)
        if told is not None:
            self._add_result(as_text(item.get("id") or ""), name, told, failed, f"{place}.{key}")

    def _add_call(self, id_: str, name: str, asked: Any, place: str) -> None:
        self._numbers += 1
        before: list[Part] = [Thought("\n".join(self._thoughts))] if self._thoughts else []
        self._thoughts = []
        call = Call(id_ or f"call{self._numbers}", name, as_text(asked))
        self.session.add("", [Message("", "assistant", parts=(*before, call))], place)

    def _add_result(self, id_: str, name: str, told: Any, failed: bool, place: str) -> None:
        held = mapping(told)
        content = held.get("content") or held.get("message") or told
        if isinstance(content, str | list):
            result = read_result(
                {"content": content, "id": id_ or f"call{self._numbers}", "name": name}, At(self.notes, place)
            )
        else:
            result = Result(id_ or f"call{self._numbers}", name, as_text(content))
        self.session.add("", [result_message(result, metadata={"is_error": True} if failed else {})], place)

    def _failed(self, told: Mapping[str, Any], place: str) -> None:
        text = reasoning_text(told.get("message"))
        self.notes.add(place, f"is an error of the program, no message; it was left out: {text[:80]}", "info")

    def _older(self, msg: Mapping[str, Any], place: str) -> None:
        """Read an event of the first versions."""
        kind = as_text(msg.get("type") or "")
        id_ = as_text(msg.get("call_id") or "")
        if kind == "agent_message":
            self._say(msg.get("message"), f"{place}.message")
        elif kind == "user_message":
            self.session.add("", turn("user", msg.get("message"), self.notes, f"{place}.message"), place)
        elif kind in ("agent_reasoning", "agent_reasoning_raw_content"):
            self._think(msg.get("text"), f"{place}.text")
        elif kind in _MSG_CALLS:
            key = _MSG_CALLS[kind]
            name = as_text(mapping(msg.get(key)).get("tool") or kind.removesuffix("_begin"))
            self._add_call(id_, name, mapping(msg.get(key)).get("arguments", msg.get(key, "")), place)
        elif kind in _MSG_ENDS:
            told = next((msg[key] for key in (_MSG_ENDS[kind], "stdout", "output") if msg.get(key)), "")
            failed = msg.get("exit_code") not in (None, 0) or msg.get("success") is False
            self._add_result(id_, "", told, failed, place)
        elif kind == "token_count":
            usage = mapping(msg.get("info")).get("last_token_usage", msg)
            metadata, thoughts = usage_metadata(usage)
            if name := self.session.last_answer():
                self.session.annotate(name, metadata, thoughts)
        elif kind in ("error", "stream_error"):
            self._failed(msg, place)
        elif kind == "task_complete":
            self._completed(msg, place)
        else:
            self.session.model = as_text(msg.get("model") or "") or self.session.model
            self.left_out.add(kind, f"{place}.type", kind in _SILENT_MSG)

    def _completed(self, msg: Mapping[str, Any], place: str) -> None:
        """Read the end of a task: its text is new only if no answer has it."""
        text = reasoning_text(msg.get("last_agent_message"))
        if text and all(message.content != text for message in self.session.messages):
            self._say(text, f"{place}.last_agent_message")


def load(source: FileSource) -> Workspace:
    """Return the thread. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    log = _Log(notes)
    for place, record in lines_of(source, notes):
        log.read(record, place)
    log.flush()
    expected = "items of Codex with messages or calls"
    return workspace_of_sessions([log.session], source, log.left_out, notes, expected)


_BESIDE = ("parsed_cmd", "unified_diff", "last_agent_message", "formatted_output", "stdout", "stderr")
"""Keys of texts for the screen, and of what is there a second time."""

FORMAT = Format(
    "codex_exec",
    "Codex exec events",
    sniff,
    load,
    "lines of type `thread.started` and `item.completed`",
    beside=_BESIDE,
)
