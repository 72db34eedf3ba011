"""The smallest changes of an item's outcome, as links that make them."""

from collections.abc import Iterator, Mapping, Sequence

from inspector.analysis.explanation.solver import CONTEXT_WINDOW, SmallestChange
from inspector.assembly.columns import Action, phrase
from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter, parameters_by_name
from inspector.figures import figures
from inspector.gui.parts.page import heading, link, paragraph, plain
from inspector.gui.theme import theme

SEARCHING = "Looking for what would change it…"
NOTHING = "No single setting would change it."
CANCELLED = "The search for what would change it was cancelled."


def changes_page(changes: Sequence[SmallestChange], policy: object, without: Action | None) -> str:
    """Return the HTML of the changes, grouped by the resulting outcome.

    Those that lead to `without` are left out: they are told elsewhere.
    """
    declared = parameters_by_name(policy)
    lines = [line for action in Action if action is not without for line in _line(changes, action, declared)]
    if lines:
        return heading("What would change it") + "".join(lines)
    return "" if without is not None else paragraph(NOTHING, theme().second_text)


def _line(changes: Sequence[SmallestChange], action: Action, declared: Mapping[str, Parameter]) -> Iterator[str]:
    links = [_link(number, change, declared) for number, change in enumerate(changes) if change.action == action]
    if links:
        words = plain(f"{phrase(action).capitalize()} with ")
        yield f'<p style="margin-top:0px;margin-bottom:4px;">{words}{"  ·  ".join(links)}</p>'


def change_text(change: SmallestChange, declared: Mapping[str, Parameter]) -> str:
    """Return a change in a few words, such as `Conversation 52.3 %`."""
    if change.parameter == CONTEXT_WINDOW:
        return f"Window {figures(change.value)}"
    return edit_label(declared[change.parameter], change.value)


def _link(number: int, change: SmallestChange, declared: Mapping[str, Parameter]) -> str:
    """Return a change as a link to its number, with its side effects as the tooltip."""
    others = [
        f"{len(rows):,} more {word}" for rows, word in ((change.kept, "kept"), (change.dropped, "dropped")) if rows
    ]
    return link(f"change:{number}", change_text(change, declared), f"Also: {', '.join(others)}" if others else "")
