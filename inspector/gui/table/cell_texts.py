"""Cell texts common to several tables: the beginning of a text, an action, a recorded action. No columns here."""

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
    """Return the first non-blank line of a text, from its beginning only: long texts are never formatted whole."""
    return masked_head(text, LINE_CODE_POINTS).lstrip().partition("\n")[0].rstrip()


def action_text(action: Action | Fate) -> str:
    """Return an item's fate for tables: its glyph and its word."""
    return f"{ACTION_GLYPH[action]} {action_words(action)}".lstrip()


def recorded_text(recorded: int) -> str:
    """Return the recorded fate of a message (a `Recorded`), written like an action, or "" if none is recorded."""
    action = _AS_ACTION.get(recorded)
    return "" if action is None else action_text(action)
