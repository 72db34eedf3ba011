"""The list of all conversations: a table searched by words in title or file, and below it the totals, by topic."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from inspector.analysis.archive.listing import CONVERSATION_COLUMNS, Archive, listed
from inspector.analysis.archive.overview import Looked
from inspector.analysis.archive.summary import summary_of
from inspector.analysis.archive.topics import TOPIC_NAMES, Bars, Columns, Topic, TopicPart, TopicTable, topics
from inspector.drawings.named_bars import NamedBar
from inspector.figures import counted, figures
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.labels import ElidedLabel, PlainLabel
from inspector.gui.parts.page import PageView, bar, heading, muted, paragraph, plain, table
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import PANEL_MARGIN, UNIT, theme
from inspector.model import Conversation


class ConversationsModel(ArrayTableModel[Archive]):
    """Rows of an archive, those whose title or file has some words in it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(CONVERSATION_COLUMNS, parent)

    def show_archive(self, archive: Archive, ids: tuple[str, ...], wanted: str) -> None:
        """Show the conversations of an archive with every word of `wanted` in their title or file."""
        self.show(archive, listed(archive, wanted), ids)


_WIDTH = 320


def topic_page(topic: Topic) -> str:
    """Return the HTML of a topic."""
    return "".join(text for part in topic.parts for text in _written(part))


def _written(part: TopicPart) -> Iterator[str]:
    match part:
        case Bars():
            yield heading(part.title)
            largest = max((one.value for one in part.bars), default=0) or 1
            yield table((_bar_line(one, largest) for one in part.bars), figures=())
        case Columns():
            yield heading(part.title)
            yield table(_bins(part), figures=(0, 2))
        case TopicTable():
            yield _table(part)
        case _:
            yield paragraph(part)


def _bar_line(one: NamedBar, largest: float) -> Sequence[str]:
    share = one.value / largest
    filled = share if one.part is None else one.part / largest
    return plain(one.name), bar(filled, theme().accent, share, _WIDTH), plain(one.shown)


def _bins(part: Columns) -> Iterator[Sequence[str]]:
    """Yield a line for each bin, without the empty bins at both ends."""
    filled = [place for place, value in enumerate(part.values) if value]
    most = max(part.values, default=0) or 1
    for place in range(filled[0], filled[-1] + 1) if filled else ():
        share = part.values[place] / most
        yield plain(part.names[place]), bar(share, theme().accent, share, _WIDTH), f"{part.values[place]:,}"


def _table(part: TopicTable) -> str:
    figures = [place for place, column in enumerate(part.columns) if column.is_figure]
    lines = ([plain(column.text(part.rows, row)) for column in part.columns] for row in range(len(part.rows)))
    return table([[muted(column.title) for column in part.columns], *lines], figures)


LOOKING_AGAIN = "looking at all again …"
NOTHING_YET = "The totals of all conversations appear here once each has been looked at."
NOTHING_MATCHES = "No conversation has these words in its title or file."


SHOWN_AFTER_MILLISECONDS = 200
"""Figures of conversations are gathered for this long before they are shown."""


class ConversationsView(AskingView):
    """The table and the totals. `conversation_opened` carries the id after a double click or Enter.

    `requested` asks for figures of all conversations; each is shown soon after `take`, the totals after `end`.
    """

    conversation_opened = Signal(str)
    open_requested = Signal()
    requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._archive, self._ids = Archive((), ()), ()
        self._gathered: dict[int, Looked] = {}
        self.topics: tuple[Topic, ...] = ()
        self._soon = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MILLISECONDS)
        self._soon.timeout.connect(self._show_gathered)
        self._model = ConversationsModel(self)
        self.search = QLineEdit(placeholderText="Find by title or file", clearButtonEnabled=True)
        self.search.setAccessibleName("Find conversations by title or file")
        self.search.textChanged.connect(self._list)
        self._count, self.state = PlainLabel(), ElidedLabel()
        self.state.setAccessibleName("How many conversations were looked at")
        self.table = self._make_table()
        self.switch = ViewSwitch(TOPIC_NAMES, "What all conversations come to: {}")
        self.switch.chosen.connect(lambda _: self._show_topic())
        self.page = PageView()
        self.page.setAccessibleName("What all conversations come to")
        self._empty = EmptyState(
            "Nothing is open",
            "All conversations of the open files are listed here. Open some (Ctrl+O), or a whole folder.",
            (("Open…", self.open_requested.emit),),
        )
        self._lay_out()
        self._list()

    def show_conversations(self, conversations: tuple[Conversation, ...]) -> None:
        """List these conversations, still without figures."""
        ids = tuple(chat.id for chat in conversations)
        self._archive = Archive.of(conversations)
        self._soon.stop()
        self._gathered, self.topics = {}, ()
        if ids != self._ids:  # the same conversations come again once they are read, or read again
            self._ids = ids
            self.search.clear()
        self._list()
        self._show_topic()
        self.refresh()

    def show_chosen(self, name: str) -> None:
        """Mark the inspected conversation."""
        if name != self._archive.shown:
            self._archive = replace(self._archive, shown=name)
            self._list()

    def take(self, looked: Looked) -> None:
        """Take in the figures of another conversation."""
        self._gathered[looked.row] = looked
        if not self._soon.isActive():
            self._soon.start()

    def end(self, trouble: str) -> None:
        """Show the totals: the last conversation has come, or `trouble` is the reason why not all did."""
        self._soon.stop()
        self._show_gathered()
        found = [looked.figures for looked in self._archive.looked.values() if looked.figures]
        self._stale = bool(trouble)
        self.topics = topics(summary_of(found)) if found and not trouble else ()
        refused = len(self._archive.looked) - len(found)
        self.state.say(trouble or _what_was_looked_at(len(found), refused, len(self._ids)))
        self._show_topic()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "page"):
            self._show_topic()

    @property
    def is_current(self) -> bool:
        """Whether the figures of every conversation read are those of the current setting."""
        return not self._stale

    # Inside

    def _ask(self) -> None:
        self._gathered = {}
        self._archive = replace(self._archive, looked={})
        self._list()
        self.requested.emit()

    def _dim(self) -> None:
        self._soon.stop()
        self._gathered = {}
        self.table.set_dimmed(bool(self._archive.looked))
        self.state.say(LOOKING_AGAIN if self.topics else "")

    def _show_gathered(self) -> None:
        """Show the figures gathered so far."""
        if not self._gathered:
            return
        self._archive = replace(self._archive, looked={**self._archive.looked, **self._gathered})
        self._gathered = {}
        self.table.set_dimmed(False)
        self.state.say(f"{figures(len(self._archive.looked))} looked at …")
        self._list()

    def _show_topic(self) -> None:
        topic = self.topics[self.switch.current] if self.topics else None
        nothing_yet = paragraph(NOTHING_YET, theme().muted_text) if self._ids else ""
        self.page.show_page(topic_page(topic) if topic else nothing_yet)

    def _make_table(self) -> ArrayTableView:
        table = ArrayTableView(self._model)
        table.setObjectName("conversations_table")
        table.setAccessibleName("Conversations")
        header = table.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        table.set_empty_text(NOTHING_MATCHES)
        table.row_activated.connect(lambda row: self.conversation_opened.emit(self._ids[row]))
        return table

    def _lay_out(self) -> None:
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        line = QHBoxLayout()
        line.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, 0)
        line.addWidget(self.switch)
        line.addWidget(self.state, 1)
        column.addLayout(line)
        column.addWidget(self.page, 1)
        self.parts = QSplitter(Qt.Orientation.Vertical)
        self.parts.addWidget(self._listed())
        self.parts.addWidget(below)
        self.parts.setStretchFactor(0, 3)
        self.parts.setStretchFactor(1, 2)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.parts)
        self._stack.addWidget(self._empty)

    def _listed(self) -> QWidget:
        top = QHBoxLayout()
        top.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, 0)
        top.addWidget(self.search, 1)
        top.addWidget(self._count)
        listed = QWidget()
        column = QVBoxLayout(listed)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        column.addLayout(top)
        column.addWidget(self.table, 1)
        return listed

    def _list(self) -> None:
        self._model.show_archive(self._archive, self._ids, self.search.text())
        self.table.show_columns()
        self._count.setText(f"{figures(len(self._model.rows))} of {figures(len(self._ids))}")
        self._stack.setCurrentIndex(0 if self._ids else 1)


def _what_was_looked_at(found: int, refused: int, of: int) -> str:
    """Return how many conversations have figures, and why others have none."""
    looked = counted(found, "conversation")
    unread = of - found - refused
    others = [f"{figures(refused)} refused" if refused else "", f"{figures(unread)} not read yet" if unread else ""]
    return ", ".join([f"{looked} of {figures(of)}" if found != of else looked, *filter(None, others)])
