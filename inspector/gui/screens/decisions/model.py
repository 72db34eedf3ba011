"""The table of decisions: a row for each candidate and each summary of the program, with its decision. No widgets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from inspector.assembly.alternatives import places_among
from inspector.assembly.columns import Fate, Kind, Section, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.item_tables import ITEM_COLUMNS
from inspector.assembly.listed_items import LISTED_COLUMNS
from inspector.assembly.marks import MarkedRows
from inspector.assembly.numbers import number_of
from inspector.assembly.summary_items import summary_at, with_summaries
from inspector.gui.table.model import ArrayTableModel, Cell, Marking, Sign
from inspector.gui.theme import BELL_SIGN, NOTE_SIGN, PIN_SIGN, SHIELD_SIGN, theme
from inspector.model import Message
from inspector.retrieval.search.words import excerpt_of
from inspector.tables import Column, Face, first_line, with_files_of

BEFORE_MARK = 12
"""So many characters at most stand before the first mark, which is to be seen in a narrow column too."""

VERSIONS_KEY = "V"
NOTHING_MARKED = MarkedRows(np.zeros(0, np.bool_), {})


def _number_digits(assembly: Assembly) -> int:
    """Return the digits of the longest number."""
    candidates = assembly.candidates
    last, others = len(candidates) - 1, candidates.items.first_message
    summary = len(assembly.compactions[-1].id) if assembly.compactions else 0
    return max(len(number_of(candidates, last)) if last >= 0 else 0, len(f"M {others:,}") if others else 0, summary)


def _number_tooltip(assembly: Assembly, row: int) -> str:
    """Return the id and kind of an item, and whether it is pinned."""
    candidates = assembly.candidates
    pinned = ", pinned" if candidates.pinned[row] else ""
    kind = word(Kind(int(candidates.kind[row])))
    return f"{number_of(candidates, row)}: {kind} {candidates.ids[row]}{pinned}"


def _versions(assembly: Assembly) -> Mapping[str, tuple[int, int]]:
    """Return the places of messages among their alternatives by their ids, found once for the same items."""
    items = assembly.candidates.items
    tree = items.conversation.tree if items.conversation else None
    return items.derived("versions", None, lambda: places_among(tree) if tree else {})


def _version(assembly: Assembly, row: int) -> tuple[int, int] | None:
    thing = assembly.candidates.things[row]
    return _versions(assembly).get(thing.id) if isinstance(thing, Message) else None


def _version_text(assembly: Assembly, row: int) -> str:
    """Return its place among the versions, "" without other versions."""
    version = _version(assembly, row)
    return f"{version[0]:,} of {version[1]:,}" if version else ""


def _version_tip(assembly: Assembly, row: int) -> str:
    """Return the same in a sentence, with how another is shown."""
    version = _version(assembly, row)
    if version is None:
        return "The file has no other version of it"
    return (
        f"Version {version[0]:,} of {version[1]:,} that the file has here, such as swipes and branches. "
        f"{VERSIONS_KEY}, or Alternatives in its menu, shows another."
    )


def _version_counts(assembly: Assembly) -> NDArray:
    """Return the number of versions of each row, −1 without others, so that sorting by most brings them up."""
    versions = (_version(assembly, row) for row in range(len(assembly.candidates)))
    return np.fromiter((version[1] if version else -1 for version in versions), np.int64)


_NUMBER: Column[Assembly] = replace(LISTED_COLUMNS[0], needs=_number_digits, tooltip=_number_tooltip, faces=Face.WINDOW)
_VERSIONS: Column[Assembly] = Column(
    "versions",
    "Versions",
    "Which version of a message is shown, where the file has several, such as swipes and branches",
    _version_text,
    _version_counts,
    digits=7,
    goes_last=4,
    tone=lambda assembly, row: "muted",
    tooltip=_version_tip,
    shown=lambda assembly: bool(_versions(assembly)),
    faces=Face.WINDOW,
    at_first=False,
)
DECISION_COLUMNS = with_files_of((_NUMBER, *LISTED_COLUMNS[1:], _VERSIONS), ITEM_COLUMNS)


def _decided(assembly: Assembly) -> tuple[NDArray, ...]:
    """Return the columns of a decision, besides its item and the room left for misfits."""
    bits_of_score = assembly.score.view(np.int64)  # NaN equals nothing
    classes = () if assembly.classes is None else (assembly.classes,)
    return (assembly.action, assembly.reason, assembly.section, assembly.spent, assembly.rank, bits_of_score, *classes)


class DecisionModel(ArrayTableModel[Assembly]):
    """The decisions of an assembly, each row with the colour of its section at its edge and signs beside its number.

    The signs are a bell for items that must stay and are dropped, a pin, a shield for items that must stay, and a
    pencil for a note. `marked` are the marks, `lit` the section on a faint ground, `words` those searched for: texts
    with any of them show its surroundings, with marks.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        self.marked = NOTHING_MARKED
        self._marked_before = NOTHING_MARKED
        number, *others = DECISION_COLUMNS
        columns = (replace(number, tooltip=self._number_tip), *self._columns_of_marks(others))
        super().__init__(with_summaries(columns), parent)
        self.words: tuple[str, ...] = ()
        self.lit: Section | None = None

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the texts from now on."""
        if words != self.words:
            self.words = words
            self.values_changed()

    def cell(self, position: int, column: Column[Assembly]) -> Cell:
        """Return a cell with its marks."""
        if column.of_signs:
            return Cell("")
        cell = super().cell(position, column)
        if not self.words or column.key != "text" or self.subject is None:
            return cell
        row = int(self.rows[position])
        summary = summary_at(self.subject, row)
        text = self.subject.candidates.texts[row] if summary is None else summary.text
        found = excerpt_of(text.lstrip(), self.words, before=BEFORE_MARK)
        return cell._replace(text=found.text, marks=found.marks) if found.marks else cell

    def take_marks(self, marked: MarkedRows) -> None:
        """Show these marks with the next rows."""
        self._marked_before, self.marked = self.marked, marked

    def _columns_of_marks(self, others: Sequence[Column[Assembly]]) -> tuple[Column[Assembly], ...]:
        """Return the other columns between that of the signs and that of the same in words."""
        signs: Column[Assembly] = Column(
            "signs",
            "Marks",
            "A pin, a shield on what must stay, a bell where that is dropped, and a pencil for a note",
            self._marks_text,
            self._marks_order,
            tooltip=self._sign_tip,
            faces=Face.WINDOW,
            of_signs=True,
        )
        in_words: Column[Assembly] = Column(
            "marks",
            "Marks in words",
            "What must stay, and notes",
            self._marks_text,
            self._marks_order,
            digits=20,
            least=8,
            yields=1,
            tone=lambda assembly, row: "error" if self._is_lost(assembly, row) else None,
            tooltip=lambda assembly, row: self.marked.notes.get(row, ""),
            at_first=False,
            faces=Face.WINDOW,
        )
        return (signs, *others, in_words)

    def _sign_tip(self, assembly: Assembly, row: int) -> str:
        pinned = "pinned" if assembly.candidates.pinned[row] else ""
        return "\n".join(part for part in (pinned, self._marks_text(assembly, row)) if part)

    def _number_tip(self, assembly: Assembly, row: int) -> str:
        marks = self._marks_text(assembly, row)
        return f"{_number_tooltip(assembly, row)}\n{marks}" if marks else _number_tooltip(assembly, row)

    def _must_survive(self, row: int) -> bool:
        return row < len(self.marked.must_survive) and bool(self.marked.must_survive[row])

    def _is_lost(self, assembly: Assembly, row: int) -> bool:
        return self._must_survive(row) and int(assembly.fate[row]) == Fate.DROPPED

    def _marks_text(self, assembly: Assembly, row: int) -> str:
        note = self.marked.notes.get(row, "")
        lost = ", dropped" if self._is_lost(assembly, row) else ""
        parts = (
            f"must stay{lost}" if self._must_survive(row) else "",
            f"note: {first_line(note)}" if note else "",
        )
        return ", ".join(part for part in parts if part)

    def _marks_order(self, assembly: Assembly) -> NDArray:
        """Return the order by marks: lost items, items that must survive, notes, the rest."""
        marks, order = self.marked.must_survive, np.full(len(assembly.candidates), 3, np.uint8)
        order[list(self.marked.notes)] = 2
        if len(marks) == len(order):
            order[marks] = 1
            order[marks & (assembly.fate == Fate.DROPPED)] = 0
        return order

    def altered(self, positions: range) -> Iterable[int]:
        """Return the places with another decision, if the items and the reasons there are stayed the same."""
        before, now = self._before, self.subject
        if before is None or now is None or before.candidates is not now.candidates or before.reasons != now.reasons:
            return positions
        if self._marked_before is not self.marked or (before.classes is None) != (now.classes is None):
            return positions
        places = self.rows[positions.start : positions.stop]
        rows = np.minimum(places, len(now.candidates) - 1)  # a summary may always look different
        tells_missing = np.array([reason.tells_missing for reason in now.reasons], np.bool_)
        lacks = (before.left[rows] != now.left[rows]) | (before.charges[rows] != now.charges[rows])
        differs = lacks & tells_missing[now.reason[rows]]
        for was, decided in zip(_decided(before), _decided(now), strict=True):
            differs |= was[rows] != decided[rows]
        differs |= places != rows
        return (np.flatnonzero(differs) + positions.start).tolist()

    def marking(self, position: int) -> Marking | None:
        """Return the colour of the row's section, and its signs."""
        if self.subject is None:
            return None
        row = int(self.rows[position])
        is_summary = row >= len(self.subject.candidates)
        section = Section.HISTORY if is_summary else Section(int(self.subject.section[row]))
        signs = () if is_summary else tuple(self._signs(self.subject, row))
        return Marking(theme().section_color(section), signs, is_lit=section == self.lit)

    def _signs(self, assembly: Assembly, row: int) -> Iterator[Sign]:
        """Yield the signs of a row; a narrow column has room for the first of them."""
        must_survive, is_lost = self._must_survive(row), self._is_lost(assembly, row)
        if is_lost:
            yield Sign(BELL_SIGN, theme().error)
        if assembly.candidates.pinned[row]:
            yield Sign(PIN_SIGN, theme().pinned_color)
        if must_survive and not is_lost:
            yield Sign(SHIELD_SIGN, theme().pinned_color)
        if row in self.marked.notes:
            yield Sign(NOTE_SIGN, theme().muted_text)
