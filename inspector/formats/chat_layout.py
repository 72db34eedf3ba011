"""A declared layout of saved chats, and the format that follows from it.

Most exports differ only in where they keep the same few things. A `ChatLayout` says where: the paths to the chats of a
file and to their turns, and in a `TurnLayout` those in a turn. Forks and other oddities are code of their own format.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.formats.compaction import SUMMARY_MARK, recorded_actions
from inspector.formats.content.at import At
from inspector.formats.format import Format
from inspector.formats.node_tree import tree_with
from inspector.formats.notes import Notes
from inspector.formats.paths import Paths, all_at, has_marks, step, word_at
from inspector.formats.saved_chats import Node, SavedChat, first_values, title_of, values_of, workspace_of
from inspector.formats.turn_layout import TurnLayout
from inspector.formats.unique_ids import unique_texts
from inspector.model import Message, PastSummary, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_number, as_whole, parse_time

_LOOKED_AT = 8
_SURE, _POSSIBLE = 0.95, 0.6

_Placed = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class _Talk:
    """A chat of a file: the values that tell about it, and its turns, each with its place."""

    about: Sequence[Any]
    turns: Sequence[_Placed]
    place: str

    def word(self, paths: Paths) -> str:
        """Return the first word that any of the values has at the paths, "" for none."""
        return next((word for value in self.about if (word := word_at(value, paths))), "")


@dataclass(frozen=True, slots=True)
class ChatLayout:
    """Where the files of a format keep their chats; of several paths the first with a value counts.

    `name`, `title` and `sign` are those of the format; `expected` describes a chat. `chats` lead from the document to a
    list or an object of chats, which files also hold outside of it, alone, in a list, or as lines. `turns` lead from a
    chat to the list or object of its turns; without them, the values of the file are the turns themselves, of one
    chat, or of those named at `group`. `before` leads to turns ahead of these. `marks` are paths that every chat has
    (`a|b` is either). `title_at`, `system`, `model`, `window`, `leaf` (the id of the last turn shown) and `id` are
    paths in a chat, or in any of its lines. `order` is the number or time by which turns are sorted. Where no turn
    names a parent, the turns are a list; `is_newest_first` says in which direction. `memory` is a summary of earlier
    turns, kept beside them.
    """

    name: str
    title: str
    sign: str
    expected: str
    turn: TurnLayout
    turns: Paths = ()
    chats: Paths = ()
    group: Paths = ()
    before: Paths = ()
    marks: Paths = ()
    id: Paths = ()
    title_at: Paths = ()
    system: Paths = ()
    model: Paths = ()
    window: Paths = ()
    leaf: Paths = ()
    order: Paths = ()
    memory: Paths = ()
    is_newest_first: bool = False

    @property
    def format(self) -> Format:
        """The format of files with this layout."""
        return Format(self.name, self.title, self.sniff, self.load, self.sign)

    def sniff(self, source: FileSource) -> float:
        """Return how likely the file holds such chats: sure by a turn that is read, possible by an empty chat."""
        try:
            values = first_values(source)
        except UnreadableError:
            return 0.0
        if not self.turns:
            return _SURE if any(map(self.turn.is_turn, _items(values))) else 0.0
        chats = [chat for value in values for _, chat in self._listed("", value) if self._is_chat(chat)]
        turns = [[one for _, one in _placed_items(*self._turns(chat))] for chat in chats[:_LOOKED_AT]]
        if any(self.turn.is_turn(one) for found in turns for one in found[:_LOOKED_AT]):
            return _SURE
        return _POSSIBLE if self.marks and turns and not any(turns) else 0.0

    def load(self, source: FileSource) -> Workspace:
        """Return the chats of a file. Raise UnreadableError if there is none."""
        notes = Notes(source.path)
        chats = [self._read(talk, notes) for talk in self._talks(source, notes)]
        if not chats:
            raise notes.unreadable("$", f"expected {self.expected}, found none")
        return workspace_of(chats, source, notes)

    def _talks(self, source: FileSource, notes: Notes) -> Iterator[_Talk]:
        if not self.turns:
            yield from self._grouped(source, notes)
            return
        for place, value in values_of(source, notes):
            for at, chat in self._listed(place, value):
                if self._is_chat(chat):
                    before = [pair for path, held in all_at(chat, self.before) for pair in _placed_items(path, held)]
                    turns = [*before, *_placed_items(*self._turns(chat))]
                    yield _Talk((chat,), self._sorted([(at + path, turn) for path, turn in turns]), at)
                else:
                    notes.add(at, f"expected {self.expected}; it was left out", "error")

    def _grouped(self, source: FileSource, notes: Notes) -> Iterator[_Talk]:
        """Yield the chats of a file whose values are turns."""
        groups: dict[str, list[_Placed]] = {}
        last = ""
        for place, value in values_of(source, notes):
            last = word_at(value, self.group) or last
            groups.setdefault(last, []).append((place, value))
        for name, turns in groups.items():
            if any(self.turn.is_turn(turn) for _, turn in turns):
                yield _Talk([value for _, value in turns], self._sorted(turns), turns[0][0])
            else:
                notes.add(turns[0][0], f"expected {self.expected}, found no turn of {name or 'it'}", "error")

    def _sorted(self, turns: list[_Placed]) -> list[_Placed]:
        """Return the turns in their order, if the layout has any and every turn a place in it."""
        keys = [_rank(next((held for _, held in all_at(turn, self.order)), None)) for _, turn in turns]
        if not self.order or None in keys:
            return turns
        return [turn for _, turn in sorted(zip(keys, turns, strict=True), key=lambda pair: pair[0] or 0.0)]

    def _listed(self, place: str, value: Any) -> Iterator[_Placed]:
        """Yield the chats of a document, or the value, which is then meant as one."""
        listed = [(path, held) for path, held in all_at(value, self.chats) if _is_list(held)]
        if not listed:
            yield place, unwrapped(value)
        for path, held in listed:
            if self._is_chat(unwrapped(held)):
                yield place + step(path), unwrapped(held)
                continue
            yield from ((place + at, unwrapped(chat)) for at, chat in _placed_items(path, held))

    def _is_chat(self, chat: Any) -> bool:
        return has_marks(chat, self.marks) and _is_list(self._turns(chat)[1])

    def _turns(self, chat: Any) -> tuple[str, Any]:
        """Return the path and the value of the turns of a chat."""
        return next(((path, held) for path, held in all_at(chat, self.turns) if _is_list(held)), ("", None))

    def _read(self, talk: _Talk, notes: Notes) -> SavedChat:
        nodes, kept_from = self._nodes(talk, notes)
        leaf = talk.word(self.leaf)
        if not any(node.parent for node in nodes.values()):
            nodes, leaf = _in_line(nodes, self.is_newest_first), ""
        leaf = _mark_compacted(nodes, leaf, kept_from)
        said = [message for node in nodes.values() for message in node.messages]
        asked = (model for _, turn in reversed(talk.turns) if (model := self.turn.model_of(turn)))
        return SavedChat(
            nodes,
            leaf or None,
            talk.place + step(self.leaf[0] if self.leaf else ""),
            talk.word(self.group) or talk.word(self.id),
            talk.word(self.title_at) or title_of(said),
            talk.word(self.system),
            talk.word(self.model) or next(asked, ""),
            as_whole(talk.word(self.window)),
            beside=self._beside(talk),
        )

    def _beside(self, talk: _Talk) -> dict[str, tuple[PastSummary, ...]]:
        """Return the summary that the application keeps of a chat, if it has one."""
        text = talk.word(self.memory)
        return {"summaries": (PastSummary(f"{talk.word(self.id) or 'chat'}-summary", text),)} if text else {}

    def _nodes(self, talk: _Talk, notes: Notes) -> tuple[dict[str, Node], str]:
        """Return the nodes of the turns, and the id from which on the last summary was sent with messages."""
        names = unique_texts(word_at(turn, self.turn.id) or f"m{n}" for n, (_, turn) in enumerate(talk.turns))
        nodes: dict[str, Node] = {}
        depths: dict[str, int] = {}
        kept_from = ""
        for number, (name, (place, turn)) in enumerate(zip(names, talk.turns, strict=True)):
            parent = word_at(turn, self.turn.parent)
            depth = depths.get(parent, 0 if parent else number)
            messages = self.turn.read(unwrapped(turn), At(notes, place), depth)
            depths[name] = depth + (not self.turn.is_silent(turn))
            nodes[name] = Node(parent, messages, place)
            if any(message.metadata.get(SUMMARY_MARK) for message in messages):
                kept_from = self.turn.kept_from_of(turn)
        return nodes, kept_from


def _rank(value: Any) -> float | None:
    time = parse_time(value) if isinstance(value, str) else None
    return time.timestamp() if time else as_number(value)


def _is_list(value: Any) -> bool:
    return isinstance(unwrapped(value), list | Mapping)


def _items(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        yield from value if isinstance(value, list) else (value,)


def _placed_items(path: str, value: Any) -> Iterator[_Placed]:
    """Yield the items of a list, or the values of an object, each with its place."""
    value = unwrapped(value)
    if isinstance(value, Mapping):
        yield from ((f"{step(path)}.{key}", item) for key, item in value.items())
    elif isinstance(value, list):
        yield from ((f"{step(path)}[{number}]", item) for number, item in enumerate(value))


def _in_line(nodes: Mapping[str, Node], is_newest_first: bool) -> dict[str, Node]:
    """Return nodes that name no parent as a line."""
    names = [*nodes][:: -1 if is_newest_first else 1]
    above = ["", *names]
    return {
        name: Node(before, nodes[name].messages, nodes[name].place) for name, before in zip(names, above, strict=False)
    }


def _mark_compacted(nodes: dict[str, Node], leaf: str, kept_from: str) -> str:
    """Note with the messages of the active path whether the application still sent them after its last summary.

    Return the end of this path: `leaf`, or the last node where there is a summary.
    """
    if not any(message.metadata.get(SUMMARY_MARK) for node in nodes.values() for message in node.messages):
        return leaf
    end = leaf if leaf in nodes else next(reversed(nodes))
    path = tree_with({name: node.parent for name, node in nodes.items()}, end).path_to(end)
    placed = [(name, [changed(one, id=f"{name} {n}") for n, one in enumerate(nodes[name].messages)]) for name in path]
    kept = path[path.index(kept_from) :] if kept_from in path else ()
    sent = frozenset(one.id for name, messages in placed if name in kept for one in messages)
    ids: dict[str, str] = {one.id: name for name, messages in placed for one in messages}
    actions = recorded_actions((one for _, messages in placed for one in messages), sent)
    for name, messages in placed:
        marked = (_marked(one, actions.get(one.id, {}), ids) for one in messages)
        nodes[name] = Node(nodes[name].parent, tuple(marked), nodes[name].place)
    return end


def _marked(message: Message, action: Mapping[str, Any], ids: Mapping[str, str]) -> Message:
    """Return the message with the recorded action, in which the summary has the name of its node."""
    recorded = dict(action.get("recorded", {}))
    if "by" in recorded:
        recorded["by"] = ids[recorded["by"]]
    metadata = {**message.metadata, "recorded": recorded} if recorded else message.metadata
    return changed(message, id="", metadata=metadata)
