"""The table of what differs: settings, then items under what is made of them, a column an answer. Columns only."""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QObject

from inspector.assembly.columns import Action, Section, outcome_tone, outcome_words
from inspector.assembly.compare import ABSENT, NO_ROW
from inspector.assembly.explain import explain
from inspector.assembly.side_by_side import Pattern, SideBySide
from inspector.figures import counted, figures
from inspector.gui.parts.told_apart import told_apart
from inspector.gui.parts.visible_text import one_line
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme
from inspector.tables import Column, Tone, first_line

ABSENT_WORD = "not there"
_NAME_LETTERS = 14
_NO_ROWS = np.empty(0, np.intp)

Of = Callable[[SideBySide, int], str]


def pattern_text(pattern: Pattern) -> str:
    """The heading of items: what each answer makes of them, and how many they are."""
    words = (ABSENT_WORD if action is None else outcome_words(action) for action in pattern.actions)
    return f"{' → '.join(words)}: {counted(len(pattern), 'item')}"


def _place(sides: SideBySide, row: int) -> int:
    """The place of the item of a row; below 0 for a setting. The settings come first."""
    return row - len(sides.settings)


def _name(sides: SideBySide, row: int) -> str:
    place = _place(sides, row)
    if place < 0:
        return sides.settings[row].name.replace("_", " ")
    assembly, item = sides.item(place)
    return assembly.candidates.ids[item]


def _text(sides: SideBySide, row: int) -> str:
    place = _place(sides, row)
    if place < 0:
        return ""
    assembly, item = sides.item(place)
    return first_line(assembly.candidates.texts[item])


def _whole_text(sides: SideBySide, row: int) -> str:
    place = _place(sides, row)
    if place < 0:
        return ""
    assembly, item = sides.item(place)
    return assembly.candidates.texts[item]


def _answer_column(number: int, name: str, short: str) -> Column[SideBySide]:
    def text(sides: SideBySide, row: int) -> str:
        place = _place(sides, row)
        if place < 0:
            return first_line(sides.settings[row].texts[number])
        action, item = int(sides.actions[place, number]), int(sides.rows[place, number])
        if action == ABSENT:
            return ABSENT_WORD
        spent = int(sides.answers[number].assembly.spent[item])
        return (
            outcome_words(Action(action))
            if action == Action.DROPPED
            else f"{outcome_words(Action(action))} {figures(spent)}"
        )

    def tone(sides: SideBySide, row: int) -> Tone | None:
        place = _place(sides, row)
        action = int(sides.actions[place, number]) if place >= 0 else Action.KEPT
        return outcome_tone(Action(action)) if Action.KEPT < action <= Action.DROPPED else None

    def tooltip(sides: SideBySide, row: int) -> str:
        place = _place(sides, row)
        if place < 0:
            return sides.settings[row].texts[number]
        item = int(sides.rows[place, number])
        return ABSENT_WORD if item == NO_ROW else f"{name}: {explain(sides.answers[number].assembly, item)}"

    title = one_line(short, _NAME_LETTERS)
    return Column(f"answer:{number}", title, name, text, digits=16, least=9, tone=tone, tooltip=tooltip)


ITEM_COLUMNS: tuple[Column[SideBySide], ...] = (
    Column(
        "item",
        "What differs",
        "The setting, or the id of the item, that differs",
        _name,
        digits=16,
        least=10,
        tooltip=lambda sides, row: _whole_text(sides, row) or _name(sides, row),
    ),
    Column(
        "text",
        "Text",
        "The first line of the item",
        _text,
        digits=20,
        stretches=True,
        goes_last=1,
        least=10,
        tooltip=_whole_text,
    ),
)


class SideBySideModel(ArrayTableModel[SideBySide]):
    """Settings and items under headings, with a column for each answer."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, parent)

    def show_sides(self, sides: SideBySide | None) -> None:
        """Show what differs; None shows nothing."""
        if sides is None:
            self.show_under(ITEM_COLUMNS, None, _NO_ROWS, ())
            return
        parts, first = [_NO_ROWS], len(sides.settings)
        if first:
            parts += [np.array([-1]), np.arange(first)]
        for number, pattern in enumerate(sides.patterns):
            parts += [np.array([-2 - number]), np.arange(first + pattern.start, first + pattern.stop)]
        names = enumerate(zip(sides.names, told_apart(sides.names), strict=True))
        columns = (_answer_column(number, name, short) for number, (name, short) in names)
        self.show_under((*ITEM_COLUMNS, *columns), sides, np.concatenate(parts), _ids(sides))

    def marking(self, position: int) -> Marking | None:
        """The heading of a group, or the colour of a row's section."""
        sides, row, look = self.subject, int(self.rows[position]), theme()
        if sides is None:
            return None
        if row == -1:
            return Marking(look.border, heading=_settings_heading(sides))
        if row < -1:
            return Marking(look.border, heading=pattern_text(sides.patterns[-2 - row]))
        place = _place(sides, row)
        if place < 0:
            return Marking(look.border)
        assembly, item = sides.item(place)
        return Marking(look.section_color(Section(int(assembly.section[item]))))


def _settings_heading(sides: SideBySide) -> str:
    count = len(sides.settings)
    return f"{counted(count, 'setting')} that {'differs' if count == 1 else 'differ'}"


def _ids(sides: SideBySide) -> Sequence[str]:
    """What each row is known by: an item by its id."""
    settings = [f"setting:{setting.name}" for setting in sides.settings]
    return [*settings, *(_name(sides, len(settings) + place) for place in range(len(sides)))]
