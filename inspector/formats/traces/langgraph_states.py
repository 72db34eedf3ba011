"""The messages of a thread through its states: what each state adds, takes away, summarizes or begins anew.

A state has its whole list of messages. The next one mostly adds to it. If it lacks some of them (`RemoveMessage`) they
stay in the conversation, marked as dropped; if it has a new message ahead of kept ones, that is a summary of the
missing ones (langchain-ai/langmem, `src/langmem/short_term/summarization.py`; langchain-ai/langchain,
`libs/langchain_v1/langchain/agents/middleware/summarization.py`). Any other change begins a branch.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from inspector.formats.compaction import SUMMARY_MARK
from inspector.formats.content.at import At
from inspector.formats.notes import Notes
from inspector.formats.openai.message import is_message, read_message
from inspector.formats.saved_chats import Node
from inspector.formats.traces.langchain_messages import is_langchain, is_removal, read_langchain, with_marks
from inspector.formats.traces.langgraph_values import plain
from inspector.model import Message, changed
from inspector.reading.values import as_text, items_of, mapping

_REMOVED: Mapping[str, Any] = {"recorded": {"action": "dropped", "reason": "removed from the state"}}
_REMOVE_ALL = "__remove_all__"
_OVERWRITE = "__overwrite__"
_LOOKED_AT = 5


def are_messages(value: Any) -> bool:
    """Return whether a value is a list of messages."""
    return isinstance(value, list) and any(map(_is_like_message, value[:_LOOKED_AT]))


def _is_like_message(value: Any) -> bool:
    return is_langchain(with_marks(value)) or is_message(value)


def added(messages: Sequence[Any], written: Any) -> list[Any]:
    """Return the messages after a write to them: added, replaced and removed by their ids.

    langchain-ai/langgraph, in `libs/langgraph/langgraph`: `graph/message.py` (`add_messages`), `channels/binop.py`.
    """
    fields = mapping(written)
    if _OVERWRITE in fields or (are_messages(fields.get("value")) and not _is_like_message(written)):
        return [*items_of(fields.get(_OVERWRITE, fields.get("value")))]
    found = [*messages]
    for one in written if isinstance(written, list) else (written,):
        id_ = _id_of(one)
        if is_removal(one):
            found = [] if id_ == _REMOVE_ALL else [held for held in found if _id_of(held) != id_]
        elif _is_like_message(one):
            place = next((n for n, held in enumerate(found) if id_ and _id_of(held) == id_), len(found))
            found[place : place + 1] = [one]
    return found


def _id_of(value: Any) -> str:
    fields = mapping(value)
    id_ = fields.get("id") if fields.get("lc") != 1 else mapping(fields.get("kwargs")).get("id")
    return id_ if isinstance(id_, str) else ""


@dataclass(frozen=True, slots=True)
class Shown:
    """The messages of a state: the names of their nodes in order, and the node that new messages follow."""

    names: tuple[str, ...] = ()
    tip: str = ""


@dataclass(slots=True)
class History:
    """The nodes of a thread. `kept` are those that stayed beside each summary."""

    notes: Notes
    nodes: dict[str, Node] = field(default_factory=dict)
    kept: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _raw: dict[str, Any] = field(default_factory=dict)
    _below: dict[str, list[str]] = field(default_factory=dict)

    def raw(self, shown: Shown) -> list[Any]:
        """Return the messages of a state as they were saved."""
        return [self._raw[name] for name in shown.names]

    @property
    def every(self) -> Iterable[Any]:
        """All messages as they were saved."""
        return self._raw.values()

    def mark_removed(self, shown: Shown) -> None:
        """Mark the messages before the end of a state that it lacks, but for those that a summary replaced."""
        path: list[str] = []
        name = shown.tip
        while name:
            path.append(name)
            name = self.nodes[name].parent
        waiting: list[str] = []
        for name in reversed(path):
            if name in self.kept:
                waiting = [one for one in waiting if one in self.kept[name]]
            waiting.append(name)
        for name in set(waiting) - set(shown.names):
            self._mark(name, _REMOVED)

    def state(self, messages: Sequence[Any], before: Shown, at: At, time: datetime | None) -> Shown:
        """Return the state of these messages after another state, and add the nodes of its new messages."""
        known = self.raw(before)
        same = next((n for n, pair in enumerate(zip(messages, known, strict=False)) if pair[0] != pair[1]), None)
        same = min(len(messages), len(known)) if same is None else same
        if same == len(known):
            return self._with(before.names, before.tip, messages[same:], at, time)
        shortened = self._shortened(messages, before, at, time)
        if shortened is not None:
            return shortened
        names = before.names[:same]
        return self._with(names, names[-1] if names else "", messages[same:], at, time)

    def _shortened(self, messages: Sequence[Any], before: Shown, at: At, time: datetime | None) -> Shown | None:
        """Return the state if it is the one before without some messages; None for any other change."""
        places = _places(messages, self.raw(before))
        kept = [place for place in places if place is not None]
        left_out = set(range(len(before.names))) - set(kept)
        if not kept or kept != sorted(kept) or not left_out:
            return None
        new = {_id_of(one) for one, place in zip(messages, places, strict=True) if place is None} - {""}
        if new & {_id_of(self._raw[before.names[place]]) for place in left_out}:
            return None  # a message was replaced
        last = max(n for n, place in enumerate(places) if place is not None)
        names = [before.names[place] if place is not None else "" for place in places[: last + 1]]
        summary = [one for one, name in zip(messages, names, strict=False) if not name]
        tip = before.tip
        if summary:
            inserted = self._with((), tip, summary, at, time)
            first, tip = inserted.names[0], inserted.tip
            self._mark(first, {SUMMARY_MARK: True})
            self.kept[first] = tuple(filter(None, names))
            new_names = iter(inserted.names)
            names = [name or next(new_names) for name in names]
        return self._with(tuple(names), tip, messages[last + 1 :], at, time)

    def _mark(self, name: str, metadata: Mapping[str, Any]) -> None:
        node = self.nodes[name]
        marked = (changed(one, metadata={**one.metadata, **metadata}) for one in node.messages)
        self.nodes[name] = Node(node.parent, tuple(marked), node.place)

    def _with(self, names: tuple[str, ...], tip: str, new: Sequence[Any], at: At, time: datetime | None) -> Shown:
        """Return a state with new messages after a node; those already there in another branch are shared."""
        found = [*names]
        for one in new:
            below = self._below.setdefault(tip, [])
            name = next((name for name in below if self._raw[name] == one), "")
            if not name:
                name = self._free(_id_of(one))
                below.append(name)
                self._raw[name] = one
                self.nodes[name] = Node(tip, tuple(_read(one, at, time)), at.place)
            found.append(name)
            tip = name
        return Shown(tuple(found), tip)

    def _free(self, id_: str) -> str:
        wanted = id_ or f"m{len(self.nodes)}"
        name, number = wanted, 2
        while name in self.nodes:
            name, number = f"{wanted}-{number}", number + 1
        return name


def _places(messages: Sequence[Any], known: Sequence[Any]) -> list[int | None]:
    """Return where each message is among the known ones, each of which is used once; None for a new one."""
    free: dict[str, list[int]] = {}
    for place, one in enumerate(known):
        free.setdefault(_id_of(one), []).append(place)
    found: list[int | None] = []
    for one in messages:
        alike = free.get(_id_of(one), [])
        place = next((place for place in alike if known[place] == one), None)
        if place is not None:
            alike.remove(place)
        found.append(place)
    return found


def _read(value: Any, at: At, time: datetime | None) -> list[Message]:
    """Return the messages of a saved one, with the time of its state if it has none."""
    value = plain(value)
    if is_message(value) and not is_langchain(value):
        found = read_message(value, at.notes, at.place)
    else:
        found = read_langchain(with_marks(value), at.notes, at.place)
    return [changed(one, id="", time=one.time or time) for one in found]


def text_of_summary(value: Any, depth: int = 3) -> str:
    """Return the summary that a channel holds: its text, or langmem's `RunningSummary` in it; "" for none."""
    fields = mapping(value)
    if isinstance(fields.get("summary"), str):
        return as_text(fields["summary"])
    inner = (text_of_summary(held, depth - 1) for held in fields.values()) if depth else ()
    return next(filter(None, inner), "")
