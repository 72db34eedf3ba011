"""Who an item is from: the same words in every list, in the details and in a replay."""

from collections.abc import Mapping

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, phrase
from inspector.model import Character, Message, Profile

_OTHERS: Mapping[Kind, str] = {Kind.COMPONENT: "System", Kind.SUMMARY: "Other chat"}
"""Who an item that nobody said is from, where the name of its kind is not what users call it."""


def who(candidates: Candidates, row: int) -> str:
    """Return the speaker of a message, or the kind of another item.

    A message without a name is from the only character or profile of its role, if there is one, else from its role.
    """
    thing = candidates.things[row]
    if isinstance(thing, Message):
        if thing.role == "tool":
            return f"tool: {thing.name}" if thing.name else thing.role
        return thing.name or _names(candidates).get(thing.role) or thing.role
    kind = Kind(int(candidates.kind[row]))
    return _OTHERS.get(kind) or phrase(kind).capitalize()


def _names(candidates: Candidates) -> Mapping[str, str]:
    """Return who speaks in each role where messages do not say: the only character, and the only profile."""
    items = candidates.items

    def names() -> Mapping[str, str]:
        said = items.things[: items.first_message]
        characters = {thing.name for thing in said if isinstance(thing, Character)}
        profiles = {thing.name for thing in said if isinstance(thing, Profile)}
        of_roles = (("assistant", characters), ("user", profiles))
        return {role: found.pop() for role, found in of_roles if len(found) == 1}

    return items.derived("names_of_roles", None, names)
