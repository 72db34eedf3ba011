"""Databases of LangGraph's SQLite checkpointer: each thread with its messages, from its first state to its last.

langchain-ai/langgraph, `libs/checkpoint-sqlite/langgraph/checkpoint/sqlite/__init__.py` (`setup`, `get_tuple`: tables
`checkpoints` and `writes`; before version 1 `thread_ts` and `parent_ts` for the ids, and no `type`), `_delta.py` and
`libs/langgraph/langgraph/channels/delta.py` (channels of which only the writes are saved); langchain-ai/langgraphjs,
`libs/checkpoint-sqlite/src/index.ts`. The newest state of a thread is the shown one, as for `get_state`. Each list of
messages in the states is a conversation, unless another has all of its messages.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.figures import counted
from inspector.formats.content.at import At
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, title_of, workspace_of
from inspector.formats.traces.langgraph_states import History, Shown, added, are_messages, text_of_summary
from inspector.formats.traces.langgraph_values import NotReadError, value_of
from inspector.model import PastSummary, Workspace
from inspector.reading.source import FileSource
from inspector.reading.sqlite import Database, has_tables, opened
from inspector.reading.values import as_number, as_text, items_of, mapping, parse_time

_IDS, _PARENTS = ("checkpoint_id", "thread_ts"), ("parent_checkpoint_id", "parent_ts")
_COLUMNS = ("thread_id", "checkpoint_ns", *_IDS, *_PARENTS)
_MAIN = "messages"
_INNER = (
    *("__start__", "__pregel", "__input__", "__error__", "__interrupt__", "__resume__"),
    *("branch:", "start:", "join:"),
)
"""Beginnings of the names of channels of LangGraph itself."""

_Thread = tuple[str, str]
"""The id of a thread and the namespace of a graph inside of it ("" for the outer one)."""


def sniff(source: FileSource) -> float:
    """Return how likely this is a database of checkpoints."""
    return 0.97 if has_tables(source, checkpoints="thread_id checkpoint metadata") else 0.0


@dataclass(slots=True)
class _State:
    """A checkpoint: its id, the messages of each channel, and its other values."""

    id: str
    shown: dict[str, Shown] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Threads:
    """The threads of a database; `waiting` counts the states to come that follow each one, which is kept so long."""

    notes: Notes
    writes: Mapping[tuple[str, str, str], list[dict[str, Any]]]
    waiting: Counter[tuple[str, str, str]]
    histories: dict[_Thread, dict[str, History]] = field(default_factory=dict)
    newest: dict[_Thread, _State] = field(default_factory=dict)
    _held: dict[tuple[str, str, str], _State] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add the state of a checkpoint; one that cannot be read is noted."""
        thread = _thread(row)
        id_, parent = _first(row, _IDS), (*thread, _first(row, _PARENTS))
        at = At(self.notes, f"checkpoints: {id_ or '?'}")
        before = self._held.get(parent, _State(""))
        self.waiting[parent] -= 1
        if self.waiting[parent] <= 0:
            self._held.pop(parent, None)
        saved = _saved(row.get("type"), row.get("checkpoint"), at)
        if saved is None:
            return
        state = self._state(thread, id_, mapping(saved), before, at)
        if self.waiting[(*thread, id_)] > 0:
            self._held[(*thread, id_)] = state
        if thread not in self.newest or id_ >= self.newest[thread].id:
            self.newest[thread] = state

    def _state(self, thread: _Thread, id_: str, saved: Mapping[str, Any], before: _State, at: At) -> _State:
        values = saved.get("channel_values")
        if not isinstance(values, Mapping):
            at.note("expected the values of the state (channel_values), found none; it was left out", "error")
            return _State(id_, before.shown)
        lists = {name: held for name, held in values.items() if _is_channel(name) and are_messages(held)}
        grown = {name for name in mapping(saved.get("channel_versions")) if name not in values}
        for name, written in self._written(thread, before.id):
            if name in grown:
                held = before.shown.get(name, Shown())
                lists[name] = added(lists.get(name) or self._history(thread, name).raw(held), written)
        shown = dict(before.shown)
        time = parse_time(saved.get("ts"))
        for name, held in lists.items():
            place = at.below(f": $.channel_values.{name}")
            shown[name] = self._history(thread, name).state(held, shown.get(name, Shown()), place, time)
        for name in shown.keys() & values.keys() - lists.keys():
            if values[name] == []:
                shown[name] = Shown()
        return _State(id_, shown, values)

    def _history(self, thread: _Thread, channel: str) -> History:
        return self.histories.setdefault(thread, {}).setdefault(channel, History(self.notes))

    def _written(self, thread: _Thread, id_: str) -> Iterator[tuple[str, Any]]:
        """Yield what the steps from a checkpoint wrote, by the name of the channel."""
        rows = self.writes.get((*thread, id_), ())
        for row in sorted(rows, key=lambda row: (as_text(row.get("task_id")), as_number(row.get("idx")) or 0.0)):
            name = as_text(row.get("channel"))
            if _is_channel(name):
                at = At(self.notes, f"writes: {id_}: {name}")
                value = _saved(row.get("type"), row.get("value"), at)
                if value is not None:
                    yield name, value

    def finish(self) -> None:
        """Add to the newest states what unfinished steps wrote after them."""
        for thread, state in self.newest.items():
            for name, written in self._written(thread, state.id):
                held = state.shown.get(name, Shown())
                is_list = name in state.shown or name == _MAIN or are_messages(written)
                if not is_list:
                    continue
                history = self._history(thread, name)
                after = added(history.raw(held), written)
                at = At(self.notes, f"writes: {state.id}: {name}")
                if len(after) > len(held.names):
                    said = counted(len(after) - len(held.names), "message")
                    at.note(f"has {said} of a step that was not finished", "info")
                state.shown[name] = history.state(after, held, at, None)


def _is_channel(name: Any) -> bool:
    return isinstance(name, str) and not name.startswith(_INNER)


def _thread(row: Mapping[str, Any]) -> _Thread:
    return as_text(row.get("thread_id")), as_text(row.get("checkpoint_ns"))


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((as_text(row[name]) for name in names if row.get(name) is not None), "")


def _saved(kind: Any, data: Any, at: At) -> Any:
    """Return a saved value; None for one that cannot be read, which is noted."""
    held = data if isinstance(data, bytes) else as_text(data).encode()
    try:
        return value_of(as_text(kind), held)
    except NotReadError as error:
        at.note(f"{error}; it was left out", "error")
        return None


def load(source: FileSource) -> Workspace:
    """Return the threads with messages. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    with opened(source) as database:
        threads = _read(database, notes)
    chats: list[SavedChat] = []
    for thread, state in threads.newest.items():
        chats += _chats(thread, state, threads.histories.get(thread, {}), notes)
    if not chats:
        raise notes.unreadable("checkpoints", _nothing(threads))
    return workspace_of(chats, source, notes)


def _read(database: Database, notes: Notes) -> _Threads:
    followed = Counter((*_thread(row), _first(row, _PARENTS)) for row in database.rows("checkpoints", *_COLUMNS))
    writes: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for row in database.rows("writes", *_COLUMNS[:3], "task_id", "idx", "channel", "type", "value"):
        writes.setdefault((*_thread(row), _first(row, _IDS)), []).append(row)
    threads = _Threads(notes, writes, followed)
    for row in database.rows("checkpoints", *_COLUMNS, "type", "checkpoint"):
        threads.add(row)
    threads.finish()
    return threads


def _chats(thread: _Thread, state: _State, histories: Mapping[str, History], notes: Notes) -> list[SavedChat]:
    """Return a chat for each list of messages, the longest of which may have all messages of another one."""
    names = sorted(histories, key=lambda name: (name != _MAIN, -len(histories[name].nodes)))
    found: list[SavedChat] = []
    said: list[Any] = []
    for name in names:
        if histories[name].nodes and not all(one in said for one in histories[name].every):
            said += histories[name].every
            found.append(_chat(thread, name if found else "", state.shown.get(name, Shown()), histories[name]))
    if found:
        _say_beside(found[0], state, notes)
    return found


def _chat(thread: _Thread, channel: str, shown: Shown, history: History) -> SavedChat:
    history.mark_removed(shown)
    path = [message for name in shown.names for message in history.nodes[name].messages]
    models = [as_text(model) for message in path if (model := message.metadata.get("model"))]
    return SavedChat(
        history.nodes,
        shown.tip or None,
        f"checkpoints: {thread[0]}",
        ":".join(filter(None, (*thread, channel))),
        title_of(path),
        model=models[-1] if models else "",
        kept=history.kept,
    )


def _say_beside(chat: SavedChat, state: _State, notes: Notes) -> None:
    """Keep the summaries that a state has beside its messages, and name the other texts in it."""
    others: list[str] = []
    summaries: list[PastSummary] = []
    for name, value in state.values.items():
        if not _is_channel(name) or name in state.shown or are_messages(value):
            continue
        text = as_text(value) if "summary" in name and isinstance(value, str) else text_of_summary(value)
        if text:
            summaries.append(PastSummary(f"{chat.id}-{name}", text))
        elif _has_text(value):
            others.append(name)
    chat.beside = {"summaries": tuple(summaries)} if summaries else {}
    if others:
        listed = ", ".join(others[:5]) + (", …" if len(others) > 5 else "")
        notes.add(chat.place, f"has other values in its state, which belong to no message: {listed}", "info")


def _has_text(value: Any) -> bool:
    if isinstance(value, str):
        return " " in value.strip()
    inner = value.values() if isinstance(value, Mapping) else items_of(value)
    return any(map(_has_text, inner))


def _nothing(threads: _Threads) -> str:
    names = sorted({name for state in threads.newest.values() for name in state.values if _is_channel(name)})
    listed = f"; its states have {', '.join(names[:8])}" if names else ""
    return f"expected states with messages, found none{listed}"


FORMAT = Format(
    "langgraph",
    "LangGraph checkpoints (SQLite)",
    sniff,
    load,
    "a database with `checkpoints` that have a `thread_id` and a `checkpoint`",
)
