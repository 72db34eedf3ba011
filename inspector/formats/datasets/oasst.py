"""Open Assistant's conversation trees: nested replies, or flat rows that name their parents.

The active path follows the reply with the best rank (0) from the first message on. Deleted messages are excluded.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.node_tree import tree_with
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, surest, values_of, workspace_of
from inspector.model import Message, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, items_of, mapping, parse_time

_ROLES: Mapping[str, Role] = {"prompter": "user", "assistant": "assistant", "system": "system"}
_IDS = ("message_id", "user_message_id")
_PARENTS = ("parent_id", "parent_message_id")
_KEPT = ("lang", "rank", "model_name", "synthetic")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds trees of Open Assistant."""
    return surest(source, lambda value: 0.95 if _is_tree(value) or _is_row(value) else 0.0)


def _is_tree(value: Any) -> bool:
    fields = mapping(value)
    return "message_tree_id" in fields and isinstance(mapping(fields.get("prompt")).get("text"), str)


def _is_row(value: Any) -> bool:
    row = mapping(value)
    known = _text(row, _IDS) and any(key in row for key in _PARENTS)
    return bool(known) and isinstance(row.get("text"), str) and "role" in row


def _text(record: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((as_text(record[key]) for key in keys if isinstance(record.get(key), str)), "")


def load(source: FileSource) -> Workspace:
    """Return a conversation for each tree. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    rows: dict[str, tuple[Mapping[str, Any], str]] = {}
    for place, value in values_of(source, notes):
        if _is_tree(value):
            chats.append(_nested(value, notes, place))
        elif _is_row(value):
            _take_row(rows, value, notes, place)
        else:
            notes.add(place, "expected a tree with a prompt, or a message with its parent; it was left out", "error")
    chats += _of_rows(rows, notes)
    if not chats:
        raise notes.unreadable("$", "expected trees of Open Assistant, found none")
    return workspace_of(chats, source, notes)


def _take_row(rows: dict[str, tuple[Mapping[str, Any], str]], row: Mapping[str, Any], notes: Notes, place: str) -> None:
    name = _text(row, _IDS)
    if name in rows:
        notes.add(place, f'the id "{name}" is taken; the message was left out')
    else:
        rows[name] = (row, place)


def _nested(tree: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    """Return the messages of a tree, each before its replies."""
    nodes: dict[str, Node] = {}
    waiting: list[tuple[Any, str, str]] = [(tree["prompt"], "", f"{place}.prompt")]
    while waiting:
        record, parent, at = waiting.pop()
        if not isinstance(record, Mapping):
            notes.add(at, "expected a message; it was left out")
            continue
        name = _text(record, _IDS) or f"m{len(nodes)}"
        if name in nodes:
            notes.add(at, f'the id "{name}" is taken; the message and its replies were left out')
            continue
        nodes[name] = Node(parent, tuple(_message(record, notes, at)), at)
        replies = enumerate(items_of(record.get("replies")))
        waiting += reversed([(reply, name, f"{at}.replies[{number}]") for number, reply in replies])
    return SavedChat(nodes, _best(nodes), place, as_text(tree["message_tree_id"]))


def _of_rows(rows: Mapping[str, tuple[Mapping[str, Any], str]], notes: Notes) -> Iterator[SavedChat]:
    """Yield the trees of the rows, in the order of their first messages."""
    parents = {name: _text(row, _PARENTS) for name, (row, _) in rows.items()}
    tree = tree_with(parents, "")
    for name, message in tree.problems:
        notes.add(rows[name][1], message)
    trees: dict[str, dict[str, Node]] = {}
    root_of: dict[str, str] = {}
    for name in tree.parents_first():
        parent, (row, place) = tree.parents[name], rows[name]
        root_of[name] = root_of.get(parent, name)
        trees.setdefault(root_of[name], {})[name] = Node(parent, tuple(_message(row, notes, place)), place)
    for root, nodes in trees.items():
        yield SavedChat(nodes, _best(nodes), rows[root][1], _text(rows[root][0], ("message_tree_id",)) or root)


def _message(record: Mapping[str, Any], notes: Notes, place: str) -> Iterator[Message]:
    role = _ROLES.get(as_text(record.get("role")))
    if role is None or not isinstance(record.get("text"), str):
        notes.add(place, "expected a message with text, of the role prompter or assistant; it was left out", "error")
        return
    deleted = record.get("deleted") is True
    kept = {key: record[key] for key in _KEPT if isinstance(record.get(key), str | int)}
    recorded = {"recorded": {"action": "dropped", "reason": "deleted"}} if deleted else {}
    time = parse_time(record.get("created_date"))
    yield Message("", role, as_text(record["text"]), time=time, excluded=deleted, metadata={**kept, **recorded})


def _best(nodes: Mapping[str, Node]) -> str | None:
    """Return the end of the path that takes the best reply each time."""
    children: dict[str, list[str]] = {}
    for name, node in nodes.items():
        children.setdefault(node.parent, []).append(name)
    leaf = ""
    while replies := children.pop(leaf, None):
        leaf = min(replies, key=lambda name: _badness(nodes[name]))
    return leaf or None


def _badness(node: Node) -> tuple[bool, float]:
    """Return a sort key: deleted or unreadable replies come last, replies without a rank before them."""
    if not node.messages:
        return (True, 0.0)
    message = node.messages[0]
    rank = as_number(message.metadata.get("rank"))
    return (message.excluded, float("inf") if rank is None else rank)


FORMAT = Format(
    "oasst", "Open Assistant trees", sniff, load, "trees with `prompt` and `replies`, or rows with `message_tree_id`"
)
