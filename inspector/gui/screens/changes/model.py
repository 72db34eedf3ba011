"""The table of a comparison: the items that came in, left or are otherwise. Columns only; no widgets."""

from collections.abc import Sequence, Set
from typing import overload

import numpy as np
from PySide6.QtCore import QObject

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Fate, phrase
from inspector.assembly.compare import Comparison, Movement, TotalLine, total_lines
from inspector.assembly.compare_tables import COMPARISON_COLUMNS, item_id, item_section, line_title
from inspector.assembly.side_by_side import SettingRow
from inspector.assembly.summary_items import SUMMARIES_TITLE
from inspector.figures import counted, figures, signed
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme

NO_DIFFERENCE = "No item differs."
_NO_ROWS = np.empty(0, dtype=np.intp)


def summary_text(comparison: Comparison) -> str:
    """Summarize the differences in a line: how many left, entered, or are now summarized or truncated, and the
    effect.
    """
    summaries = _summaries_text(comparison)
    if not len(comparison):
        return f"{NO_DIFFERENCE}{summaries}"
    before, after = comparison.fates_before, comparison.fates_after
    was_in, is_in = before < Fate.DROPPED, after < Fate.DROPPED
    shortened = [
        (is_in & (after == fate) & (before != fate), phrase(fate)) for fate in (Fate.SUMMARIZED, Fate.TRUNCATED)
    ]
    moved = [(was_in & ~is_in, "left"), (~was_in & is_in, "came in"), *shortened]
    parts = [(int(mask.sum()), what) for mask, what in moved if mask.any()]
    number, what = parts[0] if parts else (len(comparison), "differ in tokens or are not there any more")
    rest = [f"{number:,} {what}" for number, what in parts[1:]]
    change = int(comparison.spent_after.sum(dtype=np.int64)) - int(comparison.spent_before.sum(dtype=np.int64))
    first = f"{counted(number, 'item')} {what}"
    return f"{', '.join([first, *rest])}; items {_tokens(comparison, change)}{summaries}"


def _summaries_text(comparison: Comparison) -> str:
    """Return the change of the summaries of the program, which are no items of the list; "" for none."""
    change = comparison.after.summaries_total - comparison.before.summaries_total
    unit = "token" if abs(change) == 1 else "tokens"
    return f"; {SUMMARIES_TITLE.lower()} {signed(change, estimated=True)} {unit}" if change else ""


def totals_text(before: Answer, after: Answer) -> str:
    """Return every part of the bar before and after, with its change: `Memory 50 → 40 (−10) · … · Total 90`."""
    estimated = before.ledger.estimated or after.ledger.estimated
    return " · ".join(_total_text(line, estimated and line.name != "reserve") for line in total_lines(before, after))


def settings_text(settings: Sequence[SettingRow]) -> str:
    """Return the settings that differ, with their values before and after."""
    if not settings:
        return ""
    told = (f"{one.title} {' → '.join(one.texts)}" for one in settings)
    return f"{counted(len(settings), 'setting')}: {' · '.join(told)}"


def _total_text(line: TotalLine, estimated: bool) -> str:
    title = line_title(line)
    was, now = figures(line.before, estimated), figures(line.after, estimated)
    return f"{title} {was} → {now} ({signed(line.change, estimated)})" if line.change else f"{title} {now}"


def _tokens(comparison: Comparison, change: int) -> str:
    estimated = any(side.candidates.has_estimates for side in (comparison.before, comparison.after))
    return f"{signed(change, estimated)} {'token' if abs(change) == 1 else 'tokens'}"


def heading_text(comparison: Comparison, movement: Movement) -> str:
    """Return the heading of changes in one direction: the number of items, and the change in tokens."""
    change = _tokens(comparison, movement.spent_after - movement.spent_before)
    return f"{movement.title}: {counted(len(movement), 'item')}, {change}"


class ChangedIds(Sequence[str]):
    """The id at each place of a comparison, made when it is asked for."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def __len__(self) -> int:
        return len(self._comparison)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [item_id(self._comparison, one) for one in range(*place.indices(len(self)))]
        return item_id(self._comparison, range(len(self))[place])


class ComparisonModel(ArrayTableModel[Comparison]):
    """The places of a comparison, those of each direction under a heading."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COMPARISON_COLUMNS, parent)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show a comparison with its headings; None shows nothing."""
        if comparison is None:
            self.show(None, _NO_ROWS, ())
            return
        parts = [_NO_ROWS]
        for number, movement in enumerate(comparison.movements):
            parts += [np.array([-1 - number], np.intp), movement.places]
        self.show(comparison, np.concatenate(parts), ChangedIds(comparison))

    def rows_of(self, ids: Set[str]) -> dict[str, int]:
        """Return the places of the items with these ids, by their rows on either side."""
        if self.subject is None:
            return {}
        found = {}
        sides = ((self.subject.before, self.subject.rows_before), (self.subject.after, self.subject.rows_after))
        for assembly, rows in sides:
            for name, called in assembly.candidates.items.rows_called(ids).items():
                for row in called:
                    places = np.flatnonzero(rows == row)
                    if len(places):
                        found[name] = int(places[0])
        return found

    def heading(self, row: int) -> str:
        return heading_text(self.subject, self.subject.movements[-1 - row]) if self.subject is not None else ""

    def marking(self, position: int) -> Marking | None:
        """Return the heading of a group, or the colour of a row's section."""
        if self.subject is None:
            return None
        row, look = int(self.rows[position]), theme()
        if row < 0:
            return Marking(look.border, heading=self.heading(row))
        return Marking(look.section_color(item_section(self.subject, row)))
