"""How tables write what several of them show: the beginning of a text, an action, a difference. No columns here."""

from inspector.assembly.columns import Action, Fate
from inspector.assembly.recorded import Recorded
from inspector.gui.theme import ACTION_GLYPH, action_words
from inspector.secrets import masked_head

LINE_CODE_POINTS = 300
_AS_ACTION: dict[int, Action] = {
    Recorded.KEPT: Action.KEPT,
    Recorded.SUMMARIZED: Action.SUMMARIZED,
    Recorded.DROPPED: Action.DROPPED,
}


def first_line(text: str) -> str:
    """The first line of a text that is not blank, from a slice: long texts are never formatted whole."""
    return masked_head(text, LINE_CODE_POINTS).lstrip().partition("\n")[0].rstrip()


def action_text(action: Action | Fate) -> str:
    """What became of an item as tables write it: its glyph and its word."""
    return f"{ACTION_GLYPH[action]} {action_words(action)}".lstrip()


def recorded_text(recorded: int) -> str:
    """What a file says became of a message (a `Recorded`), written as an action is; "" where it says nothing."""
    action = _AS_ACTION.get(recorded)
    return "" if action is None else action_text(action)
