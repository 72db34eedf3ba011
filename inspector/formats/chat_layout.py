"""A declared layout of saved chats, and the format that follows from it.

Most exports differ only in where they keep the same few things. A `ChatLayout` says where: the paths to the chats of a
file and to their turns, and in a `TurnLayout` those in a turn. Forks and other oddities are code of their own format.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any, NamedTuple

from inspector.formats.content.at import At
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.paths import Paths, all_at, has_marks, step, word_at
from inspector.formats.saved_chats import Node, SavedChat, first_values, title_of, values_of, workspace_of
from inspector.formats.turn_layout import TurnLayout
from inspector.formats.unique_ids import unique_texts
from inspector.model import PastSummary, Role, Workspace
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_number, as_whole, mapping, parse_time

_LOOKED_AT = 8
_SURE, _POSSIBLE = 0.95, 0.6


class Placed(NamedTuple):
    """A value with its place, and its key if it is in an object."""

    place: str
    value: Any
    key: str = ""


@dataclass(frozen=True, slots=True)
class Talk:
    """A chat of a file: the values that tell about it, its turns, its place, and its key if it is in an object."""

    about: Sequence[Any]
    turns: Sequence[Placed]
    place: str
    key: str = ""

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
    names a parent, the turns are a list; `is_newest_first` says in which direction, and `may_be_newest_first` that the
    times tell it: those fall from an answer down to what was asked first. `memory` is a summary of earlier turns, kept
    beside them. With `names_speakers`, speakers are also known by names beside those of a known role. `no_prompt` are
    keys whose texts belong to no prompt.
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
    may_be_newest_first: bool = False
    names_speakers: bool = False
    no_prompt: tuple[str, ...] = ()

    @property
    def format(self) -> Format:
        """The format of files with this layout."""
        return Format(self.name, self.title, self.sniff, self.load, self.sign, beside=self.no_prompt)

    def sniff(self, source: FileSource) -> float:
        """Return how likely the file holds such chats: sure by a turn that is read, possible by an empty chat."""
        try:
            values = first_values(source)
        except UnreadableError:
            return 0.0
        if not self.turns:
            return _SURE if any(map(self.turn.is_turn, _items(values))) else 0.0
        listed = (one.value for value in values for one in self._listed(Placed("", value)))
        chats = list(islice(filter(self._is_chat, listed), _LOOKED_AT))
        turns = [[one.value for one in items_at(*self._turns(chat))] for chat in chats]
        if any(self.turn.is_turn(one) for found in turns for one in found[:_LOOKED_AT]):
            return _SURE
        return _POSSIBLE if self.marks and turns and not any(turns) else 0.0

    def load(self, source: FileSource) -> Workspace:
        """Return the chats of a file. Raise UnreadableError if there is none."""
        notes = Notes(source.path)
        chats = [self.read(talk, notes) for talk in self._talks(source, notes)]
        if not chats:
            raise notes.unreadable("$", f"expected {self.expected}, found none")
        return workspace_of(chats, source, notes)

    def _talks(self, source: FileSource, notes: Notes) -> Iterator[Talk]:
        if not self.turns:
            yield from self._grouped(source, notes)
            return
        for place, value in values_of(source, notes):
            for at, chat, key in self._listed(Placed(place, value)):
                if self._is_chat(chat):
                    before = (one for path, held in all_at(chat, self.before) for one in items_at(path, held))
                    turns = [Placed(at + one.place, *one[1:]) for one in (*before, *items_at(*self._turns(chat)))]
                    yield Talk((chat,), self._sorted(turns), at, key)
                else:
                    notes.add(at, f"expected {self.expected}; it was left out", "error")

    def _grouped(self, source: FileSource, notes: Notes) -> Iterator[Talk]:
        """Yield the chats of a file whose values are turns."""
        groups: dict[str, list[Placed]] = {}
        last = ""
        for place, value in values_of(source, notes):
            last = word_at(value, self.group) or last
            groups.setdefault(last, []).append(Placed(place, value))
        for name, turns in groups.items():
            if any(self.turn.is_turn(turn.value) for turn in turns):
                yield Talk([turn.value for turn in turns], self._sorted(turns), turns[0].place)
            else:
                notes.add(turns[0].place, f"expected {self.expected}, found no turn of {name or 'it'}", "error")

    def _sorted(self, turns: list[Placed]) -> list[Placed]:
        """Return the turns in their order, if the layout has any and every turn a place in it."""
        keys = [_rank(next((held for _, held in all_at(turn.value, self.order)), None)) for turn in turns]
        if not self.order or None in keys:
            return turns
        return [turn for _, turn in sorted(zip(keys, turns, strict=True), key=lambda pair: pair[0] or 0.0)]

    def _listed(self, value: Placed) -> Iterator[Placed]:
        """Yield the chats of a document, or the value, which is then meant as one."""
        found = False
        for path, held in all_at(value.value, self.chats):
            if self._is_chat(unwrapped(held)):
                found = True
                yield Placed(value.place + step(path), unwrapped(held))
            elif isinstance(held := unwrapped(held), list) or any(map(self._is_chat, mapping(held).values())):
                found = True
                yield from (Placed(value.place + at, unwrapped(chat), key) for at, chat, key in items_at(path, held))
        if not found:
            yield Placed(value.place, unwrapped(value.value))

    def _is_chat(self, chat: Any) -> bool:
        """Return whether a value is a chat: it has the marks, or without any, a turn among the first."""
        path, held = self._turns(chat)
        if not _is_list(held) or not has_marks(chat, self.marks):
            return False
        return bool(self.marks) or any(self.turn.is_turn(one.value) for one in islice(items_at(path, held), _LOOKED_AT))

    def _turns(self, chat: Any) -> tuple[str, Any]:
        """Return the path and the value of the turns of a chat."""
        return next(((path, held) for path, held in all_at(chat, self.turns) if _is_list(held)), ("", None))

    def read(self, talk: Talk, notes: Notes) -> SavedChat:
        """Return a chat with its nodes; bad turns are noted."""
        return self._named(talk, notes)._read(talk, notes) if self.names_speakers else self._read(talk, notes)

    def _named(self, talk: Talk, notes: Notes) -> "ChatLayout":
        """Return the layout with the names of a chat whose speakers are not all named by their role."""
        words = dict.fromkeys(word for turn in talk.turns if (word := self.turn.word_of(unwrapped(turn.value))))
        roles: set[Role | None] = {self.turn.roles.get(word.lower()) for word in words}
        names = [word for word in words if word.lower() not in self.turn.roles]
        found = _roles_of(names, roles)
        if not found:
            return self
        taken = " and ".join(f"{name[:40]} for the {role}" for name, role in list(found.items())[:3])
        more = ", …" if len(found) > 3 else ""
        notes.add(talk.place, f"not every speaker has a known role: {taken}{more} was assumed", "info")
        named = {name.lower(): role for name, role in found.items()}
        return replace(self, turn=replace(self.turn, roles={**self.turn.roles, **named}))

    def _read(self, talk: Talk, notes: Notes) -> SavedChat:
        nodes = self._nodes(talk, notes)
        leaf = talk.word(self.leaf)
        if not any(node.parent for node in nodes.values()):
            falls = self.may_be_newest_first and self._falls([turn.value for turn in talk.turns])
            nodes, leaf = _in_line(nodes, self.is_newest_first or falls), ""
        said = [message for node in nodes.values() for message in node.messages]
        asked = (model for turn in reversed(talk.turns) if (model := self.turn.model_of(turn.value)))
        return SavedChat(
            nodes,
            leaf or None,
            talk.place + step(self.leaf[0] if self.leaf else ""),
            talk.word(self.group) or talk.word(self.id) or talk.key,
            talk.word(self.title_at) or title_of(said),
            talk.word(self.system),
            talk.word(self.model) or next(asked, ""),
            as_whole(talk.word(self.window)),
            beside=self._beside(talk),
        )

    def _falls(self, turns: Sequence[Any]) -> bool:
        """Return whether each turn has an earlier time than the one before, and a user or system began the chat."""
        if len(turns) < 2 or self.turn.role_of(turns[0]) == "user" or self.turn.role_of(turns[-1]) == "assistant":
            return False
        times = [self.turn.time_of(turn) for turn in turns]
        return all(one is not None and after is not None and one > after for one, after in pairwise(times))

    def _beside(self, talk: Talk) -> dict[str, tuple[PastSummary, ...]]:
        """Return the summary that the application keeps of a chat, if it has one."""
        text = talk.word(self.memory)
        return {"summaries": (PastSummary(f"{talk.word(self.id) or 'chat'}-summary", text),)} if text else {}

    def _nodes(self, talk: Talk, notes: Notes) -> dict[str, Node]:
        """Return the nodes of the turns."""
        names = unique_texts(word_at(v, self.turn.id) or key or f"m{n}" for n, (_, v, key) in enumerate(talk.turns))
        nodes: dict[str, Node] = {}
        depths: dict[str, int] = {}
        for number, (name, (place, turn, _)) in enumerate(zip(names, talk.turns, strict=True)):
            parent = word_at(turn, self.turn.parent)
            depth = depths.get(parent, 0 if parent else number)
            nodes[name] = Node(parent, self.turn.read(unwrapped(turn), At(notes, place), depth), place)
            depths[name] = depth + (not self.turn.is_silent(turn))
        return nodes


def _roles_of(names: Sequence[str], known: Collection[Role | None]) -> dict[str, Role]:
    """Return the roles of speakers who are called by names, beside speakers of known roles; empty if unclear.

    Of two names alone, the second is the assistant; of more, all are users.
    """
    users: dict[str, Role] = dict.fromkeys(names, "user")
    assistants: dict[str, Role] = dict.fromkeys(names, "assistant")
    if "user" in known:
        return {} if "assistant" in known else assistants
    if "assistant" in known:
        return users if len(names) == 1 else {}
    if len(names) == 2:
        users[names[1]] = "assistant"
    return users


def _rank(value: Any) -> float | None:
    time = parse_time(value) if isinstance(value, str) else None
    return time.timestamp() if time else as_number(value)


def _is_list(value: Any) -> bool:
    return isinstance(unwrapped(value), list | Mapping)


def _items(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        yield from value if isinstance(value, list) else (value,)


def items_at(path: str, value: Any) -> Iterator[Placed]:
    """Yield the items of a list, or the values of an object, each with its place."""
    value = unwrapped(value)
    if isinstance(value, Mapping):
        yield from (Placed(f"{step(path)}.{key}", item, key) for key, item in value.items())
    elif isinstance(value, list):
        yield from (Placed(f"{step(path)}[{number}]", item) for number, item in enumerate(value))


def _in_line(nodes: Mapping[str, Node], is_newest_first: bool) -> dict[str, Node]:
    """Return nodes that name no parent as a line."""
    names = [*nodes][:: -1 if is_newest_first else 1]
    above = ["", *names]
    return {
        name: Node(before, nodes[name].messages, nodes[name].place) for name, before in zip(names, above, strict=False)
    }
