"""Who an item is from: the same words in every list, in the details and in a replay."""

from collections.abc import Mapping
from datetime import datetime

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, phrase
from inspector.assembly.items import Thing
from inspector.assembly.when import day_text, moment_text
from inspector.figures import counted
from inspector.model import Character, Component, LoreEntry, Message, Profile

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


def about(candidates: Candidates, row: int, is_short: bool = False) -> str:
    """Return who a message is from, or another name of an item, and its time, such as `Nell, 25 Mar 23:14`; shortly,
    the day. A note that its file gives a place has it, such as `4 messages from the end, as user`.
    """
    time = getattr(candidates.things[row], "time", None)
    when = (day_text if is_short else moment_text)(time) if isinstance(time, datetime) else ""
    return ", ".join(filter(None, (_named(candidates, row), _place(candidates.things[row]), when)))


def _place(thing: Thing) -> str:
    """Return the place and the role of a note or of lore, as its file has them; else ""."""
    if isinstance(thing, LoreEntry) and thing.position == "at_depth":
        depth, role = thing.activation.get("depth"), thing.activation.get("role")
    elif isinstance(thing, Component):
        depth, role = thing.depth, thing.role
    else:
        return ""
    where = f"{counted(depth, 'message')} from the end" if isinstance(depth, int) else ""
    if isinstance(thing, Component) and thing.position:
        where = f"{'before' if thing.position == 'before_prompt' else 'after'} the main prompt"
    return ", ".join(filter(None, (where, f"as {role}" if isinstance(role, str) else "")))


def _named(candidates: Candidates, row: int) -> str:
    """Return who a message is from; of another item its name or title."""
    thing = candidates.things[row]
    if isinstance(thing, Message):
        return who(candidates, row)
    names = (getattr(thing, name, "") for name in ("name", "title"))
    return next((name for name in names if isinstance(name, str) and name), "")


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
