"""Chats of applications that keep every branch: their nodes, the active path, and the system prompt they share.

A format makes a `SavedChat` of each chat in its file; this module joins them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from inspector.formats.branches import Link, branches_of, marked
from inspector.formats.compaction import Kept, recorded_actions
from inspector.formats.node_tree import in_order
from inspector.formats.notes import Notes
from inspector.formats.unique_ids import unique_texts, with_unique_ids
from inspector.model import Branches, Character, Conversation, Message, Owners, Problem, Tool, Workspace, changed
from inspector.model.records import nothing
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, stem


def row_tools(chats: Sequence[tuple[str, Iterable[Mapping[str, Any]]]]) -> tuple[Tool, ...]:
    """Return the tools of chats, given by their ids; a tool of all chats names none."""
    schemas: dict[str, Mapping[str, Any]] = {}
    owners: dict[str, dict[str, None]] = {}
    for id_, given in chats:
        for schema in given:
            key = as_text(schema)
            schemas.setdefault(key, schema)
            owners.setdefault(key, {})[id_] = None
    return tuple(
        Tool(schema, None if len(owners[key]) == len(chats) else tuple(owners[key])) for key, schema in schemas.items()
    )


_SYSTEM = "system"
_RECORDS = ("json_lines", "parquet")


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a chat: the node before it ("" for a root), its place, and its messages, none for a mere root.

    It has several messages if a turn holds tool calls with their results. Ids are "" for that of the node.
    """

    parent: str
    messages: tuple[Message, ...]
    place: str = ""


@dataclass(slots=True)
class SavedChat:
    """A chat as found. `leaf` is the end of the active path according to the file, `place` is its place in the file.

    If `leaf` is no node, the newest branch is taken. `parameters` are those of policies that the file names. `system`
    is a system prompt kept outside the messages, `tools` are the definitions of its tools, `beside` are other items of
    this chat alone, by the lists of a workspace. `kept` are the nodes sent again beside each summary; what a summary
    replaced is recorded.
    """

    nodes: dict[str, Node]
    leaf: Any
    place: str
    id: str = ""
    title: str = ""
    system: str = ""
    model: str = ""
    context_window: int | None = None
    tools: Sequence[Mapping[str, Any]] = ()
    beside: Mapping[str, Sequence[Any]] = field(default_factory=nothing)
    kept: Kept = field(default_factory=nothing)
    parameters: Mapping[str, Any] = field(default_factory=nothing)


def in_line(messages: Iterable[tuple[str, Message]]) -> dict[str, Node]:
    """Return nodes of messages in sequence, each with its place: `m0`, `m1`, … if a message has no id."""
    found = list(messages)
    ids = unique_texts(message.id or f"m{index}" for index, (_, message) in enumerate(found))
    above = ["", *ids]
    return {
        id_: Node(before, (message,), place) for id_, before, (place, message) in zip(ids, above, found, strict=False)
    }


def versions_of(
    name: str, parent: str, versions: Sequence[tuple[Message, ...]], shown: int, place: str
) -> dict[str, Node]:
    """Return nodes of the versions of a turn, in order: the shown one has this name, the others `name.version0`, …."""
    return {
        name if number == shown else f"{name}.version{number}": Node(parent, messages, place)
        for number, messages in enumerate(versions)
    }


def workspace_of(chats: Sequence[SavedChat], source: FileSource, notes: Notes, **lists: Any) -> Workspace:
    """Return the chats as conversations, and `lists` of a workspace beside them.

    A system prompt shared by all chats becomes a character; different ones are at the head of their chats.
    """
    _name(chats, stem(source.path))
    _take_system_messages(chats)
    prompts = {chat.system for chat in chats}
    shared = prompts.pop() if len(prompts) == 1 else ""
    conversations = tuple(_conversation(chat, notes, not shared) for chat in chats)
    remarks = tuple(source.problem("", remark, "info") for remark in _remarks(conversations))
    characters = (Character(_SYSTEM, system_prompt=shared),) if shared else ()
    found = Workspace(
        conversations=conversations,
        characters=(*characters, *lists.pop("characters", ())),
        tools=row_tools([(chat.id, chat.tools) for chat in chats]),
        problems=(*notes.problems, *lists.pop("problems", ()), *remarks),
        **lists,
    )
    return _with_own(found, chats, source)


def _with_own(found: Workspace, chats: Sequence[SavedChat], source: FileSource) -> Workspace:
    """Return the workspace with the items of single chats: each names its chat, unless there is no other."""
    own: dict[str, list[Any]] = {}
    for chat in chats:
        owners = (chat.id,) if len(chats) > 1 else None
        for name, things in chat.beside.items():
            own.setdefault(name, []).extend(changed(thing, conversations=owners) for thing in things)
    problems: list[Problem] = []
    lists: dict[str, Any] = {}
    for name, things in own.items():
        lists[name] = (*getattr(found, name), *things)
        if name != "attachments":
            lists[name], doubled = with_unique_ids(lists[name], lambda _: (source.path, "$"))
            problems += doubled
    return changed(found, **lists, problems=(*found.problems, *problems)) if own else found


def owners_of(character: str, talks: Sequence[tuple[frozenset[str], str]]) -> Owners:
    """Return the ids of the chats in which a character speaks, None if it speaks in all; `talks` has their speakers."""
    own = tuple(chat for speakers, chat in talks if character in speakers)
    return None if len(own) == len(talks) else own


def read_chats(
    source: FileSource,
    is_chat: Callable[[Any], bool],
    read: Callable[[Mapping[str, Any], Notes, str], SavedChat],
    expected: str,
) -> Workspace:
    """Return the results of `read` for the chats among the values of a file; other values are problems.

    `expected` describes a chat. Raise UnreadableError if no value is a chat.
    """
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    for place, value in values_of(source, notes):
        if is_chat(value):
            chats.append(read(value, notes, place))
        else:
            notes.add(place, f"expected {expected}; it was left out", "error")
    if not chats:
        raise notes.unreadable("$", f"expected {expected}, found none")
    return workspace_of(chats, source, notes)


def _name(chats: Sequence[SavedChat], file_stem: str) -> None:
    many = len(chats) > 1
    wanted = [chat.id or (f"{file_stem}-{number}" if many else file_stem) for number, chat in enumerate(chats, 1)]
    for chat, id_ in zip(chats, unique_texts(wanted), strict=True):
        chat.id, chat.title = id_, chat.title or id_


def _take_system_messages(chats: Sequence[SavedChat]) -> None:
    """Move a system message that is the only beginning of a chat to its system prompt."""
    for chat in chats:
        first = _only_beginning(chat.nodes)
        if chat.system or first is None or not first.messages or first.messages[0].role != "system":
            continue
        chat.system = first.messages[0].content
        name = next(name for name, node in chat.nodes.items() if node is first)
        chat.nodes[name] = Node(first.parent, first.messages[1:], first.place)


def _only_beginning(nodes: Mapping[str, Node]) -> Node | None:
    """Return the node that all other messages follow."""
    spoken = {"": False, **{name: bool(node.messages) for name, node in nodes.items()}}
    beginnings = [node for node in nodes.values() if node.messages and not spoken.get(node.parent)]
    return beginnings[0] if len(beginnings) == 1 else None


def _conversation(chat: SavedChat, notes: Notes, with_system: bool) -> Conversation:
    found = _branches(chat, notes)
    found = marked(found, recorded_actions(found.path, chat.kept))
    if with_system and chat.system:
        found = headed(found, chat.system)
    return Conversation(
        chat.id,
        found.path,
        title=chat.title,
        tree=found.tree,
        model=chat.model,
        context_window=chat.context_window if (chat.context_window or 0) > 0 else None,
        parameters=chat.parameters,
    )


def headed(found: Branches, system: str) -> Branches:
    """Return the branches with the system prompt before all of them."""
    nodes = found.tree.messages if found.tree else found.path
    head = unique_texts([*(message.id for message in nodes), _SYSTEM])[-1]
    message = Message(head, "system", system)
    tree = found.tree
    if tree:
        parents = ("", *(parent or head for parent in tree.parents))
        tree = changed(tree, messages=(message, *tree.messages), parents=parents)
    return Branches((message, *found.path), tree)


def _branches(chat: SavedChat, notes: Notes) -> Branches:
    """Return the active path and the tree of a chat, despite missing or odd nodes; defects are noted."""
    parents = {name: node.parent for name, node in chat.nodes.items()}
    roles = {message.role for node in chat.nodes.values() for message in node.messages}
    if len(roles) > 1:  # nodes of one role alone may be versions of the first turn
        parents = in_order(parents)
    links = [
        Link(name, parents[name], list(messages), chat.nodes[name].place)
        for name, messages in _identified(chat.nodes).items()
    ]
    named = chat.leaf if isinstance(chat.leaf, str) and chat.leaf in chat.nodes else ""
    if chat.leaf is not None and not named and links:
        found = as_text(chat.leaf)[:40]
        notes.add(chat.place, f"expected the id of a message, found {found!r}; the newest branch was taken")
    return branches_of(links, named, notes.add)


def _identified(nodes: Mapping[str, Node]) -> dict[str, tuple[Message, ...]]:
    """Return the messages of the nodes, with unique ids: the last of a node has the id of the node."""
    wanted = (
        name if number == len(node.messages) else f"{name}.{number}"
        for name, node in nodes.items()
        for number, _ in enumerate(node.messages, 1)
    )
    ids = iter(unique_texts(wanted))
    return {name: tuple(changed(message, id=next(ids)) for message in node.messages) for name, node in nodes.items()}


def _remarks(conversations: Sequence[Conversation]) -> Iterator[str]:
    branched = [one for one in conversations if one.tree]
    others = sum(len(one.tree.messages) - len(one.messages) for one in branched if one.tree)
    if branched:
        chats = "1 chat has" if len(branched) == 1 else f"{len(branched):,} chats have"
        yield f"{chats} other branches, {others:,} messages beside the active ones"


def first_values(source: FileSource) -> tuple[Any, ...]:
    """Return the first few values for recognizing a chat: items, records, rows, or the JSON itself.

    Raise UnreadableError if it is not JSON, or its rows cannot be read.
    """
    if source.shape in _RECORDS:
        return tuple(record.value for record in source.first_records)
    if source.shape != "json":
        return ()
    return source.first_items if source.raw_items is not None else (source.json,)


def values_of(source: FileSource, notes: Notes) -> Iterator[tuple[str, Any]]:
    """Yield the items of a file, each with its place: of a JSON array, of lines, of rows, or the document itself."""
    if source.shape in _RECORDS:
        yield from ((source.place_of(record), record.value) for record in source.records(notes.problems))
    elif isinstance(source.json, list):
        yield from ((f"$[{index}]", item) for index, item in enumerate(source.json))
    else:
        yield "$", source.json


def is_itself(inside: Sequence[Any], value: Any) -> bool:
    """Return whether the only value inside a value is that value. Equality would walk through all of it, and fail in
    values nested deeper than Python compares.
    """
    return len(inside) == 1 and inside[0] is value


def surest(source: FileSource, sureness: Callable[[Any], float]) -> float:
    """Return the highest sureness of the first values of a JSON file; 0 for an unreadable file."""
    try:
        return max((sureness(value) for value in first_values(source)), default=0.0)
    except UnreadableError:
        return 0.0


_LONG = 80
_MARKS = ("<", "[", "#", "Caveat:")  # beginnings of messages that applications insert themselves


def first_line(text: str) -> str:
    """Return the first line of a text, cut if it is long."""
    line = text.strip().split("\n", 1)[0].strip()
    return line if len(line) <= _LONG else f"{line[:_LONG]}…"


def title_of(messages: Iterable[Message]) -> str:
    """Return the first line of the first message by a user, "" if there is none."""
    written = (message.content.strip() for message in messages if message.role == "user")
    return next((first_line(text) for text in written if text and not text.startswith(_MARKS)), "")


Read = TypeVar("Read")


def read_each(
    values: Iterable[tuple[str, Any]],
    is_one: Callable[[Any], bool],
    read: Callable[[Mapping[str, Any], Notes, str], Read],
    notes: Notes,
    expected: str,
) -> list[Read]:
    """Return the results of `read` for the values of the kind, each called with its place; the others are noted.

    `expected` describes the kind. Raise UnreadableError if no value is of it.
    """
    found: list[Read] = []
    for place, value in values:
        if is_one(value):
            found.append(read(value, notes, place))
        else:
            notes.add(place, f"expected {expected}; it was left out", "error")
    if not found:
        raise notes.unreadable("$", f"expected {expected}, found none")
    return found
