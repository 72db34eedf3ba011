"""The matrix: items by setting, a glyph for each outcome. Cells only; no widgets here."""

from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from inspector.assembly.answer import Answer
from inspector.assembly.columns import HOME_SECTION, Fate, Kind, Rows, phrase
from inspector.assembly.compare import ABSENT, NO_ROW
from inspector.assembly.matrix_tables import ITEM_COLUMNS, side_column
from inspector.assembly.side_by_side import Side, SideBySide, fate_at
from inspector.gui.table.matrix_model import MatrixModel
from inspector.gui.table.model import Cell, Marking, Sign
from inspector.gui.theme import PIN_SIGN, theme, tone_color
from inspector.tables import Column

KEPT = "●"
GLYPHS = {Fate.KEPT: KEPT, Fate.SUMMARIZED: "≈", Fate.TRUNCATED: "✂", Fate.DROPPED: "✕", Fate.NOT_YET: "·"}
LEGEND = (Fate.KEPT, Fate.SUMMARIZED, Fate.TRUNCATED, Fate.DROPPED)
NOTHING = "–"
NOW_KEY = "now"


def side_tip(sides: SideBySide, number: int) -> str:
    """Return the totals of a side, what differs from now, and every finding in words."""
    side = sides.sides[number]
    assembly = side.answer.assembly
    counts = zip(Fate, assembly.fate_counts.tolist(), strict=True)
    met = ", ".join(f"{count:,} {phrase(fate)}" for fate, count in counts if count)
    lines = [f"{side.title}: {side.about}", met]
    if not assembly.candidates.exact.all():
        lines.append("Some of its texts are not counted yet but estimated.")
    lines += [] if number == 0 else [f"Now and here: {text}" for text in settings_text(sides, number)]
    return "\n".join([*lines, *sides.messages(number)])


def settings_text(sides: SideBySide, number: int) -> list[str]:
    """Return the settings of a side that differ from those of now: `memory share 12.0 % → 20.0 %`."""
    return [
        f"{setting.title} {setting.texts[0]} → {setting.texts[number]}"
        for setting in sides.settings
        if setting.values[0] != setting.values[number]
    ]


def is_in(fate: int) -> bool:
    """Return whether an item with this fate is in the prompt, whole or in part."""
    return fate < Fate.DROPPED


class SideBySideModel(MatrixModel[SideBySide]):
    """The matrix. The first column is now: it may be newer than the others, while these are answered again.

    `in_sight` are the numbers of the other sides that are not scrolled away.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, lambda sides: sides.answers[0].assembly.candidates, side_tip, parent)
        self._now: Answer | None = None
        self.in_sight = range(1, 1)

    def show_sides(self, sides: SideBySide | None, rows: Rows) -> None:
        """Show these items of the sides, with a column for each side."""
        self._now = None
        columns = [self._column(number, side) for number, side in enumerate(sides.sides if sides else ())]
        self.show_matrix(columns, sides, rows, sides.ids if sides else ())

    def _column(self, number: int, side: Side) -> Column[SideBySide]:
        """Return the column of a side, shown while it is in sight; now always is."""
        column = side_column(number, side.title, side.key)
        return replace(column, shown=lambda _: number == 0 or number in self.in_sight)

    def show_now(self, answer: Answer) -> bool:
        """Show another answer in the column of now. Return False if it is about other items."""
        sides = self.subject
        if sides is None or answer.assembly.candidates.ids is not sides.answers[0].assembly.candidates.ids:
            return False
        self._now = answer
        self.values_changed()
        return True

    def fate(self, place: int, number: int) -> int:
        """Return the fate of an item under a side, `ABSENT` without it."""
        sides = self.subject
        if sides is None:
            return ABSENT
        if number == 0 and self._now is not None:
            row = int(sides.rows[place, 0])
            return ABSENT if row == NO_ROW else int(self._now.assembly.fate[row])
        fate = fate_at(sides, place, number)
        return ABSENT if fate is None else int(fate)

    def cell(self, position: int, column: Column[SideBySide]) -> Cell:
        """Return the glyph of an outcome; only what differs from now has a ground, by whether it is in or out."""
        number = self.place(column.key)
        if number is None or self.subject is None:
            return super().cell(position, column)
        look, place = theme(), int(self.rows[position])
        ground = look.accent_soft if number == 0 else None
        if not self.subject.sides[number].outcome.made:
            return Cell(NOTHING, look.muted_text, ground)
        fate, now = self.fate(place, number), self.fate(place, 0)
        glyph = GLYPHS[Fate(fate)] if fate != ABSENT else NOTHING
        if number == 0:
            return Cell(glyph, _ink(fate), ground)
        if fate == now:
            return Cell(glyph, look.muted_text)
        if is_in(fate) == is_in(now):
            return Cell(glyph, _ink(fate))
        return Cell(glyph, look.good, look.good_soft) if is_in(fate) else Cell(glyph, look.error, look.error_soft)

    def marking(self, position: int) -> Marking | None:
        """Return the colour of the item's home section, and the pin."""
        if self.subject is None:
            return None
        candidates, row = self.subject.candidate(int(self.rows[position]))
        look, section = theme(), HOME_SECTION[Kind(int(candidates.kind[row]))]
        signs = (Sign(PIN_SIGN, look.pinned_color),) if candidates.pinned[row] else ()
        return Marking(look.section_color(section), signs)


def _ink(fate: int) -> QColor:
    """Return the colour of an outcome; what is kept has that of all text."""
    if fate in (ABSENT, Fate.NOT_YET):
        return theme().muted_text
    return theme().text if fate == Fate.KEPT else tone_color(_TONES[fate])


_TONES = ("kept", "summarized", "truncated", "dropped")
