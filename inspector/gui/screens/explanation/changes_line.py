"""The line of changes to an item's fate: a link for each parameter, with the value needed."""

from collections.abc import Mapping, Sequence

from inspector.analysis.solver import CONTEXT_WINDOW, SmallestChange
from inspector.assembly.columns import Action, phrase
from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter, parameters_by_name
from inspector.figures import figures
from inspector.gui.parts.page import link, paragraph, plain
from inspector.gui.theme import theme

SEARCHING = "Looking for the smallest changes that would change this…"
CANCELLED = "The search for what would change this was cancelled."
NOTHING = "No single parameter would change this."


def changes_line(changes: Sequence[SmallestChange] | None, policy: object, is_cancelled: bool = False) -> str:
    """Return the HTML of the changes, grouped by the resulting action; None means a search under way."""
    if changes is None:
        return paragraph(CANCELLED if is_cancelled else SEARCHING, theme().muted_text)
    if not changes:
        return paragraph(NOTHING, theme().muted_text)
    declared = parameters_by_name(policy)
    lines = []
    for action in Action:
        links = [_link(number, change, declared) for number, change in enumerate(changes) if change.action == action]
        if links:
            words = plain(f"It would be {phrase(action)} with: ")
            lines.append(f'<p style="margin-top:0px;margin-bottom:8px;">{words}{"  ·  ".join(links)}</p>')
    return "".join(lines)


def change_text(change: SmallestChange, declared: Mapping[str, Parameter]) -> str:
    """Return a change in a few words, such as `History share 52.3 %`."""
    if change.parameter == CONTEXT_WINDOW:
        return f"Context window {figures(change.value)}"
    return edit_label(declared[change.parameter], change.value)


def _link(number: int, change: SmallestChange, declared: Mapping[str, Parameter]) -> str:
    """Return a change as a link to its number, with its side effects as the tooltip."""
    others = [
        f"{len(rows):,} more {word}" for rows, word in ((change.kept, "kept"), (change.dropped, "dropped")) if rows
    ]
    return link(f"change:{number}", change_text(change, declared), f"Also: {', '.join(others)}" if others else "")
