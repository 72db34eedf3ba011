"""The view of the start page: actions and a place to drop files, recent and unsaved work, and the tours."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from inspector.assembly.columns import Section, word
from inspector.assembly.when import day_text, weekday_text
from inspector.gui.parts.bar_picture import BarPart
from inspector.gui.parts.labels import Hint, PlainLabel, heading
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.screens.start.cards import ActionCard, DropZone, RecentRow, TourCard, UnsavedNote
from inspector.gui.theme import give_font, scaled

WHAT_FOR = "See what your prompt keeps, and what it forgets."
HOW = (
    "Open a saved chat. Choose how its context window is shared out. Every message, memory and lore entry says whether "
    "it is in the prompt, why, and what would change that. Nothing leaves this computer."
)
NOTHING_YET = "What you open is listed here."
COLUMN, NARROW = 960, 760
"""The width of the page, and that below which its two columns stand below each other."""
HEAD = 24
MOST_RECENT = 6
_WORDS_WIDTH = 700
_OVERHEAD, _RESERVE = BarPart("overhead", "Formatting"), BarPart("reserve", "Reply")


def _part(section: Section) -> BarPart:
    return BarPart(word(section), "", section)


_SYSTEM, _MEMORY, _LORE, _TALK = map(_part, (Section.SYSTEM, Section.MEMORY, Section.LORE, Section.HISTORY))
WINDOW = 12_288
TOURS = (
    (
        "first_tour",
        "The window in one minute",
        "The bar, the items, the settings, the questions.",
        "1 minute",
        ((_SYSTEM, 630), (_MEMORY, 1_362), (_TALK, 5_560), (_OVERHEAD, 554), (_RESERVE, 4_080)),
    ),
    (
        "tour_birthday",
        "Why did it forget my birthday?",
        "One message, turn by turn, until it falls out.",
        "2 minutes",
        ((_SYSTEM, 364), (_TALK, 3_552), (_OVERHEAD, 223)),
    ),
    (
        "tour_policies",
        "The same chat, five policies",
        "What each of them sends of it.",
        "2 minutes",
        ((_SYSTEM, 630), (_MEMORY, 1_542), (_LORE, 103), (_TALK, 4_657), (_OVERHEAD, 331), (_RESERVE, 3_497)),
    ),
)
"""The tours by their actions: name, words, length, and the bar of a step of each, as the samples give it."""


@dataclass(frozen=True)
class RecentEntry:
    """A recent opening: its paths, names, contents and last time (None: not known), and the text of its tooltip."""

    paths: Sequence[str]
    names: str
    about: str
    time: datetime | None
    tip: str


class StartView(QScrollArea):
    """The page. `requested` carries the name of an action, `recent_chosen` the paths of a recent opening."""

    sample_requested = Signal()
    requested = Signal(str)
    recent_chosen = Signal(list)
    unsaved_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start_page")
        self.setAccessibleName("Start")
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget(self.viewport())
        page.setBackgroundRole(QPalette.ColorRole.Base)
        page.setAutoFillBackground(True)
        self.cards, self.tours = self._make_actions(), self._make_tours()
        self._recent = QVBoxLayout()
        self._clear = QPushButton("Clear", flat=True)
        self._nothing = Hint()
        self.unsaved = UnsavedNote()
        self.unsaved.clicked.connect(self.unsaved_chosen)
        self._lay_out(page)
        self.setWidget(page)
        self.show_recent(())
        self.show_unsaved(())

    def show_recent(self, entries: Sequence[RecentEntry]) -> None:
        """List the latest openings."""
        while (item := self._recent.takeAt(0)) is not None:
            if (row := item.widget()) is not None:
                row.hide()
                row.deleteLater()
        for entry in entries[:MOST_RECENT]:
            when = day_of(entry.time, datetime.now()) if entry.time else ""
            row = RecentRow(entry.names, entry.about, when, entry.tip, self.widget())
            row.clicked.connect(lambda _=False, paths=entry.paths: self.recent_chosen.emit(list(paths)))
            self._recent.addWidget(row)
        self._clear.setVisible(bool(entries))
        self._nothing.say("" if entries else NOTHING_YET)

    def show_unsaved(self, works: Sequence[tuple[str, float]]) -> None:
        """Offer the newest unsaved work, by title and time in seconds."""
        self.unsaved.setVisible(bool(works))
        if works:
            title, time = works[0]
            more = f", and {len(works) - 1} more" if len(works) > 1 else ""
            now = datetime.now()
            self.unsaved.say(f"Unsaved work from {day_of(datetime.fromtimestamp(time), now)}{more}", one_line(title))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the two columns below each other where there is no room for both."""
        super().resizeEvent(event)
        is_wide = self.width() >= scaled(NARROW)
        direction = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        for row in (self._columns, self._tour_row):
            row.setDirection(direction)

    def sizeHint(self) -> QSize:
        return QSize(scaled(COLUMN), scaled(400))

    def _make_actions(self) -> list[ActionCard]:
        cards = [
            ActionCard("message-square", "Try the sample chat", "Four months with a companion, 337 messages", "Enter"),
            ActionCard("folder-open", "Open chats…", "ChatGPT, Claude, SillyTavern and 70 more", "Ctrl O"),
            ActionCard("clipboard-paste", "Paste a conversation", "JSON, or lines such as “Ann: hello”", "Ctrl V"),
        ]
        for card, name in zip(cards, ("sample", "open", "paste"), strict=True):
            card.setObjectName(f"start:{name}")
        cards[0].clicked.connect(self.sample_requested)
        cards[1].clicked.connect(lambda: self.requested.emit("open"))
        cards[2].clicked.connect(lambda: self.requested.emit("paste"))
        return cards

    def _make_tours(self) -> list[TourCard]:
        cards = []
        for action, name, words, length, parts in TOURS:
            card = TourCard(name, words, length, parts, WINDOW)
            card.setObjectName(f"start:{action}")
            card.clicked.connect(lambda _=False, action=action: self.requested.emit(action))
            cards.append(card)
        return cards

    def _lay_out(self, page: QWidget) -> None:
        outer = QHBoxLayout(page)
        outer.setContentsMargins(scaled(24), scaled(16), scaled(24), scaled(16))
        column = QWidget(page)
        column.setMaximumWidth(scaled(COLUMN))
        outer.addStretch(1)
        outer.addWidget(column, 1000)
        outer.addStretch(1)
        lines = QVBoxLayout(column)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        lines.addStretch(1)
        self._add_words(lines)
        self._columns = QHBoxLayout()
        self._columns.setSpacing(scaled(32))
        self._columns.addLayout(self._begin_column(), 1)
        self._columns.addLayout(self._recent_column(), 1)
        lines.addLayout(self._columns)
        lines.addSpacing(scaled(24))
        lines.addWidget(heading("Tours"))
        lines.addSpacing(scaled(8))
        self._tour_row = QHBoxLayout()
        self._tour_row.setSpacing(scaled(12))
        for card in self.tours:
            self._tour_row.addWidget(card, 1)
        lines.addLayout(self._tour_row)
        lines.addStretch(2)

    def _add_words(self, lines: QVBoxLayout) -> None:
        first, how = PlainLabel(WHAT_FOR, wordWrap=True), PlainLabel(HOW, wordWrap=True)
        give_font(first, "first")
        give_font(how, "lead")
        how.setMaximumWidth(scaled(_WORDS_WIDTH))
        how.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        lines.addWidget(first)
        lines.addSpacing(scaled(10))
        lines.addWidget(how)
        lines.addSpacing(scaled(24))

    def _begin_column(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(scaled(8))
        column.addWidget(_head("Start"))
        for card in self.cards:
            column.addWidget(card)
        column.addWidget(DropZone())
        column.addStretch(1)
        return column

    def _recent_column(self) -> QVBoxLayout:
        column, head = QVBoxLayout(), QHBoxLayout()
        column.setSpacing(0)
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(_head("Recent"))
        head.addStretch(1)
        head.addWidget(self._clear)
        self._clear.setObjectName("start:clear")
        self._clear.setFixedHeight(scaled(HEAD))
        self._clear.setAccessibleName("Clear recent files")
        self._clear.setToolTip(tooltip("Forget what was opened; the files stay."))
        self._clear.clicked.connect(lambda: self.requested.emit("clear_recent"))
        column.addLayout(head)
        column.addSpacing(scaled(6))
        column.addLayout(self._recent)
        column.addWidget(self._nothing)
        column.addSpacing(scaled(12))
        column.addWidget(self.unsaved)
        column.addStretch(1)
        return column


def _head(text: str) -> PlainLabel:
    label = heading(text)
    label.setFixedHeight(scaled(HEAD))
    return label


def day_of(time: datetime, now: datetime) -> str:
    """Return a time as a user would say it: today with the hour, yesterday, the day of this week, or the date."""
    days = (now.date() - time.date()).days
    if days == 0:
        return f"today, {time:%H:%M}"
    if days == 1:
        return f"yesterday, {time:%H:%M}"
    if 1 < days < 7:
        return f"{weekday_text(time)}, {time:%H:%M}"
    return day_text(time) if time.year == now.year else f"{day_text(time)} {time.year}"
