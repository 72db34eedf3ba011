"""The roles of colours of sections and of what becomes of items, the same in the window and in drawings."""

from inspector.assembly.columns import Action, Fate, Section, word
from inspector.drawings.colors import Role, Shade


def section_role(section: Section) -> Role:
    """The role of the fill of a section."""
    return Role(word(section))


def action_role(action: Action) -> Role:
    """The role of the colour of an action."""
    return Role(word(action))


def fate_tone(fate: Fate) -> Shade:
    """The colour of messages by what became of them: kept ones have that of history, those to come are faint."""
    if fate is Fate.KEPT:
        return Shade(Role.HISTORY)
    return Shade(Role.BORDER if fate is Fate.NOT_YET else action_role(Action(fate)))
