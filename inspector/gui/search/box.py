"""The box over the window: a field, and below it everything that fits the words, in sections."""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QListView, QMainWindow, QVBoxLayout

from inspector.figures import counted, percentage
from inspector.gui.parts.choices import Choice, WordSearch, lately_first
from inspector.gui.parts.focus_ring import KeyUse, keys_into
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.screens.screen import Host, Screen
from inspector.gui.search.entries import Section, limited, section_of
from inspector.gui.search.going import go_to
from inspector.gui.search.indexing import Indexing
from inspector.gui.search.lines import (
    BoxModel,
    Entry,
    Hit,
    Line,
    found_lines,
    is_choosable,
    lately_and_all,
    matching_lines,
)
from inspector.gui.search.offered import Offered
from inspector.gui.search.painting import BoxLines
from inspector.gui.theme import GAP, UNIT, give_font, theme
from inspector.retrieval.search.find import Found

KEYS = (
    KeyUse("Do or open the marked line", "Return"),
    KeyUse("Next or previous line", "Down, Up"),
    KeyUse("Ten lines down or up", "PgDown, PgUp"),
    KeyUse("Close it; a text looked for stays", "Esc"),
)
SIZE = QSize(240 * UNIT, 150 * UNIT)
ASK = "Search or run: commands, pages, settings, items, chats, and words of all texts"
ASK_TEXTS = "Search messages, memories and lore by words, and all else by name"
NOTHING_FOUND = "Nothing found."
_NAME = "search everything"
_AROUND = 4 * UNIT
_ROOM_FOR_SIGNS = 175 * UNIT
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_LEAPS = {Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_CONTROL = Qt.KeyboardModifier.ControlModifier
_OPENING = {(Qt.Key.Key_K, _CONTROL): False, (Qt.Key.Key_F, _CONTROL | Qt.KeyboardModifier.ShiftModifier): True}
"""The keys that open the box turn it round while it is open: whether texts are first."""


class SearchBox(QFrame):
    """Opens over a window and closes on a choice, on Escape and on a click elsewhere.

    With `texts_first` it is a search in texts: they are the first section, the text looked for last is still there, and
    Enter never does anything else by surprise. Otherwise entries are first, and a sign typed first limits the list to a
    section.
    """

    def __init__(self, window: QMainWindow, host: Host, screens: Mapping[str, Screen], indexing: Indexing) -> None:
        super().__init__(window, Qt.WindowType.Popup)
        self._window, self._host, self._indexing = window, host, indexing
        self._offered = Offered(window, host, screens)
        self._choices: Sequence[Choice] = ()
        self._names = WordSearch((), loose=True)
        self._found: Found | None = None
        self._texts_first = self._waits = False
        self._looked_for = self._found_for = ""
        self.setObjectName("search_box")
        self.line = QLineEdit(self, clearButtonEnabled=True)
        self.line.setObjectName("search_box:line")
        self.line.installEventFilter(self)
        self.line.textChanged.connect(lambda _: self._search())
        self._model = BoxModel(self)
        self.list = QListView(self)
        self._set_up_list()
        self.state, self._signs = PlainLabel("", self), PlainLabel("", self)
        self._lay_out()
        self.setFocusProxy(self.line)
        indexing.progressed.connect(self._follow_index)
        host.session.workspace_changed.connect(self._renew)

    def open_box(self, texts_first: bool) -> None:
        """Show the box over its window: empty, or with the text looked for last, ready to be replaced."""
        self._texts_first = texts_first
        self._place()
        words = ASK_TEXTS if texts_first else ASK
        self.line.setPlaceholderText(words)
        for part in (self, self.line):
            part.setAccessibleName(words)
        self._signs.setVisible(not texts_first and self.width() >= _ROOM_FOR_SIGNS)
        self._gather()
        if texts_first:
            self._indexing.search()
        keys_into(self.line, self._window)
        self.show()
        self._type(self._looked_for if texts_first else "")  # now that the list has its room, to scroll in it
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The listed lines, from the top."""
        return self._model.lines

    @property
    def is_current(self) -> bool:
        """Whether the listed texts are the results of what is typed."""
        return not self._host.session.tasks.is_running(_NAME)

    def entries(self) -> Sequence[Choice]:
        """Return everything that can be found by name, but items."""
        return self._offered.entries()

    def do(self, choice: Choice) -> None:
        """Carry out an entry."""
        self._offered.do(choice)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass keys typed in the text field to the list where they belong to it."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = Qt.Key(event.key())
            texts_first = _OPENING.get((key, event.modifiers()))
            if texts_first is not None:
                self._turn(texts_first)
                return True
            if key in _STEPS or key in _LEAPS:
                self._step(_STEPS.get(key, 0) or _LEAPS[key], goes_round=key in _STEPS)
                return True
            if key in _ENTER:
                self._take(self.list.currentIndex().row())
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint an edge that is visible in both themes."""
        painter = QPainter(self)
        painter.setPen(theme().outline)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _place(self) -> None:
        window, corner = self._window, self._window.mapToGlobal(QPoint())
        size = SIZE.boundedTo(window.size() - QSize(2 * _AROUND, 2 * _AROUND))
        self.setGeometry(QRect(corner + QPoint((window.width() - size.width()) // 2, _AROUND), size))

    def _lay_out(self) -> None:
        self.state.setAccessibleName("How much was found")
        self._signs.setText("   ".join(f"{section.sign} {section.title.lower()}" for section in Section))
        for label in (self.state, self._signs):
            give_font(label, "secondary")
            label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        foot = QHBoxLayout()
        foot.setContentsMargins(UNIT, 0, UNIT, UNIT)
        foot.setSpacing(GAP)
        foot.addWidget(self.state, 1)
        foot.addWidget(self._signs)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(UNIT, 2 * UNIT, UNIT, UNIT)
        layout.setSpacing(UNIT)
        layout.addWidget(self.line)
        layout.addWidget(self.list, 1)
        layout.addLayout(foot)

    def _set_up_list(self) -> None:
        self.list.setObjectName("search_box:list")
        self.list.setAccessibleName("Everything found")
        self.list.setModel(self._model)
        self.list.setItemDelegate(BoxLines(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.clicked.connect(lambda index: self._take(index.row()))

    def _gather(self) -> None:
        offered = sorted(self._offered.entries(), key=lambda choice: not choice.possible)
        self._choices = lately_first(offered, self._host.used.keys)
        self._names = WordSearch(self._choices, loose=True)

    def _renew(self) -> None:
        """Offer what another workspace has while the box is open; closed, it keeps nothing of the one before."""
        self._found = None
        if self.isVisible():
            self._gather()
            self._search()

    def _type(self, text: str) -> None:
        """Put a text into the field, selected, and search for it."""
        if self.line.text() == text:
            self._search()
        else:
            self.line.setText(text)
        self.line.selectAll()

    def _turn(self, texts_first: bool) -> None:
        """Search the typed words in texts first, or in entries first."""
        self._looked_for = self.line.text() if texts_first else self._looked_for
        self.open_box(texts_first)

    @property
    def _asked(self) -> tuple[Section | None, str]:
        """The section that the typed text is limited to, None for all, and its words."""
        return (None, self.line.text()) if self._texts_first else limited(self.line.text())

    def _search(self) -> None:
        """List the entries for the typed words at once, and search texts on a worker."""
        section, words = self._asked
        self._waits = False
        if self._texts_first:
            self._looked_for = words
        if not words.strip() or section not in (None, Section.TEXTS):
            self._host.session.tasks.cancel(_NAME)
            self._found = None
        elif self._found is None or self._found_for != words:
            self._search_texts(words)
        self._list()
        self._mark_first()
        self._say()

    def _search_texts(self, words: str) -> None:
        search = self._indexing.search()

        def request() -> Iterator[Found]:
            yield search.find(words)

        self._host.session.tasks.run(_NAME, request, lambda found: self._show(found, words), lambda: None, self._fail)

    def _show(self, found: Found, words: str) -> None:
        """Show what was found in texts, below the entries or above them; the marked line stays marked."""
        marked = self._marked
        self._found, self._found_for = found, words
        self._list()
        if isinstance(marked, Entry) and not self._texts_first:
            self._mark(next((row for row, line in enumerate(self.lines) if _is_same(line, marked)), 0))
        else:
            self._mark_first()
        self._say()
        if self._waits:
            self._waits = False
            self._take_hit()

    def _fail(self, error: Exception) -> None:
        self._found, self._waits = None, False
        self._list()
        self.state.setText(f"The search failed: {error}")

    def _follow_index(self) -> None:
        """Show the progress of the index. Once it is complete, search again: it finds more, best results first."""
        section, words = self._asked
        if not self.isVisible():
            return
        if self._indexing.share in (0.0, 1.0) and words.strip() and section in (None, Section.TEXTS):
            self._search_texts(words)
        self._say()

    def _list(self) -> None:
        entries, texts = list(self._entry_lines()), list(found_lines(self._found))
        self._model.show_lines([*texts, *entries] if self._texts_first else [*entries, *texts])

    def _entry_lines(self) -> Iterator[Line]:
        section, words = self._asked
        if not words.strip() and section is None:
            return iter(()) if self._texts_first else lately_and_all(self._choices, self._host.used.keys)
        choices = [self._choices[number] for number in self._names.matches(words)] if section != Section.TEXTS else []
        found = [choice for choice in choices if section is None or section_of(choice) is section]
        items = self._offered.items(words) if section in (None, Section.ITEMS) else ()
        return matching_lines([*items, *found], is_limited=section is not None)

    def _say(self) -> None:
        share, section = self._indexing.share, self._asked[0]
        seeks = self._asked[1].strip() and section in (None, Section.TEXTS)
        progress = "" if share >= 1 or not seeks else f"Making the index: {percentage(share, 0)}. "
        self.state.setText(progress + self._amount())

    def _amount(self) -> str:
        section, words = self._asked
        if not words.strip():
            return "Type the number of an item, such as 118 or M 12." if section is Section.ITEMS else ""
        found = self._found
        if found is None:
            return "" if self.lines else NOTHING_FOUND if self.is_current else "Looking through all texts…"
        chats = counted(found.unread, "unread conversation")
        unread = f" Of {chats} only titles were searched." if found.unread else ""
        if not self.lines:
            return NOTHING_FOUND + unread
        amount = counted(found.total, "place")
        listed = f"{found.listed:,} of {amount} in texts." if found.listed < found.total else f"{amount} in texts."
        return listed + unread

    @property
    def _marked(self) -> Line | None:
        row = self.list.currentIndex().row()
        return self.lines[row] if 0 <= row < len(self.lines) else None

    def _mark_first(self) -> None:
        """Mark the first entry, or the first place in texts if they are first."""
        places = (row for row, line in enumerate(self.lines) if isinstance(line, Hit) and line.place is not None)
        choosable = next((row for row, line in enumerate(self.lines) if is_choosable(line)), 0)
        self._mark(next(places, choosable) if self._texts_first else choosable)

    def _step(self, by: int, goes_round: bool) -> None:
        """Mark a line further on, past headings; with `goes_round` the first follows the last."""
        rows = [row for row, line in enumerate(self.lines) if is_choosable(line)]
        if rows:
            now = self.list.currentIndex().row()
            at = (rows.index(now) if now in rows else -1) + by
            self._mark(rows[at % len(rows)] if goes_round else rows[max(0, min(at, len(rows) - 1))])

    def _mark(self, row: int) -> None:
        index = self._model.index(row)
        self.list.setCurrentIndex(index)
        if index.isValid():
            first = next(place for place, line in enumerate(self.lines) if is_choosable(line)) if self.lines else 0
            self.list.scrollTo(self._model.index(0) if row <= first + 1 else index)
            self.list.scrollTo(index)

    def _take(self, row: int) -> None:
        """Do or open a line. A text is waited for while its search is under way."""
        line = self.lines[row] if 0 <= row < len(self.lines) else None
        is_early = not self.is_current and (line is None or isinstance(line, Hit) or self._texts_first)
        if is_early:
            self._waits = True
        elif isinstance(line, Hit):
            self._go(line)
        elif isinstance(line, Entry) and line.choice.possible:
            self.close()  # first, so that the choice acts on the window
            self._offered.do(line.choice)

    def _take_hit(self) -> None:
        """Open the first place, if there is one."""
        hit = next((line for line in self.lines if isinstance(line, Hit) and line.place is not None), None)
        if hit is not None:
            self._go(hit)

    def _go(self, line: Hit) -> None:
        words = self._found.words if self._found is not None else ()
        self.close()
        go_to(self._host, line.group.holder, line.place, words)


def _is_same(line: Line, other: Entry) -> bool:
    return isinstance(line, Entry) and line.choice is other.choice
