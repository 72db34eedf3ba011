"""Our own workspace files (`*.workspace.json`, `*.workspace.yaml`): validated, with a problem for each bad item.

The keys are those of the dataclasses in `inspector.model`; `write` writes them.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

import msgspec
import msgspec.structs

from inspector.formats.format import Format
from inspector.formats.native.parts import needs_parts, read_parts, taken_apart
from inspector.formats.unique_ids import with_unique_ids
from inspector.model import (
    Attachment,
    Character,
    Component,
    Conversation,
    Document,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    MessageTree,
    Owners,
    Part,
    Passage,
    PastSummary,
    Probe,
    Problem,
    Severity,
    SkippedFile,
    Tool,
    Workspace,
    changed,
    with_parts,
)
from inspector.model.workspace import HIGHEST
from inspector.reading.decode import (
    check_format,
    converted,
    decode,
    hints_of,
    is_record,
    kind_of,
    read_value,
    settled,
    type_problem,
    unknown_keys,
)
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, parse_time

_CHILDREN: dict[type, tuple[str, type]] = {
    Conversation: ("messages", Message),
    MemorySet: ("memories", Memory),
    Character: ("components", Component),
    Lorebook: ("entries", LoreEntry),
}
_ID_PREFIX: dict[type, str] = {
    Message: "m",
    Conversation: "c",
    Memory: "memory",
    MemorySet: "memories",
    Character: "character",
    Component: "component",
    Lorebook: "lorebook",
    LoreEntry: "entry",
    Passage: "passage",
    PastSummary: "summary",
    Document: "document",
    Probe: "probe",
}


@cache
def _flat_keys(into: type) -> frozenset[str]:
    """Return the keys below which no other key can be unknown."""
    nested = {name for name, hint in hints_of(into).items() if "inspector.model" in str(hint) or is_record(hint)}
    return frozenset(hints_of(into)) - nested


@cache
def _optional_keys(into: type) -> frozenset[str]:
    optional = frozenset(field.name for field in msgspec.structs.fields(into) if not field.required)
    return optional - {"content"} if into is Message else optional


class ItemReader:
    """Reads the lists of a file and collects their problems."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def problem(self, place: str, message: str, severity: Severity = "error") -> None:
        """Note a problem of the file."""
        self.problems.append(Problem(self.file, place, message, severity))

    def list_at(self, value: Any, place: str) -> Sequence[Any]:
        """Return the value if it is a list, else an empty list and note a problem; null is an empty list."""
        if value is not None and not isinstance(value, list | tuple):
            self.problem(place, f"expected a list, found {kind_of(value)}")
            return ()
        return value or ()

    def read_list(self, value: Any, into: type, place: str) -> tuple[Any, ...]:
        """Return the items of a list as instances of `into`, without unusable items."""
        items = [_prepared(item, index, into) for index, item in enumerate(self.list_at(value, place))]
        parts = self._take_parts(items, place) if into is Message else {}
        self._note_unknown(items, into, place)
        if into in _CHILDREN:
            return self._with_children(items, into, place)
        found = _all_converted(items, into)
        if found is None:
            found = [self.record(item, into, f"{place}[{index}]") for index, item in enumerate(items)]
        for index, held in parts.items():
            found[index] = found[index] and with_parts(found[index], held)
        return self._unique(self._checked(found, into, place), into, place)

    def _take_parts(self, items: list[Any], place: str) -> dict[int, list[Part]]:
        """Return the parts of messages by their places, and leave the rest of these in the list."""
        found: dict[int, list[Part]] = {}
        for index, item in enumerate(items):
            if isinstance(item, dict) and needs_parts(item):
                items[index], found[index] = taken_apart(item, self, f"{place}[{index}]")
        return found

    def parts(self, items: list[Any], place: str) -> list[Part]:
        """Return a list of parts."""
        return read_parts(items, self, place)

    def _note_unknown(self, items: list[Any], into: type, place: str) -> None:
        flat = _flat_keys(into)
        child = _CHILDREN.get(into, ("", into))[0]
        for index, item in enumerate(items):
            if isinstance(item, dict) and not item.keys() <= flat:
                apart = (child, "tree") if into is Conversation else (child,)
                own = {key: inner for key, inner in item.items() if key not in apart}
                self.problems += unknown_keys(own, into, self.file, f"{place}[{index}]")

    def record(self, item: Any, into: type, place: str) -> Any:
        """Return an item without its invalid optional fields; None, with a problem, if a required field is invalid."""
        if _lacks_content(item, into):
            self.problem(f"{place}.content", "is required and missing")
            return None
        while True:
            try:
                return converted(item, into)
            except (msgspec.ValidationError, RecursionError) as error:
                problem = type_problem(error, into, self.file, place)
            name = problem.place.removeprefix(place).lstrip(".").split(".")[0].split("[")[0]
            self.problems.append(problem)
            if name not in _optional_keys(into) or name not in item:
                return None
            item = {key: inner for key, inner in item.items() if key != name}

    def _with_children(self, items: list[Any], into: type, place: str) -> tuple[Any, ...]:
        name, kind = _CHILDREN[into]
        found: list[Any] = []
        for index, item in enumerate(items):
            here = f"{place}[{index}]"
            inner = item.get(name, ()) if isinstance(item, dict) else ()
            outer = {**item, name: ()} if isinstance(item, dict) else item
            tree = outer.pop("tree", None) if into is Conversation and isinstance(outer, dict) else None
            whole = self.record(outer, into, here)
            if whole is not None:
                whole = changed(whole, **{name: self.read_list(inner, kind, f"{here}.{name}")})
            if whole is not None and tree is not None:
                whole = self._with_tree(cast(Conversation, whole), tree, f"{here}.tree")
            found.append(whole)
        return self._unique(self._checked(found, into, place), into, place)

    def _with_tree(self, conversation: Conversation, value: Any, place: str) -> Conversation:
        """Return the conversation with the tree of its branches, whose messages may be ids of messages of its path."""
        if not isinstance(value, Mapping):
            self.problem(place, f"expected an object with messages, parents and leaf, found {kind_of(value)}")
            return conversation
        for key in value.keys() - {"messages", "parents", "leaf"}:
            self.problem(f"{place}.{key}", "is not known in a tree; expected messages, parents and leaf", "warning")
        own = {message.id: message for message in conversation.messages}
        nodes = self.list_at(value.get("messages"), f"{place}.messages")
        written = [node for node in nodes if not (isinstance(node, str) and node in own)]
        read = self.read_list(written, Message, f"{place}.messages")
        parents = tuple(self.list_at(value.get("parents"), f"{place}.parents"))
        leaf = value.get("leaf", "")
        before = len(self.problems)
        listed = dict.fromkeys(node for node in nodes if isinstance(node, str) and node in own)
        of_the_tree = self._unique([*(own[node] for node in listed), *read], Message, f"{place}.messages")
        others = iter(of_the_tree[len(listed) :])
        messages = tuple(own[node] if isinstance(node, str) and node in own else next(others, None) for node in nodes)
        sound = (
            None not in messages
            and len(messages) == len(parents) == len(listed) + len(written)  # else a message is in it twice
            and all(isinstance(one, str) for one in (*parents, leaf))
        )
        if not sound:
            if len(self.problems) == before:
                self.problem(place, "expected as many parents (ids) as messages; the tree was left out", "warning")
            return conversation
        return changed(conversation, tree=MessageTree(cast("tuple[Message, ...]", messages), parents, leaf))

    def _unique(self, items: list[Any], into: type, place: str) -> tuple[Any, ...]:
        """Return the readable items, with unique ids."""
        positions = [index for index, item in enumerate(items) if item is not None]
        sound = tuple(items[index] for index in positions)
        if into not in _ID_PREFIX:
            return sound
        unique, problems = with_unique_ids(sound, lambda index: (self.file, f"{place}[{positions[index]}]"), "warning")
        self.problems += problems
        return unique

    def _checked(self, items: list[Any], into: type, place: str) -> list[Any]:
        """Return the items with aware times and with figures in their ranges."""
        if "time" in hints_of(into):
            items = [_with_zone(item) for item in items]
        if into not in HIGHEST:
            return items
        return [item and self.in_range(item, f"{place}[{index}]") for index, item in enumerate(items)]

    def in_range(self, item: Any, place: str) -> Any:
        """Return the item with each figure at the nearest value of its range, and note those outside of it."""
        for name, highest in HIGHEST.get(type(item), {}).items():
            figure = getattr(item, name, None)
            if isinstance(item, Memory) and name == "similarity":
                continue  # on the scale of its set
            if figure is not None and not 0 <= figure <= highest:
                nearest = max(0, min(figure, highest))
                message = f"expected 0 to {highest:,}, found {figure:g}; {nearest:,} was taken"
                self.problem(f"{place}.{name}", message, "warning")
                item = changed(item, **{name: type(figure)(nearest)})
        return item


def _lacks_content(item: Any, into: type) -> bool:
    """Return whether a message has no content at all; in the model, only one without parts needs it."""
    return into is Message and isinstance(item, dict) and "content" not in item


def _all_converted(items: list[Any], into: type) -> list[Any] | None:
    """Return the items as records; None if any is not one."""
    if any(_lacks_content(item, into) for item in items):
        return None
    try:
        return converted(items, list[into])
    except (msgspec.ValidationError, RecursionError):
        return None


def _with_zone(item: Any) -> Any:
    if item is None or item.time is None or item.time.tzinfo:
        return item
    return changed(item, time=parse_time(item.time))


def _prepared(item: Any, index: int, into: type) -> Any:
    """Return the item with alternative spellings as in the model: id and time."""
    if not isinstance(item, dict):
        return item
    prefix = _ID_PREFIX.get(into)
    id_ = item.get("id")
    if prefix and type(id_) is not str and (id_ is None or type(id_) is int):
        item = {**item, "id": f"{prefix}{index}" if id_ is None else str(id_)}
    time = item.get("time")
    if time is not None and not (isinstance(time, str) and time[10:11] in ("T", " ")):
        item = {**item, "time": parse_time(time) or time}
    return item


WORKSPACE = "prompt-inspector/workspace@1"
PROBES = "prompt-inspector/probes@1"
_KIND = re.compile(r"prompt-inspector/([a-z]+)@\d+$")


def native_kind(value: Any) -> str:
    """Return the word after `prompt-inspector/` in the `format` of a value (`workspace`, `scenario`, …), else ""."""
    name = value.get("format") if isinstance(value, dict) else None
    match = _KIND.match(name) if isinstance(name, str) else None
    return match[1] if match else ""


def other_native_kind(source: FileSource) -> str:
    """Return the kind of a native file that is not a workspace, such as `scenario` or `inspection`, else ""."""
    kind = native_kind(source.sample)
    return "" if kind == "workspace" else kind


__all__ = ["FORMAT", "decode", "read_value", "workspace_from"]

_LISTS: dict[str, type] = {
    "conversations": Conversation,
    "memory_sets": MemorySet,
    "characters": Character,
    "lorebooks": Lorebook,
    "passages": Passage,
    "summaries": PastSummary,
    "documents": Document,
    "attachments": Attachment,
    "skipped": SkippedFile,
    "probes": Probe,
}
_OWNERS = "conversations"
_KEYS = frozenset((*_LISTS, "format", "tools", "tool_origins"))
_TELLING = frozenset(("memory_sets", "characters", "lorebooks", "passages", "summaries", "documents", "attachments"))


def workspace_from(value: Any, file: str) -> Workspace:
    """Return the workspace described by a value in the contract's layout; `file` is named in its problems.

    A bad item is left out (a bad optional field of it only the field) with a problem with its JSON path. Raise
    UnreadableError if the value is no object or names another kind of file.
    """
    if not isinstance(value, Mapping):
        raise UnreadableError(
            Problem(file, "$", f"expected an object with the lists of a workspace, found {kind_of(value)}")
        )
    check_format(value, WORKSPACE, file)
    reader = ItemReader(file)
    lists: dict[str, Any] = {}
    for key, items in value.items():
        place = f"$.{key}"
        if key not in _KEYS:
            reader.problem(place, "is not a known key; it was skipped", "warning")
        elif key in _LISTS:
            lists[key] = reader.read_list(items, _LISTS[key], place)
    lists["tools"] = _tools(reader, value)
    return Workspace(**lists, problems=tuple(reader.problems))


def _tools(reader: ItemReader, value: Mapping[str, Any]) -> tuple[Tool, ...]:
    named = value.get("tool_origins")
    origins = named if isinstance(named, list) else []
    tools: list[Tool] = []
    for index, entry in enumerate(reader.list_at(value.get("tools", ()), "$.tools")):
        if not isinstance(entry, Mapping):
            reader.problem(
                f"$.tools[{index}]", f"expected the definition of a tool (an object), found {kind_of(entry)}"
            )
            continue
        known = index < len(origins) and isinstance(origins[index], str)
        schema = {key: held for key, held in entry.items() if key != _OWNERS}
        tools.append(Tool(schema, _owners(reader, entry, f"$.tools[{index}]"), origins[index] if known else ""))
    return tuple(tools)


def _owners(reader: ItemReader, entry: Mapping[str, Any], place: str) -> Owners:
    """Return the conversations named beside a definition: they are no part of it."""
    named = entry.get(_OWNERS)
    if named is None or (isinstance(named, list | tuple) and all(isinstance(one, str) for one in named)):
        return None if named is None else tuple(named)
    reader.problem(f"{place}.{_OWNERS}", f"expected a list of ids, found {kind_of(named)}")
    return None


def _sniff(source: FileSource) -> float:
    if source.shape not in ("json", "yaml"):
        return 0.0
    value = source.sample
    kind = native_kind(value)
    if kind:
        return 1.0 if kind == "workspace" else 0.0
    if not isinstance(value, Mapping) or isinstance(source.raw_items, tuple):
        return 0.0
    return 0.6 if value.keys() & _TELLING and value.keys() <= _KEYS else 0.0


def _load(source: FileSource) -> Workspace:
    value = source.yaml if source.shape == "yaml" else source.json
    return workspace_from(settled(value, Workspace), source.path)


FORMAT = Format(
    "native",
    "Prompt Inspector workspace",
    _sniff,
    _load,
    "`format: prompt-inspector/workspace`, or nothing but keys of a workspace",
)
