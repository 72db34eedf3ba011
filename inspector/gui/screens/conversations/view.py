"""The list of all chats: what is looked at and how far, a search, and a row for each chat."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from inspector.analysis.archive.agenda import Progress
from inspector.analysis.archive.listing import Archive
from inspector.figures import counted, figures, percentage
from inspector.gui.icons import line_icon
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.chip import Chip
from inspector.gui.parts.labels import ElidedLabel, PlainLabel
from inspector.gui.parts.texts import tooltip
from inspector.gui.screens.conversations.model import ConversationRowPainter, ConversationsModel, is_of, matching
from inspector.gui.screens.conversations.setting_row import SettingRow
from inspector.gui.session.looking import Looking
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import give_font, named_font, scaled, theme
from inspector.retrieval.search.find import Group

NOTHING_MATCHES = "No chat has these words in its title, its file or its messages."
NONE_OF_THEM = "No chat that was looked at is of this kind."
SEARCH_MILLISECONDS = 150
ROW = 44
_KINDS = (("", "All"), ("over", "Over the window"), ("warnings", "With warnings"))
_MINUTE = 60
_LONGEST_CHIP = 220


class ProgressLine(QWidget):
    """How many chats have been looked at: a sentence, a thin bar, the time left, and Pause."""

    paused = Signal()
    resumed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self.sentence, self.left = PlainLabel(), PlainLabel()
        give_font(self.sentence, "name")
        self.left.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.bar = _ThinBar()
        self.button = QPushButton("Pause", flat=True)
        self.button.setObjectName("conversations:pause")
        self.button.clicked.connect(self._press)
        self._is_paused = False
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(12)
        row.addWidget(self.sentence)
        row.addWidget(self.bar, 1)
        row.addWidget(self.left)
        row.addWidget(self.button)
        self.setFixedHeight(scaled(36))

    def show_progress(self, looking: Looking) -> None:
        """Show how far it is; once all were looked at, only that stays."""
        progress, is_over = looking.progress, looking.is_complete or bool(looking.trouble)
        self._is_paused = looking.is_paused
        self.sentence.setText(looking.trouble or _how_many(looking, progress))
        self.left.setText("" if is_over else "paused" if looking.is_paused else _time_left(progress.seconds_left))
        self.bar.show_share(0.0 if is_over else progress.share, shown=not is_over)
        self.button.setVisible(not is_over)
        self.button.setText("Go on" if looking.is_paused else "Pause")

    def _press(self) -> None:
        (self.resumed if self._is_paused else self.paused).emit()


class _ThinBar(QWidget):
    """A share as a thin line; it keeps its room while there is nothing to show."""

    def __init__(self) -> None:
        super().__init__()
        self._share, self._shown = 0.0, False
        self.setAccessibleName("Progress")

    def show_share(self, share: float, shown: bool) -> None:
        """Show a share, 0–1, or nothing."""
        self._share, self._shown = share, shown
        self.setAccessibleDescription(percentage(share, 0) if shown else "")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._shown:
            painter, look, top = QPainter(self), theme(), self.height() // 2 - 2
            painter.fillRect(0, top, self.width(), 4, look.border)
            painter.fillRect(0, top, round(self.width() * self._share), 4, look.accent)


class ConversationsView(AskingView):
    """The list. `opened(row)` is emitted by a double click or Enter, `words_changed` a moment after typing.

    `requested` asks for the figures of all chats, `looked_for(rows)` for those in sight first.
    """

    opened = Signal(int)
    open_requested = Signal()
    requested = Signal()
    looked_for = Signal(list)
    words_changed = Signal(str)
    problems_requested = Signal()

    def __init__(self, looking: Looking, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._looking, self._ids, self._only = looking, tuple[str, ...](), ""
        self.hits: Mapping[int, Group] = {}
        self.title, self.about = PlainLabel(), ElidedLabel(alignment=Qt.AlignmentFlag.AlignVCenter)
        give_font(self.title, "sentence")
        self.about.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.unread = QPushButton(flat=True)
        self.unread.setObjectName("conversations:unread")
        self.unread.clicked.connect(self.problems_requested)
        self.setting = SettingRow()
        self.progress = ProgressLine()
        self.progress.paused.connect(looking.pause)
        self.progress.resumed.connect(looking.resume)
        self.search = self._make_search()
        self.chips = {kind: self._make_chip(kind, words) for kind, words in _KINDS}
        self._count = PlainLabel()
        self._model = ConversationsModel(self)
        self.table = self._make_table()
        self._empty = EmptyState(
            "Nothing is open",
            "All chats of the open files are listed here. Open some (Ctrl+O), or a whole folder.",
            (("Open…", self.open_requested.emit),),
        )
        self._typing = QTimer(self, singleShot=True, interval=SEARCH_MILLISECONDS)
        self._typing.timeout.connect(lambda: self.words_changed.emit(self.search.text()))
        self._lay_out()
        looking.changed.connect(self._show)
        self._show()

    def show_unread(self, number: int) -> None:
        """Say how many files could not be read; a click leads to them."""
        self.unread.setVisible(number > 0)
        self.unread.setText(f"{counted(number, 'file')} could not be read")
        self.unread.setIcon(line_icon("triangle-alert"))

    def show_hits(self, hits: Mapping[int, Group]) -> None:
        """Also list the chats whose messages have the words."""
        self.hits = hits
        self._list()

    def show_only(self, kind: str, words: str = "") -> None:
        """List only the chats of a kind: "", "over", "warnings", or the code of a finding, told in `words`."""
        self._only = kind
        for name, chip in self.chips.items():
            chip.setChecked(name == kind)
        if kind not in self.chips:
            self.chips[kind] = self._make_chip(kind, words)
            self.chips[kind].setToolTip(tooltip(words))
            room = scaled(_LONGEST_CHIP)
            shown = QFontMetrics(named_font("secondary")).elidedText(words, Qt.TextElideMode.ElideRight, room)
            self.chips[kind].say(shown)
            self.chips[kind].setChecked(True)
            self._chip_row.addWidget(self.chips[kind])
        for name in [name for name in self.chips if name not in (kind, *(one for one, _ in _KINDS))]:
            chip = self.chips.pop(name)
            chip.hide()
            chip.deleteLater()
        self._list()

    @property
    def is_current(self) -> bool:
        """Whether the figures of every chat read are those of the current setting."""
        return not self._stale and self._looking.is_complete

    # Inside

    def _ask(self) -> None:
        self.requested.emit()
        self._stale = False
        self._tell_seen()

    def _dim(self) -> None:
        self.table.set_dimmed(self._looking.is_stale)

    def _show(self) -> None:
        """Show the chats with the figures known now."""
        archive = self._looking.archive
        ids = tuple(chat.id for chat in archive.conversations)
        if ids != self._ids:  # the same conversations come again once they are read, or read again
            self._ids, self.hits = ids, {}
            self.search.clear()
            self.show_only("")
        files = len({chat.origin for chat in archive.conversations})
        self.title.setText(counted(len(ids), "chat"))
        self.about.say(f"in {counted(files, 'file')}" if ids else "")
        self.progress.show_progress(self._looking)
        self.table.set_dimmed(self._looking.is_stale)
        self._stack.setCurrentIndex(0 if ids else 1)
        self._count_kinds(archive)
        self._list()

    def _count_kinds(self, archive: Archive) -> None:
        for kind, words in _KINDS:
            number = sum(is_of(archive, row, kind) for row in archive.looked) if kind else len(self._ids)
            self.chips[kind].say(f"{words} {number:,}")

    def _list(self) -> None:
        archive, wanted = self._looking.archive, self.search.text()
        rows = matching(archive, wanted, self.hits, self._only)
        self.table.set_empty_text(NOTHING_MATCHES if wanted.split() else NONE_OF_THEM)
        self._model.show(archive, rows, self._ids)
        self.table.show_columns()
        count = len(self._model.rows)
        self._count.setText("" if count == len(self._ids) else f"{figures(count)} of {figures(len(self._ids))}")

    def _take_words(self) -> None:
        self.hits = {}
        self._list()
        self._typing.start()

    def _tell_seen(self) -> None:
        """Ask first for the chats in sight."""
        table = self.table
        first, last = table.rowAt(0), table.rowAt(table.viewport().height() - 1)
        rows = self._model.rows[max(first, 0) : len(self._model.rows) if last < 0 else last + 1]
        self.looked_for.emit([int(row) for row in rows])

    def _make_search(self) -> QLineEdit:
        words = "Title, file, or words in the messages"
        search = QLineEdit(placeholderText=words, clearButtonEnabled=True)
        search.setObjectName("conversations:search")
        search.setAccessibleName("Find chats by title, file, or words in the messages")
        search.textChanged.connect(lambda _: self._take_words())
        search.setMinimumWidth(scaled(160))
        search.setMaximumWidth(scaled(320))
        search.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return search

    def _make_chip(self, kind: str, words: str) -> Chip:
        chip = Chip(f"conversations:{kind or 'all'}", words, f"Only chats: {words.lower()}" if kind else "All chats")
        chip.clicked.connect(lambda: self.show_only(kind))
        return chip

    def _make_table(self) -> ArrayTableView:
        table = ArrayTableView(self._model)
        table.painter = ConversationRowPainter(table, self._model)
        table.setObjectName("conversations_table")
        table.setAccessibleName("Chats")
        table.setFrameShape(ArrayTableView.Shape.NoFrame)
        header = table.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        table.row_activated.connect(self.opened)
        table.verticalScrollBar().valueChanged.connect(lambda _: self._tell_seen())
        return table

    def _lay_out(self) -> None:
        listed = QWidget()
        rows = QVBoxLayout(listed)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(_row(self.title, (self.about, 1), self.unread, (self.setting, 3)))
        rows.addWidget(_Line())
        rows.addWidget(self.progress)
        rows.addWidget(_Line())
        self._chip_row = QHBoxLayout()
        self._chip_row.setSpacing(6)
        for chip in self.chips.values():
            self._chip_row.addWidget(chip)
        rows.addWidget(_row((self.search, 1), self._chip_row, (_gap(), 1), self._count))
        rows.addWidget(self.table, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(listed)
        self._stack.addWidget(self._empty)


Part = QWidget | QHBoxLayout | tuple[QWidget, int]


def _row(*parts: Part) -> QWidget:
    """Return a row of these parts; a number is how much of the free room a part takes."""
    place = QWidget()
    row = QHBoxLayout(place)
    row.setContentsMargins(16, 0, 16, 0)
    row.setSpacing(10)
    for part in parts:
        if isinstance(part, QHBoxLayout):
            row.addLayout(part)
        elif isinstance(part, tuple):
            row.addWidget(*part)
        else:
            row.addWidget(part)
    place.setFixedHeight(scaled(ROW))
    return place


def _gap() -> QWidget:
    return QWidget()


class _Line(QWidget):
    """A hairline between regions."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().border)


def _how_many(looking: Looking, progress: Progress) -> str:
    """Return how many chats have figures, and why others have none."""
    refused = sum(looked.figures is None for looked in looking.archive.looked.values())
    unread = len(looking.archive.conversations) - progress.of_all
    others = [f"{figures(refused)} refused" if refused else "", f"{figures(unread)} not read yet" if unread else ""]
    done, of_all = progress.done, progress.of_all
    amount = (
        f"{figures(done)} of {counted(of_all, 'chat')} looked at"
        if done < of_all or not of_all
        else (f"All {counted(of_all, 'chat')} looked at" if of_all > 1 else "The chat was looked at")
    )
    return ", ".join([amount, *filter(None, others)])


def _time_left(seconds: float | None) -> str:
    """Return a remaining time in words; nothing before it is known."""
    if seconds is None:
        return ""
    if seconds < _MINUTE:
        return f"{counted(max(round(seconds), 1), 'second')} left"
    return f"{counted(round(seconds / _MINUTE), 'minute')} left"
