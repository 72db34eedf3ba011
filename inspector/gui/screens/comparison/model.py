"""The table of a comparison: the items that differ, under a heading for each transition. Columns only; no widgets."""

from collections.abc import Sequence, Set
from typing import overload

import numpy as np
from PySide6.QtCore import QObject

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Fate, Section, outcome_tone, outcome_words, phrase, section_title, word
from inspector.assembly.compare import ABSENT, NO_ROW, Comparison, TotalLine, TransitionGroup, total_lines
from inspector.assembly.decisions import Assembly
from inspector.figures import counted, figures, signed
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme
from inspector.tables import Column, Tone, first_line

ABSENT_WORD = "not there"
NO_DIFFERENCE = "No item differs from the baseline."
_SECTION_TITLES = {word(section): section_title(section) for section in Section}

_NO_ROWS = np.empty(0, dtype=np.intp)


def item_id(comparison: Comparison, place: int) -> str:
    """The id of the item at a place of the comparison."""
    after = int(comparison.rows_after[place])
    if after != NO_ROW:
        return comparison.after.candidates.ids[after]
    return comparison.before.candidates.ids[int(comparison.rows_before[place])]


def item_text(comparison: Comparison, place: int) -> str:
    """The whole text of the item at a place, as it is after, or was before where it is gone."""
    after = int(comparison.rows_after[place])
    if after != NO_ROW:
        return comparison.after.candidates.texts[after]
    return comparison.before.candidates.texts[int(comparison.rows_before[place])]


def summary_text(comparison: Comparison) -> str:
    """What differs, in one line: how many left, came in, are summarized or truncated now, and what that changes."""
    if not len(comparison):
        return NO_DIFFERENCE
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
    return f"{', '.join([first, *rest])}; items {_tokens(comparison, change)}"


def totals_text(before: Answer, after: Answer) -> str:
    """Every part of the bar before and after, with what it changed by: `Memory 50 → 40 (−10) · … · Total 90`."""
    estimated = before.ledger.estimated or after.ledger.estimated
    return " · ".join(_total_text(line, estimated and line.name != "reserve") for line in total_lines(before, after))


def _total_text(line: TotalLine, estimated: bool) -> str:
    title = _SECTION_TITLES.get(line.name) or line.name.capitalize()
    was, now = figures(line.before, estimated), figures(line.after, estimated)
    return f"{title} {was} → {now} ({signed(line.change, estimated)})" if line.change else f"{title} {now}"


def _tokens(comparison: Comparison, change: int) -> str:
    estimated = any(side.candidates.has_estimates for side in (comparison.before, comparison.after))
    return f"{signed(change, estimated)} {'token' if abs(change) == 1 else 'tokens'}"


def _word(fate: Fate | None) -> str:
    return ABSENT_WORD if fate is None else outcome_words(fate)


def heading_text(comparison: Comparison, group: TransitionGroup) -> str:
    """The heading of a group: what became of them on both sides, how many items, and the change in tokens."""
    change = _tokens(comparison, group.spent_after - group.spent_before)
    return f"{_word(group.before)} → {_word(group.after)}: {counted(len(group), 'item')}, {change}"


def _section(comparison: Comparison, place: int) -> Section:
    after = int(comparison.rows_after[place])
    if after != NO_ROW:
        return Section(int(comparison.after.section[after]))
    return Section(int(comparison.before.section[int(comparison.rows_before[place])]))


def _transition(comparison: Comparison, place: int) -> str:
    change = comparison.change(place)
    return f"{_word(change.before)} → {_word(change.after)}"


def _after_color(comparison: Comparison, place: int) -> Tone | None:
    fate = int(comparison.fates_after[place])
    return outcome_tone(Fate(fate)) if Fate.KEPT < fate < ABSENT else None


def _difference(comparison: Comparison, place: int) -> str:
    sides = (comparison.before, comparison.rows_before), (comparison.after, comparison.rows_after)
    rows = ((side.candidates, int(rows[place])) for side, rows in sides)
    estimated = any(bool(candidates.estimated[row]) for candidates, row in rows if row != NO_ROW)
    return signed(int(comparison.spent_after[place]) - int(comparison.spent_before[place]), estimated)


def _before(comparison: Comparison, place: int) -> str:
    row, fate = int(comparison.rows_before[place]), comparison.fates_before[place]
    return _spent(comparison.before, row, int(fate), int(comparison.spent_before[place]))


def _after(comparison: Comparison, place: int) -> str:
    row, fate = int(comparison.rows_after[place]), comparison.fates_after[place]
    return _spent(comparison.after, row, int(fate), int(comparison.spent_after[place]))


def _spent(assembly: Assembly, row: int, fate: int, spent: int) -> str:
    """What a row costs in its prompt; a dash, as in the table of decisions, for what is not in it."""
    return figures(spent, bool(assembly.candidates.estimated[row])) if fate < Fate.DROPPED else figures(None)


def _reason_before(comparison: Comparison, place: int) -> str:
    reason = comparison.change(place).reason_before
    return reason.label if reason else ""


def _reason_after(comparison: Comparison, place: int) -> str:
    reason = comparison.change(place).reason_after
    return reason.label if reason else ""


def _muted(_: Comparison, __: int) -> Tone:
    return "muted"


COMPARISON_COLUMNS: tuple[Column[Comparison], ...] = (
    Column("item", "Item", "The id of the item", item_id, digits=10),
    Column(
        "text",
        "Text",
        "The first line of the item",
        lambda comparison, place: first_line(item_text(comparison, place)),
        digits=22,
        stretches=True,
        tooltip=item_text,
    ),
    Column(
        "transition",
        "Before → After",
        "What happened to it then, and what happens now",
        _transition,
        digits=21,
        tone=_after_color,
    ),
    Column(
        "before",
        "Before",
        "What it cost in the prompt of the baseline, in tokens",
        _before,
        digits=7,
        right=True,
        tone=_muted,
        yields=1,
    ),
    Column(
        "after",
        "After",
        "What it costs in this prompt, in tokens",
        _after,
        digits=7,
        right=True,
    ),
    Column("change", "Change", "The change in tokens", _difference, digits=7, right=True),
    Column("reason_before", "Reason before", "Why, in the baseline", _reason_before, digits=21, tone=_muted, yields=3),
    Column("reason_after", "Reason after", "Why, now", _reason_after, digits=21, yields=2),
)


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
    """The places of a comparison, each group under a heading."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COMPARISON_COLUMNS, parent)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show a comparison with its headings; None shows nothing."""
        if comparison is None:
            self.show(None, _NO_ROWS, ())
            return
        parts = [_NO_ROWS]
        for number, group in enumerate(comparison.groups):
            parts += [np.array([-1 - number], np.intp), np.arange(group.start, group.stop)]
        self.show(comparison, np.concatenate(parts), ChangedIds(comparison))

    def rows_of(self, ids: Set[str]) -> dict[str, int]:
        """The places of the items with these ids, by their rows on either side."""
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
        """The transition that the rows below share."""
        return heading_text(self.subject, self.subject.groups[-1 - row]) if self.subject is not None else ""

    def marking(self, position: int) -> Marking | None:
        """The heading of a group, or the colour of a row's section."""
        if self.subject is None:
            return None
        row, look = int(self.rows[position]), theme()
        if row < 0:
            return Marking(look.border, heading=self.heading(row))
        return Marking(look.section_color(_section(self.subject, row)))
