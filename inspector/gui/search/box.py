"""The search box: a text field, the results below it, and their number."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from inspector.assembly.candidates import Candidates
from inspector.assembly.choices import ChosenParts
from inspector.assembly.columns import Kind
from inspector.figures import counted, percentage
from inspector.gui.parts.focus_ring import KeyUse, keys_into
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.texts import one_line
from inspector.gui.screens.screen import Controls, Host
from inspector.gui.search.lines import FoundLines, FoundModel, Line
from inspector.gui.session.session import Session
from inspector.gui.tasks import Tasks
from inspector.gui.theme import UNIT, theme
from inspector.model import Conversation, Lorebook, MemorySet, Message
from inspector.retrieval.search.find import Found, Holder, Thing, home_of

if TYPE_CHECKING:
    from inspector.retrieval.search.find import Search


_TASK = "index everything"


class Indexing(QObject):
    """Follows the workspace of a session. `progressed` reports a new indexed share, 0–1, and a new index."""

    progressed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._search: Search | None = None
        self.share = 0.0
        session.workspace_changed.connect(self._forget)
        session.ready_changed.connect(lambda is_ready: self.search() if is_ready else None)

    def search(self) -> "Search":
        """Return the search over everything open. The first call starts its index."""
        if self._search is None:
            from inspector.retrieval.search.find import Search

            self._search = search = Search(self._session.workspace)
            self._session.tasks.run(_TASK, search.build, self._tell, lambda: self._tell(1.0), self._fail)
        return self._search

    def _forget(self) -> None:
        """Drop the search over the previous workspace."""
        self._session.tasks.cancel(_TASK)
        if self._search is not None:
            self._search.close()
        self._search = None
        self._tell(0.0)

    def _tell(self, share: float) -> None:
        self.share = share
        self.progressed.emit()

    def _fail(self, error: Exception) -> None:
        self._session.fail_work(error)
        self._tell(1.0)


KEYS = (
    KeyUse("Go to the marked hit", "Return"),
    KeyUse("Next or previous place", "Down, Up"),
    KeyUse("Ten places down or up", "PgDown, PgUp"),
    KeyUse("Close; the typed text stays", "Esc"),
)
SIZE = QSize(220 * UNIT, 130 * UNIT)
ASK = "Search conversations by title; messages, memories and lorebooks by text"
NOTHING_FOUND = "Nothing found."
_NAME = "search everything"
_AROUND = 4 * UNIT
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SearchBox(QFrame):
    """Opens over a window and closes on a choice, on Escape and on a click elsewhere; the typed text stays.

    `chosen` carries the chosen line and the search words.
    """

    chosen = Signal(object, tuple)

    def __init__(self, window: QWidget, tasks: Tasks, indexing: Indexing) -> None:
        super().__init__(window, Qt.WindowType.Popup)
        self._window, self._tasks, self._indexing = window, tasks, indexing
        self._found: Found | None = None
        self.setObjectName("search_box")
        self.setAccessibleName(ASK)
        self.line = QLineEdit(self, clearButtonEnabled=True, placeholderText=ASK)
        self.line.setObjectName("search_box:line")
        self.line.setAccessibleName(ASK)
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._search)
        self._model = FoundModel(self)
        self.list = QListView(self)
        self._set_up_list()
        self.state = PlainLabel("", self)
        self.state.setAccessibleName("How much was found")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(UNIT, 2 * UNIT, UNIT, UNIT)
        layout.setSpacing(UNIT)
        for part in (self.line, self.list, self.state):
            layout.addWidget(part)
        self.setFocusProxy(self.line)
        indexing.progressed.connect(self._follow_index)

    def open_box(self) -> None:
        """Show the box over its window, with the last query selected, ready to be replaced."""
        window, corner = self._window, self._window.mapToGlobal(QPoint())
        room = window.size() - QSize(2 * _AROUND, 2 * _AROUND)
        size = SIZE.boundedTo(room)
        self.setGeometry(QRect(corner + QPoint((window.width() - size.width()) // 2, _AROUND), size))
        self._indexing.search()
        keys_into(self.line, window)
        self.show()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)
        self.line.selectAll()
        self._say()

    @property
    def lines(self) -> tuple[Line, ...]:
        """The listed lines, from the top."""
        return self._model.lines

    @property
    def is_current(self) -> bool:
        """Whether the listed lines are the results of what is typed."""
        return not self._tasks.is_running(_NAME)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass keys typed in the text field to the list where they belong to it."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _STEPS:
                self._mark(self.list.currentIndex().row() + _STEPS[Qt.Key(event.key())])
                return True
            if event.key() in _ENTER:
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

    def _set_up_list(self) -> None:
        self.list.setObjectName("search_box:list")
        self.list.setAccessibleName("Hits")
        self.list.setModel(self._model)
        self.list.setItemDelegate(FoundLines(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.clicked.connect(lambda index: self._take(index.row()))

    def _search(self) -> None:
        """Search for the typed text on a worker, without waiting for the previous search."""
        query, search = self.line.text(), self._indexing.search()
        if not query.strip():
            self._tasks.cancel(_NAME)
            self._show(None)
            return

        def request() -> Iterator[Found]:
            yield search.find(query)

        self._tasks.run(_NAME, request, self._show, lambda: None, self._fail)
        self._say()

    def _show(self, found: Found | None) -> None:
        self._found = found
        self._model.show_found(found)
        first = next((row for row, line in enumerate(self.lines) if line.place is not None), 0)
        self._mark(0 if found is None or (found.groups and not found.groups[0].places) else first)
        self._say()

    def _fail(self, error: Exception) -> None:
        self._show(None)
        self.state.setText(f"The search failed: {error}")

    def _follow_index(self) -> None:
        """Show the progress of the index. Once it is complete, search again: it finds more, best results first."""
        if not self.isVisible():
            return
        if self._indexing.share in (0.0, 1.0):
            self._search()
        self._say()

    def _say(self) -> None:
        share = self._indexing.share
        progress = "" if share >= 1 else f"Making the index: {percentage(share, 0)}. "
        self.state.setText(progress + self._amount())

    def _amount(self) -> str:
        found = self._found
        if found is None or not self.line.text().strip():
            return "Enter opens the marked hit."
        chats = counted(found.unread, "unread conversation")
        unread = f" Of {chats} only titles were searched." if found.unread else ""
        if not found.groups:
            return NOTHING_FOUND + unread
        amount = counted(found.total, "place")
        return (f"{found.listed:,} of {amount}." if found.listed < found.total else f"{amount}.") + unread

    def _mark(self, row: int) -> None:
        index = self._model.index(max(0, min(row, self._model.rowCount() - 1)))
        self.list.setCurrentIndex(index)
        if index.isValid():
            self.list.scrollTo(self._model.index(0) if index.row() <= 1 else index)
            self.list.scrollTo(index)

    def _take(self, row: int) -> None:
        if 0 <= row < len(self.lines) and self._found is not None:
            line, words = self.lines[row], self._found.words
            self.close()  # first, so that the choice acts on the window
            self.chosen.emit(line, words)


NAME_CODE_POINTS = 60
NO_PART = "is no part of the shown prompt."
OTHER_BRANCH = "is on another branch. Choose its branch in Sources."


def go_to(host: Host, line: Line, words: tuple[str, ...]) -> None:
    """Open the conversation of a line and select its item in the table, with the focus there.

    If the item takes no part in the prompt, a message in the status line says so.
    """
    session, holder = host.session, line.group.holder
    home = home_of(session.workspace, holder)
    if home is not None and not _is_shown(host, holder):
        session.show_conversation(home.id)
        session.flush()
    if line.place is None:
        return
    thing, answer = line.place.thing, session.answer
    row = _row_of(answer.assembly.candidates, holder, thing) if answer is not None and _is_shown(host, holder) else None
    if row is None:
        why = OTHER_BRANCH if _is_on_other_branch(host, holder, thing.id) else NO_PART
        host.say(f"{one_line(thing.id, NAME_CODE_POINTS)} {why}")
        return
    is_lore = isinstance(holder, Lorebook)
    for screen in ("memories",) if is_lore else ("decisions", "details"):
        host.show_screen(screen)
    host.select(row)
    host.mark_words(words)
    host.give_keyboard("memories" if is_lore else "decisions")


def _is_shown(host: Host, holder: Holder) -> bool:
    controls = Controls.of(host.session)
    return controls is not None and _takes_part(controls.case.chosen, holder)


def _is_on_other_branch(host: Host, holder: Holder, name: str) -> bool:
    """Return whether the conversation is shown without this message."""
    if not isinstance(holder, Conversation) or (controls := Controls.of(host.session)) is None:
        return False
    chosen = controls.case.chosen
    return _takes_part(chosen, holder) and all(message.id != name for message in chosen.parts.messages)


def _takes_part(chosen: ChosenParts, holder: Holder) -> bool:
    if isinstance(holder, Conversation):
        return chosen.conversation is not None and chosen.conversation.id == holder.id
    if isinstance(holder, MemorySet):
        return any(memories.id == holder.id for memories in chosen.parts.memory_sets)
    return any(entry in chosen.parts.lore for entry in holder.entries)


def _row_of(candidates: Candidates, holder: Holder, thing: Thing) -> int | None:
    """Return the row of a message, a memory of a set or a lorebook entry, or None if it takes no part."""
    items, name = candidates.items, thing.id
    if isinstance(holder, Lorebook):  # two books may have entries with the same id
        rows = candidates.rows(Kind.LORE).tolist()
        named = (row for row in rows if items.plain_ids[row] == name)
        return next((row for row in rows if items.things[row] is thing), next(named, None))
    sets = {items.lists[row] for row in candidates.rows(Kind.MEMORY).tolist()}
    of_set = "memories" if sets == {"memories"} else holder.id
    for row in candidates.rows(Kind.MEMORY if isinstance(holder, MemorySet) else Kind.MESSAGE).tolist():
        if items.plain_ids[row] == name and (isinstance(items.things[row], Message) or items.lists[row] == of_set):
            return row
    return None
