"""Sessions of Grok Build, xAI's own agent: `chat_history.jsonl` of `~/.grok/sessions`, with an item on each line.

The items are those of its `ConversationItem` (system, user, assistant, reasoning, tool_result, backend_tool_call), near
those of OpenAI's Responses API; this follows the fixtures of jazzyalex/agent-sessions. Items of the user with a
`synthetic_reason` are written by the program.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, lines_of, sure_of, workspace_of_sessions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.responses import ItemReader
from inspector.model import Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping, pure_path, stem

_SPOKEN = frozenset(("system", "user", "assistant"))
_OWN = frozenset(("synthetic_reason", "prompt_index", "model_id", "model_fingerprint", "prior_turn_interrupt"))
_NAME = "chat_history"


def sniff(source: FileSource) -> float:
    """Return how likely the file is the history of a session."""
    return sure_of(source, _is_item, 0.97)


def _is_item(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if kind in ("user", "assistant"):
        return bool(record.keys() & _OWN) and "content" in record and "message" not in record
    return kind == "backend_tool_call" and isinstance(record.get("kind"), Mapping)


class _Log:
    """A session while it is read."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        name = stem(notes.file)
        self.session = Session(notes, pure_path(notes.file).parent.name if name == _NAME else name)
        self.left_out = LeftOut(notes)
        self._reader = ItemReader(notes)

    def read(self, record: Mapping[str, Any], place: str) -> None:
        """Read an item."""
        kind = as_text(record.get("type") or record.get("role") or "")
        self.session.model = as_text(record.get("model_id") or "") or self.session.model
        before = len(self._reader.messages)
        if kind in _SPOKEN:
            own = {key: value for key, value in record.items() if key not in ("type", "id")}
            self._reader.read({**own, "role": kind}, place)
            self._mark(record, before)
        elif kind == "reasoning":
            self._reader.read(record, place)
        elif kind in ("tool_result", "tool"):
            self._reader.read({"role": "tool", **{key: record[key] for key in record.keys() - {"type"}}}, place)
        elif kind == "backend_tool_call":
            self._called(record, place)
        else:
            self.left_out.add(kind, f"{place}.type", False)

    def finish(self) -> None:
        """Add all messages to the session."""
        for number, message in enumerate(self._reader.finished()):
            self.session.add(message.id, [message], f"message {number + 1}")

    def _called(self, record: Mapping[str, Any], place: str) -> None:
        """Read a call of a tool that ran on xAI's servers."""
        held = mapping(record.get("kind"))
        name = as_text(held.get("name") or held.get("tool_type") or record.get("name") or "")
        told = {key: value for key, value in held.items() if key not in ("tool_type", "name")}
        self._reader.read({"name": name, **told, "type": f"{name or 'backend_tool'}_call"}, f"{place}.kind")

    def _mark(self, record: Mapping[str, Any], before: int) -> None:
        """Add the model of an answer, and the reason for which the program wrote a message itself."""
        model, reason = record.get("model_id"), record.get("synthetic_reason")
        marks = {"model": as_text(model)} if model else {}
        marks |= {"meta": True} if reason else {}
        messages = self._reader.messages
        messages[before:] = [changed(one, metadata={**one.metadata, **marks}) for one in messages[before:]]


def load(source: FileSource) -> Workspace:
    """Return the session. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    log = _Log(notes)
    for place, record in lines_of(source, notes):
        log.read(record, place)
    log.finish()
    return workspace_of_sessions([log.session], source, log.left_out, notes, "items of Grok Build with messages")


FORMAT = Format(
    "grok_history", "Grok Build session", sniff, load, "lines of type user and assistant with prompt_index or model_id"
)
