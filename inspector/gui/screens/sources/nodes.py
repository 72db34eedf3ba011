"""The nodes of the workspace tree: files and their contents. Values without Qt."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePath
from typing import Any, Literal

from inspector.assembly.tidying import LISTS
from inspector.figures import UNREAD
from inspector.gui.parts.texts import told_apart
from inspector.model import Conversation, Message, MessageTree, Workspace
from inspector.secrets import masked

NodeKind = Literal[
    "file",
    "group",
    "conversation",
    "branch",
    "speaker",
    "no_speaker",
    "memory_set",
    "character",
    "no_character",
    "lorebook",
    "thing",
]


PANELS = {"conversation": "prompt", "memory_set": "memories", "lorebook": "memories"}
"""The panels with the details of each kind."""
REMOVABLE = ("file", *LISTS)
_SPEAKING = ("user", "assistant")
_TICK = "Belongs to no open chat: tick it to use it"
_OPEN = "Belongs to no open chat: open its file by name to use it"
_TIP_CHARACTERS = 400
_LOOKED_AT = 50  # messages searched for names of speakers


@dataclass(eq=False)
class Node:
    """A line of the tree. `thing` is its id, for a file the path, for a speaker the name; `conversation` is the id of a
    branch's or speaker's conversation. `name` is the whole title alone, if the line shows more, or less. `number` is
    its number in the tree, and `parent` the number of the line above it, None for a top line: references in a circle
    would keep closed files in memory.
    """

    kind: NodeKind
    title: str
    detail: str = ""
    tip: str = ""
    thing: str = ""
    conversation: str = ""
    name: str = ""
    number: int = 0
    row: int = 0
    parent: int | None = None
    children: list["Node"] = field(default_factory=list)
    more: Callable[[], list["Node"]] | None = None
    """Makes the children when first needed; None once they are made."""


_Group = tuple[tuple[str, str], Callable[[Any], Node], Iterable[Any]]


def file_nodes(workspace: Workspace, wanted: str = "") -> list[Node]:
    """Return a node for each file, with its contents; with `wanted`, only conversations with this text in their
    titles.
    """
    formats: dict[str, dict[str, None]] = {}
    for source in workspace.sources:
        formats.setdefault(source.path, {})[source.format] = None
    grouped: dict[str, list[Node]] = {origin: [] for origin in formats}
    for words, make, things in _groups(workspace, wanted.casefold()):
        by_origin: dict[str, list[Node]] = {}
        for thing in things:
            by_origin.setdefault(thing.origin, []).append(make(thing))
        for origin, nodes in by_origin.items():
            grouped.setdefault(origin, []).append(_group(*words, nodes))
    files = [_file(origin, formats.get(origin, ()), groups) for origin, groups in grouped.items() if groups]
    _tell_apart(files)
    _tell_apart([node for groups in grouped.values() for node in groups if node.kind == "conversation"])
    return files


def _tell_apart(nodes: Sequence[Node]) -> None:
    """Give nodes titles showing their differences; the whole titles become their names."""
    # Masked first: a part of a secret would not be recognized as a secret.
    for node, name in zip(nodes, told_apart([masked(node.title) for node in nodes]), strict=True):
        node.tip, node.name, node.title = node.tip or node.title, node.title, name


def _groups(workspace: Workspace, wanted: str) -> Iterator[_Group]:
    """Yield the title of each group with the name of a single entry, the maker of its nodes, and the things."""
    conversations = workspace.conversations
    if wanted:
        conversations = [chat for chat in conversations if wanted in (chat.title or chat.id).casefold()]
    yield ("Chats", ""), _conversation, conversations
    if wanted:
        return
    yield ("Memories", "Memories"), _memory_set, workspace.memory_sets
    yield ("Characters", "Character"), _character, workspace.characters
    yield ("Lorebooks", "Lorebook"), _lorebook, workspace.lorebooks
    yield ("Passages", "Passage"), lambda passage: _thing(passage.id, passage.content), workspace.passages
    yield ("Past summaries", "Past summary"), _past_summary, workspace.summaries
    yield ("Documents", "Document"), lambda page: _thing(page.title or page.id, page.content), workspace.documents
    yield ("Attachments", "Attachment"), lambda file: _thing(file.path, file.content), workspace.attachments
    yield ("Not attached", "Not attached"), lambda file: _thing(file.path, file.reason), workspace.skipped
    yield ("Tools", "Tool"), lambda tool: _thing(_tool_name(tool.schema), ""), workspace.tools


def _file(origin: str, formats: Iterable[str], groups: list[Node]) -> Node:
    tip = f"{origin}\nread as {', '.join(formats)}" if formats else origin
    node = Node("file", PurePath(origin).name or origin or "this session", tip=tip, thing=origin)
    node.children = groups
    return node


def _group(title: str, single: str, nodes: list[Node]) -> Node:
    """Return the node of a group of a file's things; a single thing stands alone, with its kind in the title."""
    if len(nodes) == 1:
        nodes[0].name = nodes[0].title
        nodes[0].title = f"{single}: {nodes[0].title}" if single else nodes[0].title
        return nodes[0]
    if title == "Characters":
        tip = "The character that the conversation's own file brings, where it is the only one"
        nodes = [Node("no_character", "as the file says", tip=tip), *nodes]
        return Node("group", title, f"{len(nodes) - 1:,}", children=nodes)
    _tell_apart(nodes)
    return Node("group", title, f"{len(nodes):,}", children=nodes)


def _conversation(chat: Conversation) -> Node:
    title = chat.title or chat.id
    tip = "\n".join(part for part in (title, chat.source, chat.model) if part)
    if not chat.is_read:
        return Node("conversation", title, UNREAD, tip, chat.id, more=lambda: _inner_nodes(chat))
    node = Node("conversation", title, f"{len(chat.messages):,}", tip, chat.id)
    if _branches(chat) or _has_speakers(chat):
        node.more = lambda: _inner_nodes(chat)
    return node


def _inner_nodes(chat: Conversation) -> list[Node]:
    """Return the speakers of a conversation, and its branches, if there are several."""
    tree = _branches(chat)
    return [*(speaker_nodes(chat) if _has_speakers(chat) else []), *(branch_nodes(chat.id, tree) if tree else [])]


def _branches(chat: Conversation) -> MessageTree | None:
    return chat.tree if chat.tree and len(chat.tree.messages) > len(chat.messages) else None


def _has_speakers(chat: Conversation) -> bool:
    return len({message.name for message in islice(chat.messages, _LOOKED_AT) if _is_named(message)}) > 1


def _is_named(message: Message) -> bool:
    return bool(message.name) and message.role in _SPEAKING


def speaker_nodes(chat: Conversation) -> list[Node]:
    """Return the group of a conversation's speakers, each of whom can be the assistant."""
    counts = Counter(message.name for message in chat.messages if _is_named(message))
    file = Node("no_speaker", "as the file says", tip="Whom the file has for the assistant", conversation=chat.id)
    names = [
        Node("speaker", name, f"{count:,}", f"{name} is the assistant, the others are users", name, chat.id)
        for name, count in counts.most_common()
    ]
    return [Node("group", "Who is the assistant", f"{len(names):,}", children=[file, *names])]


def branch_nodes(conversation: str, tree: MessageTree) -> list[Node]:
    """Return a node for each leaf of a tree, in the order of the source."""
    inner = set(tree.parents)
    lengths = _depths(tree)
    leaves = [message for message in tree.messages if message.id not in inner]
    return [
        Node(
            "branch",
            " ".join(leaf.content[:_TIP_CHARACTERS].split())[:80] or leaf.id,
            f"{lengths[leaf.id]:,}",
            f"Branch that ends with {leaf.id}",
            leaf.id,
            conversation,
        )
        for leaf in leaves
    ]


def _depths(tree: MessageTree) -> dict[str, int]:
    """Return the number of messages on the path to each, itself included; a cycle ends the path."""
    parents = {message.id: parent for message, parent in zip(tree.messages, tree.parents, strict=True)}
    known: dict[str, int] = {}
    for start in parents:
        way: dict[str, None] = {}
        here = start
        while here in parents and here not in known and here not in way:
            way[here] = None
            here = parents[here]
        depth = known.get(here, 0)
        for name in reversed(way):
            depth += 1
            known[name] = depth
    return known


def _memory_set(memories: Any) -> Node:
    title = memories.title or memories.id
    return Node("memory_set", title, f"{len(memories.memories):,}", _waits(memories, title, _TICK), memories.id)


def _character(character: Any) -> Node:
    return Node("character", character.name or character.id, "", "", character.id)


def _lorebook(book: Any) -> Node:
    title = book.title or book.id
    return Node("lorebook", title, f"{len(book.entries):,}", _waits(book, title, _OPEN), book.id)


def _waits(thing: Any, title: str, how: str) -> str:
    """Return the tip of a thing outside all conversations, until it is chosen; "" for others."""
    return f"{masked(title)}\n{how}" if thing.conversations == () else ""


def _past_summary(past: Any) -> Node:
    return _thing(past.title or past.id, past.summary)


def _thing(title: str, text: str) -> Node:
    return Node("thing", title, tip=f"{title}\n{text[:_TIP_CHARACTERS]}".strip())


def _tool_name(schema: Any) -> str:
    function = schema.get("function") if isinstance(schema.get("function"), dict) else schema
    return str(function.get("name", "tool"))
