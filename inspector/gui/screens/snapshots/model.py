"""The table of differences: settings, then items grouped by their actions, a column for each answer. Columns only."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject

from inspector.assembly.columns import Section, outcome_words
from inspector.assembly.compare_tables import ABSENT_WORD
from inspector.assembly.side_by_side import Pattern, SideBySide
from inspector.assembly.side_tables import ROW_COLUMNS, place_of, row_name, side_column
from inspector.figures import counted
from inspector.gui.parts.texts import one_line, told_apart
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme

_NAME_LETTERS = 14
_NO_ROWS = np.empty(0, np.intp)


def pattern_text(pattern: Pattern) -> str:
    """Return the heading of items: their action in each answer, and their number."""
    words = (ABSENT_WORD if action is None else outcome_words(action) for action in pattern.actions)
    return f"{' → '.join(words)}: {counted(len(pattern), 'item')}"


class SideBySideModel(ArrayTableModel[SideBySide]):
    """Settings and items under headings, with a column for each answer."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ROW_COLUMNS, parent)

    def show_sides(self, sides: SideBySide | None) -> None:
        """Show the differences; None shows nothing."""
        if sides is None:
            self.show_under(ROW_COLUMNS, None, _NO_ROWS, ())
            return
        parts, first = [_NO_ROWS], len(sides.settings)
        if first:
            parts += [np.array([-1]), np.arange(first)]
        for number, pattern in enumerate(sides.patterns):
            parts += [np.array([-2 - number]), np.arange(first + pattern.start, first + pattern.stop)]
        names = enumerate(zip(sides.names, told_apart(sides.names), strict=True))
        columns = (side_column(number, one_line(short, _NAME_LETTERS), name) for number, (name, short) in names)
        self.show_under((*ROW_COLUMNS, *columns), sides, np.concatenate(parts), _ids(sides))

    def marking(self, position: int) -> Marking | None:
        """Return the heading of a group, or the colour of a row's section."""
        sides, row, look = self.subject, int(self.rows[position]), theme()
        if sides is None:
            return None
        if row == -1:
            return Marking(look.border, heading=_settings_heading(sides))
        if row < -1:
            return Marking(look.border, heading=pattern_text(sides.patterns[-2 - row]))
        place = place_of(sides, row)
        if place < 0:
            return Marking(look.border)
        assembly, item = sides.item(place)
        return Marking(look.section_color(Section(int(assembly.section[item]))))


def _settings_heading(sides: SideBySide) -> str:
    count = len(sides.settings)
    return f"{counted(count, 'setting')} that {'differs' if count == 1 else 'differ'}"


def _ids(sides: SideBySide) -> Sequence[str]:
    """Return the identity of each row: for an item its id."""
    settings = [f"setting:{setting.name}" for setting in sides.settings]
    return [*settings, *(row_name(sides, len(settings) + place) for place in range(len(sides)))]
