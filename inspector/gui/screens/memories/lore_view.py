"""The lorebook panel: every entry, the cause of its activation, and the place of its key."""

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QPushButton,
    QStackedLayout,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Section
from inspector.assembly.lore_tables import ACTIVE, INACTIVE, LORE_COLUMNS, LoreRows, summary
from inspector.gui.parts.asking_view import EmptyState
from inspector.gui.parts.labels import ElidedLabel, Hint, PlainLabel
from inspector.gui.parts.panes import Panes, has_room_beside
from inspector.gui.parts.reading_pane import ReadingPane
from inspector.gui.parts.texts import control_text, one_line
from inspector.gui.screens.memories.lore_settings import LoreSettingsButton
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import PANEL_MARGIN, UNIT, theme
from inspector.retrieval.lore.outcome import Fired
from inspector.retrieval.lore.settings import AS_NATIVE, LoreSettings
from inspector.retrieval.search.words import marks_in


class LoreModel(ArrayTableModel[LoreRows]):
    """A row for each lore entry; inactive entries are muted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(LORE_COLUMNS, parent)

    def show_lore(self, lore: LoreRows | None, is_open: bool) -> None:
        """Show the active entries of an assembly, and if they are unfolded the inactive ones below."""
        if lore is None:
            self.show(None, np.empty(0, np.intp), ())
        else:
            same = self.subject is not None and self.subject.ids == lore.ids
            parts = (ACTIVE, INACTIVE) if is_open else (ACTIVE,)
            rows = np.concatenate([lore.shown(which) for which in parts])
            self.show(lore, rows, self.ids if same else lore.ids)


AROUND = 300
"""The code points shown of a message on each side of a key."""
WHERE_CODE_POINTS = 60
SHARES = (2, 1)
"""The shares of the width for the table and the chosen entry."""
LEAST_ROWS = 4
NO_LORE = (
    "What became of each entry of a lorebook, and which key in which message did it. "
    "Add a lorebook, or a character card with one, to what is open."
)
NONE_CHOSEN = "Select an entry to read it here, with the place where its key was found."


class LoreView(QWidget):
    """The table of lore, with the chosen entry beside it.

    `item_chosen(id)` asks to show an item: the message or entry with the key found, after a click on it or on the
    button, or the entry itself after Enter or a double click. `settings_changed(LoreSettings)` asks for another scan.
    """

    item_chosen = Signal(str)
    settings_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lore_view")
        self._lore: LoreRows | None = None
        self.model = LoreModel(self)
        self.table = self._make_table()
        self.fold = QPushButton(flat=True)
        self.fold.setObjectName("lore_fold")
        self.fold.setCheckable(True)
        self.fold.toggled.connect(lambda _: self._show_rows())
        self.settings = LoreSettingsButton()
        self.settings.settings_changed.connect(self.settings_changed.emit)
        self.said = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.said.setAccessibleName("How many entries are active")
        self.why, self.notes = PlainLabel(wordWrap=True), Hint()
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.found = self._make_text("Where the key was found", "lore_found")
        self.content = self._make_text("Text of the entry", "lore_content")
        self.caption = Hint()
        self.go_button = QPushButton()
        self.go_button.setObjectName("lore_go_to_source")
        self.go_button.setAccessibleName("Show where the key was found")
        self.go_button.clicked.connect(lambda _checked=False: self._go_to_source(self.table.current_row))
        self._lay_out()
        self.show_answer(None)

    def show_answer(self, answer: Answer | None, settings: LoreSettings = AS_NATIVE) -> None:
        """Show the lore of an answer scanned with `settings`, keeping the chosen entry if it is still there."""
        self.settings.show_settings(settings)
        lore = LoreRows(answer.assembly) if answer else None
        self._lore = lore if lore is not None and len(lore) else None
        self._layout.setCurrentWidget(self._nothing if self._lore is None else self._filled)
        self.said.say("" if self._lore is None else summary(self._lore))
        self._show_rows()

    def select_item(self, row: int) -> None:
        """Select the entry at this row of the candidates, if it is an entry; unfolds the inactive ones if it
        is one.
        """
        place = row - self._lore.first if self._lore is not None else -1
        if self._lore is not None and 0 <= place < len(self._lore) and not self.table.select_row(place):
            self.fold.setChecked(True)
            self.table.select_row(place)

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the chosen entry until its text changes, and bring the first into sight."""
        self.content.setExtraSelections(self.content.marks_of(words))
        self.content.bring_into_sight(marks_in(self.content.whole, words)[:1])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the words below the switch in a narrow panel."""
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        is_wide = has_room_beside(self)
        self._head.setDirection(directions.LeftToRight if is_wide else directions.TopToBottom)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "go_button"):
            self._show_entry(self.table.current_row)

    def _make_table(self) -> ArrayTableView:
        table = ArrayTableView(self.model)
        table.setObjectName("lore_table")
        table.setAccessibleName("Lorebook entries")
        table.setFrameShape(ArrayTableView.Shape.NoFrame)
        table.setSelectionMode(ArrayTableView.SelectionMode.SingleSelection)
        table.setSortingEnabled(True)
        table.horizontalHeader().setSortIndicatorClearable(True)
        table.sort_by("")
        table.keep_rows(LEAST_ROWS)
        table.row_selected.connect(self._show_entry)
        table.row_followed.connect(self._show_entry)
        table.clicked.connect(self._clicked)
        table.row_activated.connect(self._go_to_entry)
        return table

    def _make_text(self, title: str, name: str) -> ReadingPane:
        text = ReadingPane(title)
        text.setObjectName(name)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        return text

    def _lay_out(self) -> None:
        self._head = head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        head.setSpacing(UNIT)
        head.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, 0)
        words = QHBoxLayout()
        words.setSpacing(UNIT)
        words.addWidget(self.said, 1)
        words.addWidget(self.settings)
        head.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)
        head.addLayout(words, 1)
        left = QWidget()
        stack = QVBoxLayout(left)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(UNIT)
        stack.addLayout(head)
        stack.addWidget(self.table, 1)
        self._filled = Panes()
        self._filled.addWidget(left)
        self._filled.addWidget(self._chosen_entry())
        for place, share in enumerate(SHARES):
            self._filled.setStretchFactor(place, share)
        self._filled.setSizes([100 * share for share in SHARES])
        self._nothing = EmptyState("No lore here", NO_LORE)
        self._layout = QStackedLayout(self)
        self._layout.addWidget(self._filled)
        self._layout.addWidget(self._nothing)

    def _chosen_entry(self) -> QWidget:
        """Return the pane of the chosen entry: the cause, the place of its key, and its text."""
        place = QWidget()
        layout = QVBoxLayout(place)
        layout.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        layout.setSpacing(UNIT)
        layout.addWidget(self.why)
        layout.addWidget(self.notes)
        layout.addWidget(self.found, 2)
        layout.addWidget(self.go_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.caption)
        layout.addWidget(self.content, 3)
        return place

    def _show_rows(self) -> None:
        inactive = 0 if self._lore is None else int((~self._lore.active).sum())
        words = f"{'Hide' if self.fold.isChecked() else 'Show'} {inactive:,} inactive"
        self.fold.setText(control_text(words))
        self.fold.setAccessibleName(f"{words} entries")
        self.fold.setVisible(inactive > 0)
        self.model.show_lore(self._lore, self.fold.isChecked())
        self.table.show_columns()
        self.table.set_empty_text("No entry is active.")
        self._show_entry(self.table.current_row)

    def _show_entry(self, row: int) -> None:
        """Show an entry of the table, and the place of its key if a key was found."""
        lore = self._lore
        chosen = lore is not None and 0 <= row < len(lore)
        fired = lore.activation(row).fired if lore is not None and chosen else None
        self.found.setVisible(fired is not None)
        self.go_button.setVisible(fired is not None and bool(fired.place.piece.id))
        self.content.setVisible(chosen)
        self.caption.say("Text of the entry" if chosen else "")
        if lore is None or not chosen:
            self.why.setText(NONE_CHOSEN)
            self.notes.say("")
            return
        found = lore.activation(row)
        self.why.setText(found.cause_sentence)
        self.notes.say("\n".join(f"{note[0].upper()}{note[1:]}." for note in found.notes))
        if self.content.show_text(lore.text(row)):
            self.content.setExtraSelections([])
        if fired is not None:
            self._show_found(fired)

    def _show_found(self, fired: Fired) -> None:
        """Show the text around a key, with the key marked."""
        place, text = fired.place, fired.place.piece.text
        start, end = max(place.start - AROUND, 0), place.end + AROUND
        before = ("…" if start else "") + text[start : place.start]
        key = len(before)
        self.found.show_text(before + text[place.start : end] + ("…" if end < len(text) else ""))
        mark = QTextEdit.ExtraSelection()
        mark.format = _mark_format()
        mark.cursor = self.found.cursor_over(key, key + place.end - place.start)
        self.found.setExtraSelections([mark])
        seen = QTextCursor(mark.cursor)
        seen.clearSelection()
        self.found.setTextCursor(seen)
        self.found.ensureCursorVisible()
        where = one_line(fired.where, WHERE_CODE_POINTS)
        self.go_button.setText(control_text(f"Show {where}"))
        self.go_button.setAccessibleName(f"Show {where}, in which the key was found")

    def _clicked(self, index: QModelIndex) -> None:
        if index.column() == self.model.column("where"):
            self._go_to_source(int(self.model.rows[index.row()]))

    def _go_to_source(self, row: int) -> None:
        """Emit the id of the message or entry where the key of an entry was found."""
        if self._lore is not None and 0 <= row < len(self._lore) and (source := self._lore.source(row)):
            self.item_chosen.emit(source)

    def _go_to_entry(self, row: int) -> None:
        if self._lore is not None:
            self.item_chosen.emit(self._lore.ids[row])


def _mark_format() -> QTextCharFormat:
    """Return the format of a marked key: on the colour of lore."""
    look, fill = theme(), theme().section_color(Section.LORE)
    marked = QTextCharFormat()
    marked.setBackground(fill)
    marked.setForeground(look.text_on(fill))
    return marked
