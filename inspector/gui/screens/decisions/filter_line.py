"""The filter line: a typed filter, checked at every key, and quick filters beside it."""

from PySide6.QtCore import QEvent, QObject, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QTableView,
    QToolButton,
    QWidget,
)

from inspector.assembly.columns import I64, word
from inspector.gui.icons import line_icon
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.screens.decisions.chips import ORDER, ActionChip, RowOfChips
from inspector.gui.table.filter import Filter, FilterError, parse_filter
from inspector.gui.table.filter_fields import FIELDS
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, give_font, scaled, theme

LONGEST = 32
"""The most code points of a condition in the menu."""
HEIGHT, MARGIN = 44, 12
WIDEST, NARROWEST, SHARE = 260, 120, 0.3
"""The width of the field in pixels, and its share of the line between them."""
MORE = 28
EXAMPLE = 'ferry, #119, "coral"'
HELP = (
    f"Words search the texts; fields choose: {', '.join(name for name, one in FIELDS.items() if not one.ordered)}, and "
    f"{', '.join(name for name, one in FIELDS.items() if one.ordered)} with <, <=, >, >=. A minus before a term turns "
    "it round, a comma means or."
)
RECENT_FILTERS = 12

KEYS = (
    KeyUse("Go on to the items", "Return, Down"),
    KeyUse("Empty the filter", "Esc"),
)


class FilterEdit(QLineEdit):
    """The input of the line, with a cross while it has a text. Escape empties it; Enter and Down go on to the list."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign, self._cross = QAction(self), QAction(self)
        self._sign.setIcon(line_icon("list-filter"))
        self._cross.setIcon(line_icon("x"))
        self._cross.setText("Empty the filter")
        self._cross.setToolTip(tooltip("Empty the filter (Esc)"))
        self._cross.triggered.connect(lambda _=False: self.clear())
        for action, position in (
            (self._sign, QLineEdit.ActionPosition.LeadingPosition),
            (self._cross, QLineEdit.ActionPosition.TrailingPosition),
        ):
            self.addAction(action, position)
        self._cross.setVisible(False)
        self.textChanged.connect(lambda text: self._cross.setVisible(bool(text)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_cross"):
            self._sign.setIcon(line_icon("list-filter"))
            self._cross.setIcon(line_icon("x"))


class MoreButton(QToolButton):
    """Three dots; a press asks for a menu below them."""

    def __init__(self, name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setToolTip(tooltip(words))
        self.setAutoRaise(True)
        self.setFixedSize(scaled(MORE), scaled(MORE))
        self.setIconSize(QSize(scaled(16), scaled(16)))
        self.setIcon(line_icon("ellipsis"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.setIcon(line_icon("ellipsis"))


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
        give_font(self.count, "secondary")
        self.count.setAccessibleName("How many items are shown")
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.more = MoreButton("filter_more", "Conditions, filters used before, and columns")
        self._sentence = PlainLabel(wordWrap=True)
        give_font(self._sentence, "secondary")
        self._sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._chips = [ActionChip(action) for action in ORDER]
        for chip in self._chips:
            chip.clicked.connect(self._choose_action)
        self._row = RowOfChips(self._chips)
        self._beside = QStackedWidget()
        self._beside.addWidget(self._row)
        self._beside.addWidget(self._sentence)
        self._lay_out()
        self._show_state(None)

    def _make_edit(self) -> FilterEdit:
        edit = FilterEdit()
        edit.setObjectName("filter_edit")
        edit.setAccessibleName("Filter the items")
        edit.setPlaceholderText(f"Filter: {EXAMPLE}")
        completer = QCompleter(self._recent, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        edit.setCompleter(completer)
        edit.textChanged.connect(self._read)
        edit.left.connect(self._leave)
        edit.editingFinished.connect(self._remember)
        return edit

    def _lay_out(self) -> None:
        self.setFixedHeight(scaled(HEIGHT))
        line = QHBoxLayout(self)
        line.setContentsMargins(MARGIN, 0, PANEL_MARGIN, 0)
        line.setSpacing(GAP)
        line.addWidget(self.edit)
        line.addWidget(self._beside, 1)
        line.addWidget(self.count)
        line.addWidget(self.more)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the field its share of the width."""
        super().resizeEvent(event)
        share = round(event.size().width() * SHARE)
        self.edit.setFixedWidth(max(scaled(NARROWEST), min(scaled(WIDEST), share)))

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

    def add_entries(self, menu: QMenu) -> None:
        """Add an entry that takes out each condition, and the filters used before."""
        for term in self.filter.terms:
            words = self.filter.text[term.start : term.stop]
            entry = menu.addAction(control_text(f"Take out {words}", LONGEST))
            entry.setObjectName(f"term:{term.name}")
            entry.triggered.connect(lambda _=False, term=term: self.set_text(self.filter.without(term)))
        earlier = [text for text in self.recent() if text != self.edit.text().strip()]
        if earlier:
            before = menu.addMenu("Filters used before")
            for text in earlier:
                before.addAction(control_text(text)).triggered.connect(lambda _=False, text=text: self.set_text(text))
        if not menu.isEmpty():
            menu.addSeparator()

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
        self.edit.setStyleSheet(f"QLineEdit {{ border-color: {color}; }}" if problem else "")
        self.edit.setToolTip(tooltip(str(problem) if problem else HELP))
        self.edit.setAccessibleDescription(str(problem) if problem else "")
        self._sentence.setText(str(problem) if problem else "")
        self._sentence.setToolTip(tooltip(str(problem) if problem else ""))
        self._sentence.setStyleSheet(f"color: {color};")
        self._beside.setCurrentIndex(1 if problem else 0)
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

    def show_counts(self, shown: int, fates: I64 | None, found: I64 | None) -> None:
        """Show how many items are shown, and on each chip how many it would show.

        `fates` has the number of all items of each fate, `found` of those that match the filter but for its outcome;
        None if nothing is open.
        """
        total = 0 if fates is None else int(fates.sum())
        self.count.setText("" if fates is None else f"{shown:,} of {total:,}")
        self.count.setMinimumWidth(self.count.fontMetrics().horizontalAdvance(f"{total:,} of {total:,}"))
        hidden = [chip.isHidden() for chip in self._chips]
        for chip in self._chips:
            number = None if found is None else int(found.sum() if chip.shows is None else found[chip.shows])
            is_there = chip.shows is None or (fates is not None and bool(fates[chip.shows]))
            chip.show_number(number, total, is_there)
        if total != self._total or hidden != [chip.isHidden() for chip in self._chips]:
            self._total = total
            self._row.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._problem is not None:
            self._show_state(self._problem)
        elif event.type() == QEvent.Type.FontChange:
            self.setFixedHeight(scaled(HEIGHT))


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
