"""Conversations of llama.cpp's web interface: a tree of messages as JSON, or a session as JSON lines.

Layout: github.com/ggml-org/llama.cpp, `tools/server/webui` (`database.d.ts`). The file names the end of the shown
branch; a session ends with it.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.llamacpp.message import read_turn
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, surest, values_of, workspace_of
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping

_NO_PARENT = ("", "-1")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds conversations of llama.cpp."""
    return surest(source, lambda value: 0.95 if _is_tree(value) or _is_session(value) else 0.0)


def _is_tree(value: Any) -> bool:
    fields = mapping(value)
    named = mapping(fields.get("conv"))
    return isinstance(fields.get("messages"), list) and bool(named.keys() & {"currNode", "id"})


def _is_session(value: Any) -> bool:
    fields = mapping(value)
    return fields.get("type") == "session" and "harness" in fields


def load(source: FileSource) -> Workspace:
    """Return the conversations of a file. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    reader = _Reader(notes)
    for place, value in values_of(source, notes):
        reader.read(place, value)
    if not reader.chats:
        raise notes.unreadable("$", "expected conversations of llama.cpp, found none")
    return workspace_of(reader.chats, source, notes)


class _Reader:
    """The conversations of a file while they are read, each with the texts quoted into its turns."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.chats: list[SavedChat] = []
        self._doubled: Counter[str] = Counter()

    def read(self, place: str, value: Any) -> None:
        """Read a whole tree, or a line of a session."""
        fields = mapping(value)
        if _is_tree(value):
            self._read_tree(fields, place)
        elif _is_session(value):
            self.chats.append(SavedChat({}, None, place, as_text(fields.get("id")), as_text(fields.get("name"))))
        elif self.chats and fields.get("type") == "message":
            self._read_line(fields.get("message"), f"{place}.message")
        else:
            self.notes.add(place, "expected a conversation, or a message of the session that began above it")

    def _read_tree(self, fields: Mapping[str, Any], place: str) -> None:
        conv = mapping(fields.get("conv"))
        chat = SavedChat({}, _name(conv.get("currNode")) or None, f"{place}.conv.currNode", as_text(conv.get("id")))
        chat.title = as_text(conv.get("name"))
        for index, record in enumerate(items_of(fields.get("messages"))):
            at = f"{place}.messages[{index}]"
            if not isinstance(record, Mapping):
                self.notes.add(at, "expected a message (an object with role and content)")
                continue
            parent = _name(record.get("parent"))
            self._add(chat, record, "" if parent in _NO_PARENT else parent, at)
        self.chats.append(chat)

    def _read_line(self, record: Any, place: str) -> None:
        """Read a line of a session: it follows its named parent, if already written, or else the line before it."""
        chat = self.chats[-1]
        fields = mapping(record)
        parent = _name(fields.get("parent"))
        before = next(reversed(chat.nodes), "")
        chat.leaf = self._add(chat, fields, parent if parent in chat.nodes else before, place)

    def _add(self, chat: SavedChat, record: Mapping[str, Any], parent: str, place: str) -> str:
        """Add the node of a record and return its name."""
        name = self._free(chat, _name(record.get("id")) or f"m{len(chat.nodes)}")
        turn = read_turn(record, name, self.notes, place) if record.get("type") != "root" else None
        chat.nodes[name] = Node(parent, turn.messages if turn else (), place)
        if turn:
            chat.model = turn.model or chat.model
        if turn and turn.attachments:
            chat.beside = {"attachments": (*chat.beside.get("attachments", ()), *turn.attachments)}
        return name

    def _free(self, chat: SavedChat, name: str) -> str:
        """Return the name, with a number if another node of the chat has it; many may have the same."""
        wanted = name
        while name in chat.nodes:
            self._doubled[wanted] += 1
            name = f"{wanted}-{self._doubled[wanted] + 1}"
        return name


def _name(value: Any) -> str:
    return as_text(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


FORMAT = Format(
    "llamacpp",
    "llama.cpp conversation",
    sniff,
    load,
    "`conv` with messages that have a `convId`, or a first line of type session",
)
