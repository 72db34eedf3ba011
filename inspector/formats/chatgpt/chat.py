"""A single conversation of a ChatGPT export: read into nodes first, and into messages once the whole file is known.

In between, the file decides which system text and custom instructions all its chats share (see `listing`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.formats.chatgpt.content import Reading, read_node
from inspector.formats.chatgpt.outline import Outline
from inspector.formats.node_tree import NodeTree, newest_leaf, tree_of, without
from inspector.formats.notes import Notes
from inspector.model import Branches, Held, Message, MessageTree, Profile, Result, Thought, with_parts
from inspector.reading.values import as_text, mapping

_SPOKEN = ("turn", "unknown")


@dataclass(slots=True)
class ChatGptChat:
    """A chat as read: its nodes with messages, their tree, and the active path (node ids, root first)."""

    id: str
    title: str
    model: str
    readings: dict[str, Reading]
    tree: NodeTree
    path: list[str]

    @property
    def outline(self) -> Outline:
        """Return the facts about the chat that the export needs beside its messages."""
        system = self.readings[self.system_node].message.content if self.system_node else ""
        return Outline(
            self.id, self.title, self.model, bool(self.path), system, tuple(self._profiles), tuple(self._memories)
        )

    @property
    def blank(self) -> int:
        """Return the number of system messages whose text the export left out."""
        return sum(reading.kind == "blank" for reading in self.readings.values())

    @property
    def system_node(self) -> str:
        """The first node of the path if it holds a system text (blank nodes and instructions left aside), else ""."""
        spoken = (node for node in self.path if node in self.readings and self.readings[node].kind in _SPOKEN)
        first = next(spoken, "")
        return first if first and self.readings[first].message.role == "system" else ""

    @property
    def _profiles(self) -> Iterator[Profile]:
        """The custom instructions on the active path."""
        found = (self.readings[node].profile for node in self.path if node in self.readings)
        return (profile for profile in found if profile and (profile.facts or profile.preferences))

    @property
    def _memories(self) -> Iterator[str]:
        """The saved memories on the active path, as the application wrote them into the prompt."""
        for node in self.path:
            if node in self.readings and self.readings[node].kind == "memory":
                yield self.readings[node].message.content


def _note_odd_node(name: str, node: Any, notes: Notes, place: str) -> None:
    """Note a node that is no object, or one whose message is none; the nodes before the first have no message."""
    if not _is_object(node):
        notes.add(place, f"expected a node (an object), found {as_text(node)[:40] or 'nothing'}; it was left out")
    elif name and node.get("message") is not None and not _is_object(node["message"]):
        notes.add(f"{place}.message", f"expected a message, found {as_text(node['message'])[:40]}; it was left out")


def read_chat(chat: Mapping[str, Any], notes: Notes, place: str) -> ChatGptChat:
    """Return the nodes of a conversation, whatever is missing or odd in it; defects are noted."""
    nodes = mapping(chat.get("mapping"))
    readings = {
        name: read_node(name, node["message"], notes, f"{place}.mapping.{name}.message")
        for name, node in nodes.items()
        if name and _is_object(node) and _is_object(node.get("message"))
    }
    for name, node in nodes.items():
        _note_odd_node(name, node, notes, f"{place}.mapping.{name}")
    named = chat.get("current_node")
    leaf = named if isinstance(named, str) and named in nodes else ""
    tree = tree_of(nodes, leaf)
    for node, message in tree.problems:
        notes.add(f"{place}.mapping.{node}.parent", message)
    if not leaf and readings:
        leaf = newest_leaf(tree, _newness(readings))
        found = f"found {as_text(named)[:40]}" if named else "found none"
        notes.add(f"{place}.current_node", f"expected the id of a node, {found}; the newest branch was taken")
    id_ = next((as_text(chat[key]) for key in ("conversation_id", "id") if isinstance(chat.get(key), str)), "")
    path = tree.path_to(leaf) if leaf else []
    return ChatGptChat(id_, as_text(chat.get("title")), _model(chat, readings, path), readings, tree, path)


def _is_object(value: Any) -> bool:
    return type(value) is dict or isinstance(value, Mapping)  # the first is far quicker


def _newness(readings: Mapping[str, Reading]) -> Any:
    places = {name: place for place, name in enumerate(readings)}

    def newness(node: str) -> tuple[float, int] | None:
        if node not in readings:
            return None
        time = readings[node].message.time
        return (time.timestamp() if time else 0.0, places[node])

    return newness


def _model(chat: Mapping[str, Any], readings: Mapping[str, Reading], path: list[str]) -> str:
    """Return the model that the chat names, or else the model of its newest answer."""
    slugs = (readings[node].message.metadata.get("model") for node in reversed(path) if node in readings)
    return as_text(chat.get("default_model_slug")) or as_text(next((slug for slug in slugs if slug), ""))


def branches_of(chat: ChatGptChat, drop_system: bool, drop_profile: bool) -> Branches:
    """Return the messages of the active path, and the tree if there are other branches.

    Blank and memory nodes are left out. `drop_system` and `drop_profile` also leave out the system text and the custom
    instructions, which became a character.
    """
    children = chat.tree.children()
    ordered = chat.tree.parents_first()
    kept: dict[str, Message] = {}
    for node in ordered:
        reading = chat.readings.get(node)
        left_out = (drop_system and node == chat.system_node) or (
            drop_profile and reading and reading.kind == "profile"
        )
        if reading and not left_out and (message := _kept(chat, node, reading, children)):
            kept[node] = message
    above = without(chat.tree, set(kept), ordered)
    _hand_on_reasoning(chat, kept, above, ordered, children)
    _link_results(kept, above)
    path = tuple(kept[node] for node in chat.path if node in kept)
    tree = None
    if len(path) < len(kept):
        nodes = [node for node in chat.readings if node in kept]
        leaf = path[-1].id if path else nodes[-1]
        tree = MessageTree(tuple(kept[node] for node in nodes), tuple(above[node] for node in nodes), leaf)
    return Branches(path, tree)


def _kept(chat: ChatGptChat, node: str, reading: Reading, children: Mapping[str, list[str]]) -> Message | None:
    """Return the message of a node, None if the node becomes something else."""
    if reading.kind in ("blank", "memory", "unknown"):
        return None
    if reading.kind == "reasoning" and (_answers(chat, node, children) or _asked(chat, node, children)):
        return None
    return reading.message


def _answers(chat: ChatGptChat, node: str, children: Mapping[str, list[str]]) -> bool:
    """Return whether an assistant message follows a reasoning node, which then belongs to that message."""
    following = (chat.readings.get(child) for child in children.get(node, ()))
    return any(reading and reading.kind != "unknown" and reading.message.role == "assistant" for reading in following)


def _asked(chat: ChatGptChat, node: str, children: Mapping[str, list[str]]) -> bool:
    """Return whether a reasoning node is the only continuation of an assistant message, which then takes it over."""
    parent = chat.tree.parents[node]
    before = chat.readings.get(parent)
    return bool(before and before.kind == "turn" and before.message.role == "assistant" and len(children[parent]) == 1)


def _hand_on_reasoning(
    chat: ChatGptChat,
    kept: dict[str, Message],
    above: Mapping[str, str],
    ordered: list[str],
    children: Mapping[str, list[str]],
) -> None:
    """Give the text of reasoning nodes to the assistant message after them, or else before them."""
    pending: dict[str, list[str]] = {"": []}
    for node in ordered:
        parent = chat.tree.parents[node]
        waiting = pending[parent] if parent not in kept else []
        reading = chat.readings.get(node)
        if node in kept:
            if waiting and kept[node].role == "assistant":
                kept[node] = _with_reasoning(kept[node], waiting)
            pending[node] = []
        elif reading and reading.kind == "reasoning":
            text = reading.message.reasoning
            if _answers(chat, node, children):
                waiting = [*waiting, text]
            elif above[node]:
                kept[above[node]] = _with_reasoning(kept[above[node]], [text])
            pending[node] = waiting
        else:
            pending[node] = waiting


def _with_reasoning(message: Message, texts: list[str]) -> Message:
    thoughts = [one for one in message.whole if isinstance(one, Thought)]
    others = [one for one in message.whole if not isinstance(one, Thought)]
    return with_parts(message, [*thoughts, *map(Thought, filter(None, texts)), *others])


def _link_results(kept: dict[str, Message], above: Mapping[str, str]) -> None:
    """Link tool results to the call they follow; several may follow the same call."""
    for node, message in kept.items():
        before = kept.get(above[node])
        if message.role == "tool" and before:
            call = before.tool_calls[-1].id if before.tool_calls else before.tool_call_id
            if call:
                held = [one for one in message.whole if isinstance(one, Held)]
                kept[node] = with_parts(message, [Result(call, message.name, message.content, tuple(held))])
