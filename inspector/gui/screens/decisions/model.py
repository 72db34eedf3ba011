"""The table of decisions: one row a candidate, with what the policy made of it. Columns only; no widgets here."""

from collections.abc import Iterable, Mapping
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from inspector.assembly.alternatives import places_among
from inspector.assembly.columns import F64, ROLES, U8, Action, Fate, Kind, Section, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import explain
from inspector.assembly.items import ItemTexts
from inspector.assembly.marks import MarkedRows
from inspector.assembly.message_class import class_numbers, class_of, class_sentence, class_words, is_computed
from inspector.assembly.recorded import recorded_column, recorded_sentence
from inspector.figures import figures
from inspector.gui.table.cell_texts import action_text, first_line, recorded_text
from inspector.gui.table.columns import Column
from inspector.gui.table.model import ArrayTableModel, Cell, Marking
from inspector.gui.table.text_search import has_names, name_of
from inspector.gui.theme import BELL_GLYPH, NOTE_GLYPH, PINNED_GLYPH, fate_color, section_title, theme
from inspector.model import Memory, Message, Passage
from inspector.retrieval.search.words import excerpt_of

VERSIONS_KEY = "V"
BEFORE_MARK = 12
"""So many characters at most stand before the first mark, which is to be seen in a narrow column too."""

NOTHING_MARKED = MarkedRows(np.zeros(0, np.bool_), {})


def reason_text(assembly: Assembly, row: int) -> str:
    """Why, in a few words; what did not fit says by how much."""
    reason, missing = assembly.reason_of(row), assembly.short_by(row)
    return f"budget short by {missing:,}" if reason.tells_missing and missing else reason.label


def _role(assembly: Assembly, row: int) -> str:
    number = int(assembly.candidates.role[row])
    return ROLES[number] if number < len(ROLES) else ""


def _when(assembly: Assembly, row: int) -> str:
    thing = assembly.candidates.things[row]
    time = thing.time if isinstance(thing, Message | Memory | Passage) else None
    return f"{time:%Y-%m-%d %H:%M}" if time else ""


def _tokens(assembly: Assembly, row: int) -> str:
    return figures(int(assembly.candidates.tokens[row]), bool(assembly.candidates.estimated[row]))


def _spent(assembly: Assembly, row: int) -> str:
    if _is(assembly, row, Action.DROPPED):
        return figures(None)
    return figures(int(assembly.spent[row]), bool(assembly.candidates.estimated[row]))


def _score(assembly: Assembly, row: int) -> str:
    score = float(assembly.score[row])
    return "" if np.isnan(score) else f"{score:.3f}"


def _rank(assembly: Assembly, row: int) -> str:
    rank = int(assembly.rank[row])
    return "" if rank < 0 else f"{rank:,}"


def _is(assembly: Assembly, row: int, action: Action) -> bool:
    return int(assembly.action[row]) == action


def _muted_when_dropped(assembly: Assembly, row: int) -> QColor | None:
    return theme().muted_text if _is(assembly, row, Action.DROPPED) else None


def _muted(assembly: Assembly, row: int) -> QColor:
    return theme().muted_text


def _action_color(assembly: Assembly, row: int) -> QColor | None:
    fate = Fate(int(assembly.fate[row]))
    return None if fate is Fate.KEPT else fate_color(fate)


def _why_color(assembly: Assembly, row: int) -> QColor | None:
    return theme().muted_text if assembly.fate[row] in (Fate.KEPT, Fate.NOT_YET) else None


def _number_digits(assembly: Assembly) -> int:
    """Of the highest number, and two for the pin beside it."""
    return len(f"{len(assembly.candidates):,}") + 2


def _number_tooltip(assembly: Assembly, row: int) -> str:
    candidates = assembly.candidates
    pinned = ", pinned" if candidates.pinned[row] else ""
    kind = word(Kind(int(candidates.kind[row])))
    return f"{candidates.ids[row]}: {kind}{pinned}, number {row + 1:,} of {len(candidates):,}"


def _class(assembly: Assembly, row: int) -> str:
    words = class_words(class_of(assembly, row))
    return f"{words} *" if is_computed(assembly, row) else words


def _known_ranks(assembly: Assembly) -> F64:
    return np.where(assembly.rank < 0, np.nan, assembly.rank)


def _reason_places(assembly: Assembly) -> NDArray:
    labels = sorted({reason.label for reason in assembly.reasons})
    return np.array([labels.index(reason.label) for reason in assembly.reasons], np.uint8)[assembly.reason]


def _recorded(assembly: Assembly) -> U8:
    return recorded_column(assembly.candidates.items)


_ALPHABETICAL: WeakKeyDictionary[ItemTexts, dict[str, NDArray]] = WeakKeyDictionary()


def _alphabetical(assembly: Assembly, of: str) -> NDArray:
    """Each row's place in the alphabet by its text or name, found once for the same items."""
    items = assembly.candidates.items
    known = _ALPHABETICAL.setdefault(items, {})
    if of not in known:
        words = items.texts if of == "text" else [name_of(thing) for thing in items.things]
        lines = [first_line(entry).casefold() for entry in words]
        places = {line: place for place, line in enumerate(sorted(set(lines)))}
        known[of] = np.fromiter((places[line] for line in lines), np.int32, len(lines))
    return known[of]


_VERSIONS: WeakKeyDictionary[ItemTexts, Mapping[str, tuple[int, int]]] = WeakKeyDictionary()


def _versions(assembly: Assembly) -> Mapping[str, tuple[int, int]]:
    """The places of messages among their alternatives by their ids, found once for the same items."""
    items = assembly.candidates.items
    if items not in _VERSIONS:
        tree = items.conversation.tree if items.conversation else None
        _VERSIONS[items] = places_among(tree) if tree else {}
    return _VERSIONS[items]


def _version(assembly: Assembly, row: int) -> tuple[int, int] | None:
    thing = assembly.candidates.things[row]
    return _versions(assembly).get(thing.id) if isinstance(thing, Message) else None


def _has_versions(assembly: Assembly) -> bool:
    """Whether any message that is shown has another version."""
    return bool(_versions(assembly))


def _version_text(assembly: Assembly, row: int) -> str:
    version = _version(assembly, row)
    return f"{version[0]:,} of {version[1]:,}" if version else ""


def _version_tip(assembly: Assembly, row: int) -> str:
    version = _version(assembly, row)
    if version is None:
        return "The file has no other version of it"
    return (
        f"Version {version[0]:,} of {version[1]:,} that the file has here, such as swipes and branches. "
        f"{VERSIONS_KEY}, or Alternatives in its menu, shows another."
    )


def _version_counts(assembly: Assembly) -> NDArray:
    """How many versions each row has, −1 for those that have no other, so that sorting by most brings them up."""
    versions = (_version(assembly, row) for row in range(len(assembly.candidates)))
    return np.fromiter((version[1] if version else -1 for version in versions), np.int64)


DECISION_COLUMNS: tuple[Column[Assembly], ...] = (
    Column(
        "number",
        "#",
        "The number of the item, as it was loaded. A pin marks what is always kept.",
        lambda _, row: f"{row + 1:,}",
        lambda assembly: np.arange(len(assembly.candidates)),
        digits=7,
        needs=_number_digits,
        right=True,
        color=_muted,
        tooltip=_number_tooltip,
    ),
    Column(
        "section",
        "Section",
        "The part of the budget that pays for it",
        lambda assembly, row: section_title(Section(int(assembly.section[row]))),
        lambda assembly: assembly.section,
        digits=10,
        yields=1,
        color=_muted_when_dropped,
    ),
    Column(
        "role",
        "Role",
        "Who a message is from",
        _role,
        lambda assembly: assembly.candidates.role,
        digits=8,
        yields=2,
        color=_muted_when_dropped,
    ),
    Column(
        "name",
        "Name",
        "The speaker's name, or the title of an item",
        lambda assembly, row: name_of(assembly.candidates.things[row]),
        lambda assembly: _alphabetical(assembly, "name"),
        digits=9,
        yields=4,
        color=_muted_when_dropped,
        shown=lambda assembly: has_names(assembly.candidates.items),
    ),
    Column(
        "when",
        "When",
        "The recorded time",
        _when,
        lambda assembly: assembly.candidates.time,
        digits=15,
        yields=3,
        color=_muted_when_dropped,
        shown=lambda assembly: bool(np.isfinite(assembly.candidates.time).any()),
    ),
    Column(
        "text",
        "Text",
        "The first line of the item",
        lambda assembly, row: first_line(assembly.candidates.texts[row]),
        lambda assembly: _alphabetical(assembly, "text"),
        digits=36,
        least=11,
        stretches=True,
        color=_muted_when_dropped,
        tooltip=lambda assembly, row: assembly.candidates.texts[row],
    ),
    Column(
        "versions",
        "Versions",
        "Which of the versions that the file has of a message, such as swipes and branches, is shown",
        _version_text,
        _version_counts,
        digits=7,
        goes_last=4,
        color=_muted,
        tooltip=_version_tip,
        shown=_has_versions,
    ),
    Column(
        "tokens",
        "Tokens",
        "What the whole item costs; ≈ marks an estimate",
        _tokens,
        lambda assembly: assembly.candidates.tokens,
        digits=7,
        goes_last=1,
        right=True,
        color=_muted_when_dropped,
    ),
    Column(
        "spent",
        "Spent",
        "What it costs in this prompt",
        _spent,
        lambda assembly: assembly.spent,
        digits=7,
        goes_last=3,
        right=True,
        color=_muted_when_dropped,
    ),
    Column(
        "action",
        "Action",
        "What the policy made of it",
        lambda assembly, row: action_text(Fate(int(assembly.fate[row]))),
        lambda assembly: assembly.fate,
        digits=11,
        color=_action_color,
    ),
    Column(
        "recorded",
        "Recorded",
        "What the program that wrote the file did with it",
        lambda assembly, row: recorded_text(int(_recorded(assembly)[row])),
        _recorded,
        digits=11,
        yields=1,
        color=_muted,
        tooltip=lambda assembly, row: recorded_sentence(assembly.candidates.things[row]),
        shown=lambda assembly: bool(_recorded(assembly).any()),
    ),
    Column(
        "why",
        "Why",
        "The reason",
        reason_text,
        _reason_places,
        digits=20,
        least=14,
        goes_last=2,
        color=_why_color,
        tooltip=explain,
    ),
    Column(
        "class",
        "Class",
        "What a strategy that summarizes old messages takes it for; * is computed from the text by rules",
        _class,
        class_numbers,
        digits=11,
        yields=3,
        color=_muted_when_dropped,
        tooltip=class_sentence,
        shown=lambda assembly: assembly.classes is not None,
    ),
    Column(
        "score",
        "Score",
        "What it was ranked by",
        _score,
        lambda assembly: assembly.score,
        digits=6,
        yields=5,
        right=True,
        color=_muted,
        shown=lambda assembly: bool(np.isfinite(assembly.score).any()),
    ),
    Column(
        "rank",
        "Rank",
        "Its place in the order of decision",
        _rank,
        _known_ranks,
        digits=6,
        yields=6,
        right=True,
        color=_muted,
    ),
)


def _decided(assembly: Assembly) -> tuple[NDArray, ...]:
    """What the columns show of a decision, besides its item and what was left where it did not fit."""
    bits_of_score = assembly.score.view(np.int64)  # NaN equals nothing
    classes = () if assembly.classes is None else (assembly.classes,)
    return (assembly.action, assembly.reason, assembly.section, assembly.spent, assembly.rank, bits_of_score, *classes)


class DecisionModel(ArrayTableModel[Assembly]):
    """The decisions of one assembly, each row with the colour of its section at its edge and a pin where it has one.

    What must survive and is dropped has a bell in the place of the pin. `marked` is what is marked of the items.
    `words` are those that somebody looks for: texts that hold one show what stands around it, with its marks.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        self.marked = NOTHING_MARKED
        self._marked_before = NOTHING_MARKED
        super().__init__((*DECISION_COLUMNS, self._marks_column()), parent)
        self.words: tuple[str, ...] = ()

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the texts from now on."""
        if words != self.words:
            self.words = words
            self.values_changed()

    def cell(self, position: int, column: Column[Assembly]) -> Cell:
        """What is painted where a row and a column meet, with its marks."""
        cell = super().cell(position, column)
        if not self.words or column.key != "text" or self.subject is None:
            return cell
        text = self.subject.candidates.texts[int(self.rows[position])]
        found = excerpt_of(text.lstrip(), self.words, before=BEFORE_MARK)
        return cell._replace(text=found.text, marks=found.marks) if found.marks else cell

    def take_marks(self, marked: MarkedRows) -> None:
        """Show these marks with the rows that are shown next."""
        self._marked_before, self.marked = self.marked, marked

    def _marks_column(self) -> Column[Assembly]:
        return Column(
            "marks",
            "Marks",
            "What must survive, with a bell where it is dropped, and notes",
            self._marks_text,
            self._marks_order,
            digits=20,
            yields=1,
            color=lambda assembly, row: theme().error if self._is_lost(assembly, row) else None,
            tooltip=lambda assembly, row: self.marked.notes.get(row, ""),
            shown=lambda _: bool(self.marked.notes) or bool(self.marked.must_survive.any()),
        )

    def _is_lost(self, assembly: Assembly, row: int) -> bool:
        marks = self.marked.must_survive
        return row < len(marks) and bool(marks[row]) and int(assembly.fate[row]) == Fate.DROPPED

    def _marks_text(self, assembly: Assembly, row: int) -> str:
        marks, note = self.marked.must_survive, self.marked.notes.get(row, "")
        lost = ", dropped" if self._is_lost(assembly, row) else ""
        parts = (
            f"must survive{lost}" if row < len(marks) and marks[row] else "",
            f"{NOTE_GLYPH} {first_line(note)}" if note else "",
        )
        return "  ".join(part for part in parts if part)

    def _marks_order(self, assembly: Assembly) -> NDArray:
        """Lost ones first, then what must survive, then notes, then the rest."""
        marks, order = self.marked.must_survive, np.full(len(assembly.candidates), 3, np.uint8)
        order[list(self.marked.notes)] = 2
        if len(marks) == len(order):
            order[marks] = 1
            order[marks & (assembly.fate == Fate.DROPPED)] = 0
        return order

    def altered(self, positions: range) -> Iterable[int]:
        """The places whose decision is another, where the items and the reasons there are stayed the same."""
        before, now = self._before, self.subject
        if before is None or now is None or before.candidates is not now.candidates or before.reasons != now.reasons:
            return positions
        if self._marked_before is not self.marked or (before.classes is None) != (now.classes is None):
            return positions
        rows = self.rows[positions.start : positions.stop]
        tells_missing = np.array([reason.tells_missing for reason in now.reasons], np.bool_)
        lacks = (before.left[rows] != now.left[rows]) | (before.charges[rows] != now.charges[rows])
        differs = lacks & tells_missing[now.reason[rows]]
        for was, decided in zip(_decided(before), _decided(now), strict=True):
            differs |= was[rows] != decided[rows]
        return (np.flatnonzero(differs) + positions.start).tolist()

    def marking(self, position: int) -> Marking | None:
        """The colour of the row's section, and the pin."""
        if self.subject is None:
            return None
        look, row = theme(), int(self.rows[position])
        edge = look.section_color(Section(int(self.subject.section[row])))
        if self._is_lost(self.subject, row):
            return Marking(edge, look.error, BELL_GLYPH)
        return Marking(edge, look.pinned_color, PINNED_GLYPH if self.subject.candidates.pinned[row] else "")
