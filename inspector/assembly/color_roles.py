"""The colour roles of sections and of the outcomes of items, the same in the window and in drawings."""

from inspector.assembly.columns import Action, Fate, Section, word
from inspector.drawings.colors import Role, Shade


def section_role(section: Section) -> Role:
    """Return the role of the fill of a section."""
    return Role(word(section))


def action_role(action: Action) -> Role:
    """Return the role of the colour of an action."""
    return Role(word(action))


def fate_tone(fate: Fate) -> Shade:
    """Return the colour of messages by their fate: that of history if kept, a faint colour for future messages."""
    if fate is Fate.KEPT:
        return Shade(Role.HISTORY)
    return Shade(Role.BORDER if fate is Fate.NOT_YET else action_role(Action(fate)))
