"""The alternatives of a message: where the branch of each goes, and what choosing one changes of a scenario."""

from datetime import UTC, datetime

import pytest

from inspector.assembly.alternatives import alternatives_of, places_among
from inspector.assembly.choices import ScenarioError, path_to
from inspector.model import Message, MessageTree


def message(name: str, day: int = 1) -> Message:
    return Message(name, "user", name, time=datetime(2024, 5, day, tzinfo=UTC))


def tree(leaf: str, *nodes: tuple[str, str, int]) -> MessageTree:
    """A tree of (id, parent, day)."""
    messages = tuple(message(name, day) for name, _, day in nodes)
    return MessageTree(messages, tuple(parent for _, parent, _ in nodes), leaf)


BRANCHED = tree(
    "d", ("a", "", 1), ("b1", "a", 2), ("b2", "a", 2), ("c1", "b2", 9), ("c2", "b2", 3), ("d", "b1", 4), ("e", "b1", 8)
)


def test_each_goes_on_to_the_active_end_or_to_the_newest() -> None:
    found = alternatives_of(BRANCHED, "b1")
    assert [(one.message.id, one.leaf, one.after) for one in found] == [("b1", "d", 1), ("b2", "c1", 1)]
    assert alternatives_of(BRANCHED, "b2") == found
    assert [(one.leaf, one.after) for one in alternatives_of(BRANCHED, "c2")] == [("c1", 0), ("c2", 0)]


def test_a_message_alone_in_its_place_has_none() -> None:
    assert alternatives_of(BRANCHED, "a") == ()
    assert alternatives_of(BRANCHED, "draft") == ()


def test_a_cycle_has_an_end() -> None:
    cyclic = tree("a", ("a", "", 1), ("b", "a", 1), ("c", "a", 1), ("x", "y", 1), ("y", "x", 1))
    assert [one.leaf for one in alternatives_of(cyclic, "b")] == ["b", "c"]
    assert [one.leaf for one in alternatives_of(tree("x", ("x", "x", 1), ("y", "x", 1)), "y")] == ["x", "y"]


def test_thousands_of_messages_in_one_line_below_are_walked_once() -> None:
    line = [(f"m{number}", f"m{number - 1}" if number else "", 1) for number in range(20_000)]
    found = alternatives_of(tree("m19999", *line, ("other", "", 1)), "other")
    assert [(one.leaf, one.after) for one in found] == [("m19999", 19_999), ("other", 0)]


def test_an_unknown_leaf_names_those_that_there_are() -> None:
    with pytest.raises(ScenarioError, match=r"its branches end with: c1, c2, d, e$"):
        path_to(BRANCHED, "nowhere")


def test_each_message_with_alternatives_knows_its_place_among_them() -> None:
    places = places_among(BRANCHED)
    assert {name: places[name] for name in ("b1", "b2")} == {"b1": (1, 2), "b2": (2, 2)}
    assert "a" not in places
