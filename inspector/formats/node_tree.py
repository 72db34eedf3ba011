"""The nodes of a saved chat as a tree: parents, the active path, and the rest after leaving out nodes.

All walks are loops: a chat of 6,000 nodes in a line is common. Cycles, missing parents and several roots are cut.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.reading.values import items_of, mapping


@dataclass(slots=True)
class NodeTree:
    """The parent of each node ("" for a root) in file order, and problems of its shape as (node, message)."""

    parents: dict[str, str]
    problems: list[tuple[str, str]]

    @property
    def only_leaf(self) -> str:
        """The single node without a child; "" if there are several."""
        leaves = self.parents.keys() - self.parents.values()
        return leaves.pop() if len(leaves) == 1 else ""

    def path_to(self, leaf: str) -> list[str]:
        """Return the nodes from the root to a leaf."""
        path = []
        node = leaf
        while node:
            path.append(node)
            node = self.parents[node]
        return path[::-1]

    def children(self) -> dict[str, list[str]]:
        """Return the children of each node that has any, in the order of the file."""
        found: dict[str, list[str]] = {}
        for node, parent in self.parents.items():
            found.setdefault(parent, []).append(node)
        return found

    def parents_first(self) -> list[str]:
        """Return all nodes, each after its parent."""
        children = self.children()
        ordered: list[str] = []
        waiting = list(reversed(children.get("", [])))
        while waiting:
            node = waiting.pop()
            ordered.append(node)
            waiting.extend(reversed(children.get(node, ())))
        return ordered


def tree_of(nodes: Mapping[str, Any], leaf: str) -> NodeTree:
    """Return the tree of the `mapping` of a conversation. A cycle is cut as seen from `leaf` ("" for none)."""
    tree = tree_with(in_order(_named_parents(nodes)), leaf)
    if "" in nodes:
        tree.problems.insert(0, ("", "is a node without an id; it was left out"))
    return tree


def tree_with(parents: Mapping[str, str], leaf: str) -> NodeTree:
    """Return the tree of nodes that name their parents ("" for a root).

    A cycle is cut as seen from `leaf` ("" for none).
    """
    tree = NodeTree(dict(parents), [])
    for node, parent in tree.parents.items():
        if parent and parent not in tree.parents:
            tree.problems.append((node, f'names the parent "{parent}", which is not in the file; a branch begins here'))
            tree.parents[node] = ""
    _cut_cycles(tree, [leaf, *tree.parents] if leaf in tree.parents else list(tree.parents))
    return tree


def in_order(parents: Mapping[str, str]) -> dict[str, str]:
    """Return the parents of nodes; where no node names any, each follows the one before it in the file."""
    names = list(parents)
    return dict(parents) if any(parents.values()) else dict(zip(names, ["", *names], strict=False))


def _named_parents(nodes: Mapping[str, Any]) -> dict[str, str]:
    """Return the parent that each node names; for a node without such a key, the node that lists it as a child."""
    by_child = {} if all("parent" in mapping(node) for node in nodes.values()) else _listing_nodes(nodes)
    parents: dict[str, str] = {}
    for name, node in nodes.items():
        held = mapping(node)
        named = held["parent"] if "parent" in held else by_child.get(name)
        if name:
            parents[name] = named if isinstance(named, str) else ""
    return parents


def _listing_nodes(nodes: Mapping[str, Any]) -> dict[str, str]:
    """Return for each node listed as a child the node that lists it."""
    return {
        child: parent
        for parent, node in nodes.items()
        for child in items_of(mapping(node).get("children"))
        if isinstance(child, str) and child != parent
    }


def _cut_cycles(tree: NodeTree, starts: Iterable[str]) -> None:
    sound: set[str] = {""}
    for start in starts:
        walked: list[str] = []
        on_walk: set[str] = set()
        node = start
        while node not in sound and node not in on_walk:
            walked.append(node)
            on_walk.add(node)
            node = tree.parents[node]
        if node in on_walk:
            tree.problems.append((walked[-1], f'follows "{node}", which follows it: a cycle; it is cut here'))
            tree.parents[walked[-1]] = ""
        sound |= on_walk


def newest_leaf(tree: NodeTree, newness: Callable[[str], tuple[float, int] | None]) -> str:
    """Return the newest node without a child; `newness` is its time and place in the file, None if unknown."""
    inner = set(tree.parents.values())
    leaves = [(new, node) for node in tree.parents if node not in inner and (new := newness(node)) is not None]
    return max(leaves)[1] if leaves else ""


def without(tree: NodeTree, kept: set[str], ordered: Sequence[str]) -> dict[str, str]:
    """Return for every node the nearest kept node above it, "" if there is none; `ordered` has parents first."""
    above: dict[str, str] = {"": ""}
    for node in ordered:
        parent = tree.parents[node]
        above[node] = parent if parent in kept else above[parent]
    return above
