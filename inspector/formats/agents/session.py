"""The session model shared by all readers of coding agents: turns, compactions and records that were left out.

A record follows the previous record unless it names another parent. The layout of each program is in its own module.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.compaction import SUMMARY_MARK
from inspector.formats.content.reader import read_content
from inspector.formats.content.thoughts import reasoning_text
from inspector.formats.content.turns import identified, placed, split, with_thought_tokens
from inspector.formats.content.usage import read_usage
from inspector.formats.linking import CALL_IS_LOST, NAMELESS
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, first_line, title_of, workspace_of
from inspector.model import Call, Message, Part, Result, Role, Text, Thought, Workspace, changed
from inspector.reading.decode import kind_of
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_text, mapping, parse_time

_FEW = 40  # characters of an unknown type


class Session:
    """The nodes of a session in the order of the file, each with one message or none.

    `tip` is the end of the active path, `called` are the ids of all calls. `id`, `title`, `model`, `system`,
    `context_window` and `tools` are set by the reader as it finds them in the records.
    """

    def __init__(self, notes: Notes, id_: str = "") -> None:
        self.notes = notes
        self.id = id_
        self.title = ""
        self.model = ""
        self.system = ""
        self.context_window: int | None = None
        self.tools: list[Mapping[str, Any]] = []
        self.nodes: dict[str, Node] = {}
        self.tip = ""
        self._kept: dict[str, tuple[str, ...]] = {}
        self.called: set[str] = set()
        self._open: list[Call] = []
        self._same: Counter[str] = Counter()

    def add(self, id_: str, messages: Iterable[Message], place: str, parent: str | None = None) -> list[str]:
        """Add the messages of a record and return their nodes; without a `parent`, the record follows the tip.

        A record without messages, such as a marker, becomes a single empty node. The last message gets the id of the
        record and becomes the new tip. A result without a call id answers the first open call of its tool.
        """
        found = [self._answering(message, place) for message in messages]
        name = self._free(id_)
        above = self._above(parent, place)
        names: list[str] = []
        for number, message in enumerate(found[:-1], 1):
            before = self._free(f"{name}.{number}")
            self.nodes[before] = Node(above, (message,), place)
            names.append(before)
            above = before
        self.nodes[name] = Node(above, tuple(found[-1:]), place)
        self.tip = name
        return [*names, name]

    def compact(
        self, id_: str, summary: Message, place: str, kept: Iterable[str] = (), parent: str | None = None
    ) -> None:
        """Add a summary, which replaces all earlier messages except the `kept` nodes."""
        marked = changed(summary, metadata={**summary.metadata, SUMMARY_MARK: True})
        self.add(id_, [marked], place, parent)
        self._kept[self.tip] = tuple(kept)

    def path(self, leaf: str | None = None) -> list[str]:
        """Return the nodes from the root to a node, by default the tip."""
        return [*self._upward(self.tip if leaf is None else leaf)][::-1]

    def last_answer(self) -> str:
        """Return the last node on the active path with an assistant message, "" if there is none."""
        nodes = self.nodes
        return next((name for name in self._upward(self.tip) if _has_answer(nodes[name])), "")

    def _upward(self, name: str) -> Iterator[str]:
        """Yield a node and its ancestors. Parents are always added before their children, so there are no cycles."""
        while name in self.nodes:
            yield name
            name = self.nodes[name].parent

    def present(self, leaf: str | None = None) -> list[str]:
        """Return the nodes sent at a node, by default the tip: the last summary, its kept nodes, and all since."""
        found: list[str] = []
        for name in self._upward(self.tip if leaf is None else leaf):
            found.append(name)
            if name in self._kept:
                return [*self._kept[name], *found[::-1]]
        return found[::-1]

    def kept_from(self, first: str, leaf: str | None = None) -> list[str]:
        """Return the nodes sent at a leaf, from `first` on; none if `first` is not sent."""
        sent = self.present(leaf)
        return sent[sent.index(first) :] if first in sent else []

    @property
    def messages(self) -> Iterator[Message]:
        """All messages in the order of the file."""
        return (message for node in self.nodes.values() for message in node.messages)

    def annotate(self, name: str, metadata: Mapping[str, Any], thoughts: int | None = None) -> None:
        """Add metadata and the token count of the thought to the message of a node."""
        node = self.nodes[name]
        told = with_thought_tokens(node.messages, thoughts)
        marked = (changed(one, metadata={**one.metadata, **metadata}) for one in told)
        self.nodes[name] = Node(node.parent, tuple(marked), node.place)

    def chat(self, place: str = "$") -> SavedChat:
        """Return the session as a chat."""
        path = (message for name in self.path() for message in self.nodes[name].messages)
        return SavedChat(
            dict(self.nodes),
            self.tip or None,
            place,
            self.id,
            first_line(self.title) or title_of(path),
            self.system,
            self.model,
            self.context_window,
            self.tools,
            kept={name: frozenset(kept) for name, kept in self._kept.items()},
        )

    def _above(self, parent: str | None, place: str) -> str:
        """Return the parent node: the tip if the named parent is missing, as after an unreadable line."""
        if parent is None or not parent or parent in self.nodes:
            return self.tip if parent is None else parent
        if self.nodes:
            self.notes.add(place, f'names the parent "{parent[:_FEW]}", which is not here; it follows the one before')
        return self.tip

    def _answering(self, message: Message, place: str) -> Message:
        """Return a message, a result with the id of its call; calls without a tool name are noted."""
        self._open += message.tool_calls
        self.called.update(call.id for call in message.tool_calls if call.id)
        if not all(call.name for call in message.tool_calls):
            self.notes.add(place, NAMELESS)
        if message.role != "tool":
            return message
        call = next((one for one in self._open if _is_of(message, one)), None)
        if call is None:
            return message
        self._open.remove(call)
        parts = [changed(part, id=call.id) if isinstance(part, Result) else part for part in message.parts]
        return changed(message, parts=tuple(parts))

    def _free(self, id_: str) -> str:
        wanted = name = id_ or f"m{len(self.nodes)}"
        while name in self.nodes:
            self._same[wanted] += 1
            name = f"{wanted}-{self._same[wanted] + 1}"
        return name


def _has_answer(node: Node) -> bool:
    return any(message.role == "assistant" for message in node.messages)


def _is_of(answer: Message, call: Call) -> bool:
    if answer.tool_call_id:
        return call.id == answer.tool_call_id
    return not answer.name or answer.name == call.name


class LeftOut:
    """Records without messages: a single remark for all known types, and a problem for each unknown type."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._silent: Counter[str] = Counter()
        self._unknown: dict[str, list[str]] = {}

    def add(self, kind: str, place: str, is_known: bool) -> None:
        """Count a record."""
        if is_known:
            self._silent[kind] += 1
        else:
            self._unknown.setdefault(kind, []).append(place)

    def note(self) -> None:
        """Note the records that were left out."""
        for kind, places in self._unknown.items():
            are = "1 record" if len(places) == 1 else f"{len(places):,} records"
            was = "was" if len(places) == 1 else "were"
            self._notes.add(places[0], f"{are} of the unknown type {kind[:_FEW] or '(none)'} {was} left out")
        if self._silent:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self._silent.items()))
            self._notes.add("", f"records that are not messages were left out: {kinds}", "info")


def turn(
    role: Role,
    content: Any,
    notes: Notes,
    place: str,
    *,
    time: Any = None,
    about: str = "",
    before: Iterable[Part] = (),
    after: Iterable[Part] = (),
    metadata: Mapping[str, Any] | None = None,
    thoughts: int | None = None,
) -> list[Message]:
    """Return the messages of a turn, with tool results as separate messages; none if the content is empty.

    `content` may have any known layout. `before` and `after` are parts that the program stores outside the content,
    `about` is the prefix for the ids of calls without an id, `thoughts` the token count of the thoughts. Empty values
    of `metadata` are left out. Missing content is noted.
    """
    parts = [*before, *read_content(content, notes, place), *after]
    if content is None and not parts:
        notes.add(place, "expected text or a list of parts, found nothing; the message was left out")
    said, results = split(identified((one for one in parts if not _is_empty(one)), about))
    kept = {key: value for key, value in (metadata or {}).items() if value not in (None, "", [], {})}
    moment = parse_time(time)
    found = placed(Message("", role, time=moment, parts=tuple(said), metadata=kept), results)
    found = with_thought_tokens(found, thoughts)
    if not any(one.parts or one.content for one in found) and not _is_blank(content):
        notes.add(place, "holds no text that can be read; the message was left out")
    return [one if one.time else changed(one, time=moment) for one in found if one.parts or one.content]


def _is_blank(content: Any) -> bool:
    """Return whether a content is empty as it is written: no parts, or texts of nothing."""
    if isinstance(content, list):
        return all(isinstance(one, Mapping) and one.get("text") == "" for one in content)
    return content is None or (isinstance(content, str) and not content)


def thoughts_in(held: Mapping[str, Any], keys: Iterable[str], notes: Notes, place: str) -> list[Part]:
    """Return the thought under the first key with a readable value; unreadable values are noted."""
    for key in keys:
        value = held.get(key)
        if value in (None, "", [], {}):
            continue
        if text := reasoning_text(value):
            return [Thought(text)]
        notes.add(f"{place}.{key}", f"expected the text of a thought, found {kind_of(value)}; it was skipped")
    return []


def _is_empty(part: Part) -> bool:
    return isinstance(part, Text) and not part.text


def usage_metadata(told: Any, model: Any = None) -> tuple[dict[str, Any], int | None]:
    """Return the model and usage of an answer as metadata, and the token count of its thoughts."""
    usage = read_usage(told)
    named = {"model": as_text(model)} if isinstance(model, str) and model else {}
    return {**usage.metadata, **named}, usage.thoughts


def json_object(text: Any, notes: Notes, place: str) -> Mapping[str, Any]:
    """Return the object in a database column; any other value is noted and gives an empty object."""
    held = _json_value(text)
    if not isinstance(held, Mapping):
        notes.add(place, "expected an object as JSON; it was left out")
    return mapping(held)


def json_list(text: Any, notes: Notes, place: str) -> list[Any]:
    """Return the list in a database column; any other value is noted and gives an empty list."""
    held = _json_value(text)
    if not isinstance(held, list):
        notes.add(place, "expected a list as JSON; it was left out")
    return held if isinstance(held, list) else []


def _json_value(text: Any) -> Any:
    try:
        return json.loads(as_text(text))
    except (ValueError, RecursionError):
        return None


def lines_of(source: FileSource, notes: Notes) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the records of a JSON Lines log, a JSON array or a single JSON object, each with its place."""
    if source.shape == "json":
        pairs = [("$", source.json)] if not isinstance(source.json, list) else enumerated("$", source.json)
    else:
        pairs = ((source.place_of(record), record.value) for record in source.records(notes.problems))
    for place, value in pairs:
        if isinstance(value, Mapping):
            yield place, value
        else:
            notes.add(place, f"expected a record (an object), found {kind_of(value)}; it was left out")


def enumerated(place: str, values: Sequence[Any]) -> list[tuple[str, Any]]:
    """Return the items of a list, each with its place."""
    return [(f"{place}[{number}]", value) for number, value in enumerate(values)]


def sure_of(source: FileSource, is_ours: Callable[[Mapping[str, Any]], bool], sure: float = 0.97) -> float:
    """Return `sure` if any of the first records belongs to the format, else 0; 0 also for an unreadable file."""
    try:
        if source.shape == "json_lines":
            values = [record.value for record in source.first_records]
        elif source.shape == "json":
            values = list(source.first_items) if source.raw_items is not None else [source.sample]
        else:
            return 0.0
    except UnreadableError:
        return 0.0
    return sure if any(is_ours(mapping(value)) for value in values) else 0.0


def workspace_of_sessions(
    sessions: Iterable[Session], source: FileSource, left_out: LeftOut, notes: Notes, expected: str
) -> Workspace:
    """Return the sessions that have messages as conversations. Raise UnreadableError if there is none.

    `expected` describes their messages.
    """
    left_out.note()
    spoken = [session for session in sessions if any(session.messages)]
    if not spoken:
        raise notes.unreadable("$", f"expected {expected}, found none")
    for session in spoken:
        _note_lost_calls(session, notes)
    return workspace_of([session.chat() for session in spoken], source, notes)


def _note_lost_calls(session: Session, notes: Notes) -> None:
    """Note the results without a call in the session: the call itself or its id was lost."""
    called = {call.id for message in session.messages for call in message.tool_calls}
    answers = [
        (node.place, message.tool_call_id)
        for node in session.nodes.values()
        for message in node.messages
        if message.role == "tool" and message.tool_call_id not in called
    ]
    if answers:
        place, id_ = answers[0]
        others = f" (so do {len(answers) - 1:,} others)" if answers[1:] else ""
        notes.add(place, f'answers the call "{id_[:_FEW]}", {CALL_IS_LOST}{others}')
