"""The filter line: a typed filter, checked at every key, with quick filters below it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QStackedWidget,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from inspector.assembly.columns import I64, Fate, phrase, word
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.table.filter import Filter, FilterError, Term, parse_filter
from inspector.gui.theme import ACTION_GLYPH, PANEL_MARGIN, UNIT, theme

LONGEST = 32
"""The most code points in a chip; the tooltip has the rest."""
CLOSE = "✕"


class TermChips(QWidget):
    """The conditions from left to right, as many as fit, and the number of the rest.

    `closed` carries the condition whose chip was clicked.
    """

    closed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._filter = Filter()
        self._chips: list[QToolButton] = []
        self._more = PlainLabel()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(UNIT, 0, 0, 0)
        self._row.setSpacing(UNIT)
        self._row.addStretch(1)
        self._row.addWidget(self._more)

    def minimumSizeHint(self) -> QSize:
        """Return a width of 0, so that chips never make the window wider."""
        return QSize(0, super().minimumSizeHint().height())

    def show_filter(self, shown: Filter) -> None:
        """Show the conditions of this filter."""
        if shown == self._filter:
            return
        self._filter = shown
        for chip in self._chips:
            self._row.removeWidget(chip)
            chip.hide()  # without a parent it would be a window for a moment and take the focus
            chip.setObjectName("")
            chip.deleteLater()
        self._chips = [self._chip(term) for term in shown.terms]
        for place, chip in enumerate(self._chips):
            self._row.insertWidget(place, chip)
        self._make_room()

    def _chip(self, term: Term) -> QToolButton:
        words = self._filter.text[term.start : term.stop]
        chip = QToolButton(self)
        chip.setObjectName(f"term_chip:{term.name}")
        chip.setText(f"{control_text(words, LONGEST)} {CLOSE}")
        chip.setToolTip(tooltip(f"Shown is only what matches {words}. Click to take that out of the filter."))
        chip.setAccessibleName(f"Take {words} out of the filter")
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.clicked.connect(lambda: self.closed.emit(term))
        return chip

    def _make_room(self) -> None:
        """Hide the chips beyond the width, and show their number."""
        room = self.width() - UNIT - self._more.fontMetrics().horizontalAdvance("+88")
        hidden = 0
        for chip in self._chips:
            room -= chip.sizeHint().width() + UNIT
            chip.setVisible(room >= 0)
            hidden += room < 0
        self._more.setText(f"+{hidden}" if hidden else "")
        self._more.setVisible(bool(hidden))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()


EXAMPLE = 'action:dropped tokens>200 role:user "coral"'
HELP = (
    "Words search the texts; fields choose: action, section, role, kind, reason, finding, id, name, pinned, changed, "
    "must-survive, note, and tokens, spent, rank, score with <, <=, >, >=. A minus before a term turns it round, a "
    "comma means or."
)
RECENT_FILTERS = 12
BRIEFEST = 2

KEYS = (
    KeyUse("Go on to the items", "Return, Down"),
    KeyUse("Empty the filter", "Esc"),
)


class FilterEdit(QLineEdit):
    """The input of the line. Escape empties it; Enter and Down go on to the list."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.left.emit()
        else:
            super().keyPressEvent(event)


class ActionChip(QToolButton):
    """A quick filter for all items or for those with an action, with their number.

    With `brevity` 1 it shows the glyph instead of the word; with 2, no number either.
    """

    def __init__(self, action: Fate | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shows = action
        self._brevity = 0
        self._number: int | None = None
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setObjectName(f"filter_chip:{'all' if action is None else word(action)}")
        self.setAccessibleName(f"Show {'all items' if action is None else f'{phrase(action)} items only'}")
        self.setToolTip(tooltip(self.accessibleName()))
        self._most = -1
        self.show_number(None, 0)

    def show_number(self, number: int | None, most: int) -> None:
        """Show the word and the number of items, reserving room for `most` items."""
        self._number = number
        if most != self._most:
            self._most = most
            self._take_room()
        self.setText(self._words(number))
        # Chips without items stay in place, so that no chip moves under the mouse.
        self.setEnabled(number is None or number > 0 or self.shows is None)
        # Only a replay has items that do not exist yet; their chip is the last.
        self.setVisible(self.shows is not Fate.NOT_YET or bool(number))

    def be_brief(self, brevity: int) -> None:
        """Set the brevity."""
        if brevity != self._brevity:
            self._brevity = brevity
            self._take_room()
            self.setText(self._words(self._number))

    def _take_room(self) -> None:
        self.setText(self._words(self._most))
        self.setMinimumWidth(self.sizeHint().width())

    def _words(self, number: int | None) -> str:
        glyph, name = ("", "All") if self.shows is None else (ACTION_GLYPH[self.shows], phrase(self.shows).capitalize())
        name = glyph if glyph and self._brevity else f"{glyph} {name}".lstrip()
        return control_text(name if number is None or self._brevity == BRIEFEST else f"{name} {number:,}")


class RowOfChips(QWidget):
    """Chips in a row, shortened if there is no room for their words."""

    def __init__(self, chips: Sequence[ActionChip], terms: QWidget) -> None:
        super().__init__()
        self._chips = chips
        # Without enough room its texts become shorter.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        for chip in chips:
            layout.addWidget(chip)
        layout.addWidget(terms, 1)

    def fit(self) -> None:
        """Use the longest texts that fit."""
        for brevity in range(BRIEFEST + 1):
            for chip in self._chips:
                chip.be_brief(brevity)
            # Reserve room for the chip of replays, so that words stay when it appears; numbers stay if they can.
            counted = [chip for chip in self._chips if not (brevity and chip.isHidden())]
            if sum(chip.minimumWidth() + UNIT for chip in counted) <= self.width():
                return

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


class FilterLine(QWidget):
    """A filter as text. `filter_changed` carries every valid filter; for an invalid line the error is shown."""

    filter_changed = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.filter = Filter()
        self._problem: FilterError | None = None
        self._total = -1
        self._recent = QStringListModel(self)
        self.edit = self._make_edit()
        self.count = PlainLabel()
        self.count.setAccessibleName("How many items are shown")
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._sentence = PlainLabel()
        self._sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.terms = TermChips()
        self.terms.closed.connect(lambda term: self.set_text(self.filter.without(term)))
        self._chips = [ActionChip(action) for action in (None, *Fate)]
        self._below = QStackedWidget()
        for chip in self._chips:
            chip.clicked.connect(self._choose_action)
        self._row = RowOfChips(self._chips, self.terms)
        self._below.addWidget(self._row)
        self._below.addWidget(self._sentence)
        self._below.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._lay_out()
        self._show_state(None)

    def _make_edit(self) -> FilterEdit:
        edit = FilterEdit()
        edit.setObjectName("filter_edit")
        edit.setAccessibleName("Filter the items")
        edit.setPlaceholderText(f"Filter, such as {EXAMPLE}")
        edit.setClearButtonEnabled(True)
        edit.setMinimumHeight(edit.sizeHint().height())  # also with the red outline, whose style would shrink it
        completer = QCompleter(self._recent, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        edit.setCompleter(completer)
        edit.textChanged.connect(self._read)
        edit.left.connect(self._leave)
        edit.editingFinished.connect(self._remember)
        return edit

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(PANEL_MARGIN)
        line.addWidget(self.edit, 1)
        line.addWidget(self.count)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addLayout(line)
        layout.addWidget(self._below)

    def set_text(self, text: str) -> None:
        """Set the text of the filter, as if typed."""
        self.edit.setText(text)
        self._remember()

    def add(self, other: Filter) -> None:
        """Add the conditions of another filter to the line."""
        self.set_text(self.filter.adding(other))

    def turn(self, other: Filter) -> None:
        """Add the conditions of another filter, or remove them if the line has all of them."""
        if not self.filter.holds(other):
            self.add(other)
            return
        for term in other.terms:
            self.set_text(self.filter.without(next(own for own in self.filter.terms if own == term)))

    def _read(self, text: str) -> None:
        try:
            understood = parse_filter(text)
        except FilterError as problem:
            self._show_state(problem)
            return
        self.filter = understood
        self._show_state(None)
        self.filter_changed.emit(understood)

    def _show_state(self, problem: FilterError | None) -> None:
        """Show the quick filters, or for a problem a red outline and a sentence in their place."""
        self._problem = problem
        color = theme().error.name()
        self.edit.setStyleSheet(
            f"QLineEdit {{ border: 1px solid {color}; border-radius: 2px; padding: 0 2px; }}" if problem else ""
        )
        self.edit.setToolTip(tooltip(str(problem) if problem else HELP))
        self.edit.setAccessibleDescription(str(problem) if problem else "")
        self._sentence.setText(str(problem) if problem else "")
        self._sentence.setToolTip(tooltip(str(problem) if problem else ""))
        self._sentence.setStyleSheet(f"color: {color};")
        self._below.setCurrentIndex(1 if problem else 0)
        self.terms.show_filter(self.filter)
        chosen = self.filter.single_value("action")
        for chip in self._chips:
            chip.setChecked(chip.shows == chosen and (chosen is not None or not self.filter.names("action")))

    @property
    def is_valid(self) -> bool:
        """Whether the current text is a valid filter."""
        return self._problem is None

    def _choose_action(self) -> None:
        chip = self.sender()
        if isinstance(chip, ActionChip):
            self.set_text(self.filter.replacing("action", "" if chip.shows is None else word(chip.shows)))
            self._show_state(None)

    def _remember(self) -> None:
        text = self.edit.text().strip()
        if text and self.is_valid:
            others = [recent for recent in self._recent.stringList() if recent != text]
            self._recent.setStringList([text, *others][:RECENT_FILTERS])

    def _leave(self) -> None:
        self._remember()
        if self.is_valid:
            self.left.emit()

    def recent(self) -> list[str]:
        """Return the filters used before, newest first; they are also the completions of the line."""
        return self._recent.stringList()

    def show_counts(self, shown: int, fates: I64 | None) -> None:
        """Show how many items are shown, of how many, and how many have each fate (None: nothing is open)."""
        total = 0 if fates is None else int(fates.sum())
        self.count.setText("" if fates is None else f"{shown:,} of {total:,}")
        self.count.setMinimumWidth(self.count.fontMetrics().horizontalAdvance(f"{total:,} of {total:,}"))
        hidden = [chip.isHidden() for chip in self._chips]
        for chip in self._chips:
            number = None if fates is None else total if chip.shows is None else int(fates[chip.shows])
            chip.show_number(number, total)
        if total != self._total or hidden != [chip.isHidden() for chip in self._chips]:
            self._total = total
            self._row.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._problem is not None:
            self._show_state(self._problem)


class TroubleLine(PlainLabel):
    """A sentence in the colour of errors at the top of a table, as wide as the table; hidden without a sentence."""

    def __init__(self, table: QTableView) -> None:
        super().__init__("", table.viewport())
        self._table = table
        self.setWordWrap(True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setForegroundRole(QPalette.ColorRole.BrightText)
        self.setMargin(2 * UNIT)
        self.hide()
        table.viewport().installEventFilter(self)

    def say(self, sentence: str) -> None:
        """Show a sentence, or hide the line for ""."""
        self.setText(sentence)
        self._place()
        self.setVisible(bool(sentence))

    def _place(self) -> None:
        width = self._table.viewport().width() - 2 * PANEL_MARGIN
        self.setGeometry(PANEL_MARGIN, UNIT, width, self.heightForWidth(width))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the width of the table."""
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(theme().error)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
