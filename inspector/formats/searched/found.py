"""Messages in JSON, YAML or a database of a layout that no other format knows.

They are found wherever a list has the shape of a chat. This format is the last to be asked, and says where it found
them: nothing is known of the rest of the file.
"""

from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

from inspector.figures import counted
from inspector.formats.chat_layout import ChatLayout, Placed, Talk, items_at
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.paths import step, word_at
from inspector.formats.saved_chats import SavedChat, first_values, values_of, workspace_of
from inspector.formats.searched.shapes import LOOKED_AT, Shape, reply_key, shape_of, with_reply
from inspector.formats.turn_layout import TurnLayout
from inspector.formats.unknown import known_file
from inspector.model import Workspace
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.sqlite import opened

_POSSIBLE = 0.1
_DEEPEST = 12
_MOST_VALUES = 5_000
_SAMPLED = 50
"""The number of values that are looked at to recognize a file, and of those in one list or object."""
_NAMED = 3
_LAYOUT = ChatLayout(
    name="searched",
    title="Messages found in other files",
    sign="messages of a user and an assistant in a list, anywhere in the file",
    expected="messages of a user and an assistant in a list",
    turn=TurnLayout(text=("content",)),
    group=(
        *("session_id", "sessionId", "conversation_id", "conversationId", "thread_id", "threadId", "chat_id", "chatId"),
        *("dialog_id", "dialogue_id", "topic_id", "channel_id", "room_id", "session"),
    ),
    id=("id", "uuid"),
    title_at=("title", "name", "subject"),
    system=("system_prompt", "systemPrompt", "system", "instructions"),
    model=("model",),
    may_be_newest_first=True,
    names_speakers=True,
)
_Found = tuple[Talk, Shape]


def _sniff(source: FileSource) -> float:
    try:
        with closing(_lists(source, Notes(source.path), LOOKED_AT)) as lists:
            has_chat = any(_has_chat([one.value for one in values]) for values in lists)
    except UnreadableError:
        return 0.0
    return _POSSIBLE if has_chat and not known_file(source) else 0.0


def _lists(source: FileSource, notes: Notes, most: int | None = None) -> Generator[list[Placed]]:
    """Yield the lists of values of a file: its items, records or rows, or those of each table of a database.

    With `most`, only about so many of each list.
    """
    if source.shape == "sqlite":
        with opened(source) as database:
            for table, columns in database.tables.items():
                rows = enumerate(islice(database.rows(table, *sorted(columns)), most), 1)
                yield [Placed(f"{table}, row {number}", row) for number, row in rows]
    elif source.shape == "yaml":
        yield [Placed("$", source.yaml)]
    elif most is not None:
        yield [Placed("", value) for value in first_values(source)]
    else:
        yield [Placed(place, unwrapped(value)) for place, value in values_of(source, notes)]


def _has_chat(values: list[Any]) -> bool:
    """Return whether a chat is among the values that lie the least deep."""
    waiting = deque([(Placed("", values), _DEEPEST)])
    for _ in range(_MOST_VALUES):
        if not waiting:
            return False
        held, depth = waiting.popleft()
        if shape_of(held.value, held.key) is not None:
            return True
        if depth:
            waiting.extend((one, depth - 1) for one in islice(_inside(held), _SAMPLED))
    return False


def _load(source: FileSource) -> Workspace:
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    places: dict[str, None] = {}
    layouts: dict[int, ChatLayout] = {}
    for talk, shape in (found for values in _lists(source, notes) for found in _talks(values)):
        if id(shape.layout) not in layouts:
            layouts[id(shape.layout)] = replace(_LAYOUT, turn=shape.layout)
        chats.append(layouts[id(shape.layout)].read(talk, notes))
        places[talk.place + step(shape.path)] = None
    if not chats:
        raise notes.unreadable("$", f"expected {_LAYOUT.expected}, found none")
    count = counted(sum(len(node.messages) for chat in chats for node in chat.nodes.values()), "message")
    named = "; ".join(list(places)[:_NAMED])
    more = f" and {counted(len(places) - _NAMED, 'more place')}" if len(places) > _NAMED else ""
    notes.add("", f"is of no format that this program knows; {count} found by their shape at {named}{more}")
    return workspace_of(chats, source, notes)


def _talks(values: list[Placed]) -> Iterator[_Found]:
    """Yield the chats inside the values of a file, or the chats of the values if those are turns."""
    shape = shape_of([one.value for one in values])
    if shape is None or len(values) == 1:
        inside = [found for value in values for found in _below(value, (), _DEEPEST)]
        yield from inside
        if inside or shape is None:
            return
    yield from _grouped(values, shape, ())


def _below(held: Placed, about: tuple[Any, ...], depth: int) -> Iterator[_Found]:
    """Yield the chats in a value; `about` are the objects around it, the innermost first."""
    shape = shape_of(held.value, held.key)
    if shape is not None:
        inside = (Placed(held.place + one.place, unwrapped(one.value), one.key) for one in items_at("", held.value))
        items = [held] if isinstance(held.value, str) else list(inside)
        if not shape.is_chat:
            yield from _grouped(items, shape, about)
            return
        yield Talk(about, shape.turns(items), held.place), shape
    elif depth and isinstance(held.value, Mapping):
        yield from _in_object(held, (held.value, *about), depth - 1)
    elif depth:
        for one in _inside(held):
            yield from _below(one, about, depth - 1)


def _in_object(held: Placed, about: tuple[Any, ...], depth: int) -> Iterator[_Found]:
    """Yield the chats in an object; the answer under another key ends the chat if it is the only one."""
    key = reply_key(held.value)
    inside = list(_inside(held))
    found = [one for inner in inside if inner.key != key for one in _below(inner, about, depth)]
    if key is not None:
        if len(found) == 1:
            talk, shape = found[0]
            if turns := with_reply(shape, talk.turns, held.value[key], f"{held.place}.{key}"):
                yield replace(talk, turns=turns), shape
                return
        found += [one for inner in inside if inner.key == key for one in _below(inner, about, depth)]
    yield from found


def _grouped(items: Sequence[Placed], shape: Shape, about: tuple[Any, ...]) -> Iterator[_Found]:
    """Yield the chats of items, grouped by session; without sessions, all items are one chat, or each is its own.

    Questions and answers with rising times are a log, so they are one chat.
    """
    groups: dict[str, list[Placed]] = {}
    last, is_chat = "", shape.is_chat or _rises(items, shape.layout)
    for number, item in enumerate(items):
        last = word_at(item.value, _LAYOUT.group) or ("" if is_chat else f"\0{number}") or last
        groups.setdefault(last, []).append(item)
    for turns in groups.values():
        if said := shape.turns(turns):
            yield Talk((turns[0].value, *about), said, turns[0].place), shape


def _rises(items: Sequence[Placed], layout: TurnLayout) -> bool:
    """Return whether every item has a time, and none is before the one ahead of it."""
    times = [layout.time_of(item.value) for item in items]
    pairs = pairwise(times)
    return len(times) > 1 and all(one is not None and after is not None and one <= after for one, after in pairs)


def _inside(held: Placed) -> Iterator[Placed]:
    """Yield the texts, lists and objects in a value; JSON written as text is decoded."""
    for one in items_at("", held.value):
        inner = unwrapped(one.value)
        if isinstance(inner, list | Mapping | str):
            yield Placed(held.place + one.place, inner, one.key)


FORMAT = Format(_LAYOUT.name, _LAYOUT.title, _sniff, _load, _LAYOUT.sign, is_guess=True)
