"""Sessions of pi and of programs built on it (OpenClaw, oh-my-pi): a header, then entries that name their parents.

Layout: badlogic/pi-mono, `packages/coding-agent/src/core/session-manager.ts` and `messages.ts`; files of version 1 have
no ids, and number the first entry that a compaction kept. The last entry of the file ends the active branch. What
`pi --mode json` prints begins with the same header, and has each message in an event `message_end`. OpenClaw's database
(openclaw/openclaw, `src/state/openclaw-agent-schema.sql`) has the same entries as rows of `transcript_events`. By
`packages/ai/src/providers/transform-messages.ts`, an answer that broke off is not sent again.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import (
    LeftOut,
    Session,
    json_object,
    lines_of,
    sure_of,
    turn,
    usage_metadata,
    workspace_of_sessions,
)
from inspector.formats.content.at import At
from inspector.formats.content.reader import read_result
from inspector.formats.content.turns import result_message
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.sqlite import has_tables, opened
from inspector.reading.values import as_number, as_text, as_whole, mapping, objects, parse_time

_ENTRIES = frozenset(
    ("message", "model_change", "thinking_level_change", "compaction", "branch_summary", "custom", "custom_message")
)
_SILENT = frozenset(
    (
        *("model_change", "thinking_level_change", "custom", "label", "session_info", "session_state", "leaf"),
        *("agent_start", "agent_end", "turn_start", "turn_end", "message_start", "message_update"),
        *("tool_execution_start", "tool_execution_update", "tool_execution_end"),
        *("mode_change", "title", "title_change", "session_init", "ttsr_injection", "mcp_tool_selection"),
    )
)
_PRINTED = {"recorded": {"action": "dropped", "reason": "run with !!, not sent"}}
_BROKEN_OFF = {"recorded": {"action": "dropped", "reason": "broke off, not sent again"}}


def sniff(source: FileSource) -> float:
    """Return how likely the file begins with the header of a session of pi, or has its entries."""
    if source.shape == "sqlite":
        return 1.0 if has_tables(source, transcript_events="session_id seq event_json") else 0.0
    return sure_of(source, _is_ours)


def _is_ours(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if kind == "session":
        return "id" in record and bool(record.keys() & {"cwd", "version"}) and "harness" not in record
    if kind not in list(_ENTRIES) or "parentId" not in record or "id" not in record:
        return False
    return kind != "message" or "role" in mapping(record.get("message"))


class _Log:
    """A session while it is read; `_names` are the nodes of the entries, by their number in the file."""

    def __init__(self, notes: Notes, left_out: LeftOut, id_: str = "") -> None:
        self.notes = notes
        self.session = Session(notes, id_)
        self.left_out = left_out
        self._names: list[str] = []
        self._of_calls: dict[str, str] = {}

    def read(self, record: Mapping[str, Any], place: str) -> None:
        """Read an entry."""
        kind = as_text(record.get("type"))
        if kind == "session":
            self.session.id = as_text(record.get("id")) or self.session.id
            self.session.title = as_text(record.get("title") or "") or self.session.title
            self._names.append("")
            return
        parent = next((record[key] for key in ("parentId", "parent_id") if key in record), self.session.tip)
        above = self._known(as_text(parent)) if parent is not None else ""
        id_ = as_text(record.get("id"))
        if kind == "compaction":
            self._compact(record, place, above)
        else:
            names = self.session.add(id_, self._messages(record, kind, place), place, above)
            found = (
                (name, call) for name in names for one in self.session.nodes[name].messages for call in one.tool_calls
            )
            self._of_calls.update((call.id, name) for name, call in found)
        self._names.append(self.session.tip)
        leaf = as_text(record.get("leafId"))
        if leaf in self.session.nodes:
            self.session.tip = leaf

    def _known(self, parent: str) -> str:
        """Return the node of a parent. OpenClaw names a call for its result, and the session for the entry before."""
        if parent in self.session.nodes:
            return parent
        return self.session.tip if parent == self.session.id else self._of_calls.get(parent, parent)

    def _messages(self, record: Mapping[str, Any], kind: str, place: str) -> list[Message]:
        time = record.get("timestamp")
        if kind in ("message", "message_end"):
            return self._message(mapping(record.get("message")), f"{place}.message", time)
        if kind == "custom_message":
            return turn("user", record.get("content"), self.notes, f"{place}.content", time=time)
        if kind == "branch_summary":
            return turn("user", record.get("summary"), self.notes, f"{place}.summary", time=time)
        session = self.session
        session.model = as_text(record.get("modelId") or record.get("model")) or session.model
        session.title = as_text(record.get("name") or record.get("title")) or session.title
        session.system = as_text(record.get("systemPrompt")) or session.system
        session.tools += [tool for tool in objects(record.get("tools")) if tool.get("name")]
        self.left_out.add(kind, f"{place}.type", kind in _SILENT)
        return []

    def _message(self, held: Mapping[str, Any], place: str, time: Any) -> list[Message]:
        word = as_text(held.get("role"))
        moment = held.get("timestamp", time)
        if word == "toolResult":
            return [self._result(held, place, moment)]
        if word == "bashExecution":
            return [_command(held, moment)]
        key = "summary" if word in ("branchSummary", "compactionSummary") else "content"
        role = "user" if word in _AS_USER else ROLES.get(word.strip().lower())
        if role is None:
            found = word[:40] or "nothing"
            self.notes.add(f"{place}.role", f"expected user, assistant or toolResult, found {found}; it was left out")
            return []
        metadata, thoughts = usage_metadata(_usage(held.get("usage")), held.get("model"))
        self.session.model = as_text(held.get("model")) or self.session.model
        metadata["error"] = as_text(held.get("errorMessage"))
        at = f"{place}.{key}"
        found = turn(role, held.get(key), self.notes, at, time=moment, about="c", metadata=metadata, thoughts=thoughts)
        return [_broken_off(one) for one in found] if held.get("stopReason") in ("error", "aborted") else found

    def _result(self, held: Mapping[str, Any], place: str, time: Any) -> Message:
        result = read_result(held, At(self.notes, place))
        failed = {"is_error": True} if held.get("isError") is True else {}
        return result_message(result, time=parse_time(time), metadata=failed)

    def _compact(self, record: Mapping[str, Any], place: str, above: str) -> None:
        summary = record.get("summary")
        if not isinstance(summary, str) or not summary:
            self.notes.add(f"{place}.summary", "expected the summary of a compaction, found none; it is empty")
        tokens = as_whole(record.get("tokensBefore"))
        told = {"compaction": {"tokensBefore": tokens}} if tokens is not None else {}
        message = Message("", "user", as_text(summary), time=parse_time(record.get("timestamp")), metadata=told)
        first = as_text(record.get("firstKeptEntryId"))
        number = as_whole(record.get("firstKeptEntryIndex"))
        if number is not None and 0 <= number < len(self._names):
            first = self._names[number]
        kept = self.session.kept_from(first, above)
        if first and not kept:
            self.notes.add(f"{place}.firstKeptEntryId", f'is "{first[:40]}", which is not before it; nothing was kept')
        self.session.compact(as_text(record.get("id")), message, place, kept, above)


_AS_USER = frozenset(("custom", "hookMessage", "branchSummary", "compactionSummary"))
"""Roles of messages that pi sends as the user's."""


def _broken_off(message: Message) -> Message:
    """Return a message of an answer that ended with an error or was stopped, which is not sent again."""
    return changed(message, excluded=True, metadata={**message.metadata, **_BROKEN_OFF})


def _command(held: Mapping[str, Any], time: Any) -> Message:
    """Return a command of the user with its output, as it is sent; `!!` keeps it from the model."""
    command, output = as_text(held.get("command")), as_text(held.get("output"))
    code = as_whole(held.get("exitCode"))
    said = [f"Ran `{command}`", f"```\n{output}\n```" if output else "(no output)"]
    if held.get("cancelled") is True:
        said.append("\n(command cancelled)")
    elif code:
        said.append(f"\nCommand exited with code {code}")
    if held.get("truncated") is True and held.get("fullOutputPath"):
        said.append(f"\n[Output truncated. Full output: {as_text(held['fullOutputPath'])}]")
    message = Message("", "user", "\n".join(said), time=parse_time(time))
    return changed(message, excluded=True, metadata=_PRINTED) if held.get("excludeFromContext") is True else message


def _usage(told: Any) -> Mapping[str, Any]:
    """Return the usage under Anthropic's names: pi counts tokens read from a cache or written to it beside `input`."""
    held = mapping(told)
    names = {
        "input": "input_tokens",
        "output": "output_tokens",
        "cacheRead": "cache_read_input_tokens",
        "cacheWrite": "cache_creation_input_tokens",
    }
    return {name: held[key] for key, name in names.items() if key in held}


def load(source: FileSource) -> Workspace:
    """Return the session with its branches. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    if source.shape == "sqlite":
        sessions = list(_stored(source, notes, left_out))
    else:
        log = _Log(notes, left_out)
        for place, record in lines_of(source, notes):
            log.read(record, place)
        sessions = [log.session]
    return workspace_of_sessions(sessions, source, left_out, notes, "messages of a session of pi")


def _stored(source: FileSource, notes: Notes, left_out: LeftOut) -> Iterator[Session]:
    """Yield the sessions of OpenClaw's database, whose rows are numbered in each."""
    with opened(source) as database:
        rows = list(database.rows("transcript_events", "session_id", "seq", "event_json"))
    logs: dict[str, _Log] = {}
    for row in sorted(rows, key=lambda row: as_number(row.get("seq")) or 0):
        id_ = as_text(row.get("session_id"))
        place = f"transcript_events: {id_}, {as_text(row.get('seq'))}"
        log = logs.setdefault(id_, _Log(notes, left_out, id_))
        if event := json_object(row.get("event_json"), notes, place):
            log.read(event, place)
    yield from (log.session for log in logs.values())


_BESIDE = ("details", "data")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "pi",
    "pi or OpenClaw session",
    sniff,
    load,
    "a line of type `session` with `cwd`, then lines with `parentId`, or a database with `transcript_events`",
    beside=_BESIDE,
)
