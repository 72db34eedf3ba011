"""The items of a native workspace file: each list at full speed if it is sound, item by item if it is not."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

import msgspec
import msgspec.structs

from inspector.formats.native.messages import plain_message
from inspector.formats.unique_ids import with_unique_ids
from inspector.model import (
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
    Passage,
    PastSummary,
    Probe,
    Problem,
    Severity,
    changed,
)
from inspector.model.ranges import HIGHEST
from inspector.reading.decode import converted, hints_of, is_record, kind_of, type_problem, unknown_keys
from inspector.reading.values import parse_time

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
    return frozenset(field.name for field in msgspec.structs.fields(into) if not field.required)


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
        self._note_unknown(items, into, place)
        if into in _CHILDREN:
            return self._with_children(items, into, place)
        try:
            found: list[Any] = converted(items, list[into])
        except (msgspec.ValidationError, RecursionError):
            found = [self._read_item(item, into, f"{place}[{index}]") for index, item in enumerate(items)]
        return self._unique(self._checked(found, into, place), into, place)

    def _note_unknown(self, items: list[Any], into: type, place: str) -> None:
        flat = _flat_keys(into)
        child = _CHILDREN.get(into, ("", into))[0]
        for index, item in enumerate(items):
            if isinstance(item, dict) and not item.keys() <= flat:
                apart = (child, "tree") if into is Conversation else (child,)
                own = {key: inner for key, inner in item.items() if key not in apart}
                self.problems += unknown_keys(own, into, self.file, f"{place}[{index}]")

    def _read_item(self, item: Any, into: type, place: str) -> Any:
        """Return an item without its invalid optional fields; None, with a problem, if a required field is invalid."""
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
            whole = self._read_item(outer, into, here)
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
        return [item and self._in_range(item, f"{place}[{index}]") for index, item in enumerate(items)]

    def _in_range(self, item: Any, place: str) -> Any:
        for name, highest in HIGHEST[type(item)].items():
            figure = getattr(item, name)
            if figure is not None and not 0 <= figure <= highest:
                nearest = max(0, min(figure, highest))
                message = f"expected 0 to {highest:,}, found {figure:g}; {nearest:,} was taken"
                self.problem(f"{place}.{name}", message, "warning")
                item = changed(item, **{name: type(figure)(nearest)})
        return item


def _with_zone(item: Any) -> Any:
    if item is None or item.time is None or item.time.tzinfo:
        return item
    return changed(item, time=parse_time(item.time))


def _prepared(item: Any, index: int, into: type) -> Any:
    """Return the item with alternative spellings as in the model: id, time, tool calls."""
    if not isinstance(item, dict):
        return item
    prefix = _ID_PREFIX.get(into)
    id_ = item.get("id")
    if prefix and type(id_) is not str and (id_ is None or type(id_) is int):
        item = {**item, "id": f"{prefix}{index}" if id_ is None else str(id_)}
    time = item.get("time")
    if time is not None and not (isinstance(time, str) and time[10:11] in ("T", " ")):
        item = {**item, "time": parse_time(time) or time}
    return plain_message(item) if into is Message else item
