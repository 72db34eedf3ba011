"""The colour roles of sections and of the outcomes of items, the same in the window and in drawings."""

from inspector.assembly.columns import Action, Fate, Section, word
from inspector.drawings.colors import Role, Shade

_SECTIONS = tuple(Role(word(section)) for section in Section)
_ACTIONS = tuple(Role(word(action)) for action in Action)


def section_role(section: int) -> Role:
    """Return the role of the fill of a section, given as a `Section` or its number in a column."""
    return _SECTIONS[section]


def action_role(action: int) -> Role:
    """Return the role of the colour of an action, given as an `Action` or its number in a column."""
    return _ACTIONS[action]


def fate_tone(fate: Fate) -> Shade:
    """Return the colour of messages by their fate: kept ones have the colour of history, future ones are faint."""
    if fate is Fate.KEPT:
        return Shade(Role.HISTORY)
    return Shade(Role.BORDER if fate is Fate.NOT_YET else action_role(Action(fate)))
