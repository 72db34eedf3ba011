"""The row of inputs: windows, reply, policies, questions, and Run; while it runs, how far it is, and Cancel."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from PySide6.QtCore import QDateTime, QElapsedTimer, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from inspector.analysis.basis import Share
from inspector.analysis.recommend.questions import Questions, Source
from inspector.analysis.recommend.search import Terms
from inspector.figures import percentage
from inspector.gui.parts.buttons import IconButton, MenuButton
from inspector.gui.parts.choice_box import ChoiceBox
from inspector.gui.parts.choice_menu import ChoiceMenu
from inspector.gui.parts.labels import ElidedLabel, PlainLabel, keep_room
from inspector.gui.parts.number_field import WheelGuard, WholeField, paint_ground, stand_in_column
from inspector.gui.parts.policy_box import ARROW, paint_arrow
from inspector.gui.parts.texts import control_text, tooltip, words_of_control
from inspector.gui.parts.word_chip import WordChip
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.theme import OFF_OPACITY, UNIT, give_font, scaled, theme
from inspector.limits import DEFAULT_REPLY

MOST_TOKENS = 100_000_000
NO_POLICY = "Choose a policy to try."
OUTDATED = "For other settings · Run again"
_NOTICEABLE_SECONDS = 2.0
_LINE_WIDTH, _BAR, _STATE_WIDTH = 124, (90, 4), 106
_HEIGHT = 28
_MINUTE = 60
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")


class TermsError(ValueError):
    """The reason why a search cannot start, for the user."""


class _MenuBox(MenuButton):
    """A menu in the look of the boxes beside it."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), scaled(_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground, the words at the left and the arrow at the right."""
        paint_ground(self, is_strong=True)
        painter, room = QPainter(self), self.rect().adjusted(2 * UNIT, 0, -ARROW - 2 * UNIT, 0)
        painter.setOpacity(1.0 if self.isEnabled() else OFF_OPACITY)
        painter.setPen(theme().text)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words_of_control(self.text()))
        paint_arrow(painter, self.rect())
        painter.end()


class SearchControls(QWidget):
    """The terms of a search. `start_requested(terms)` and `cancel_requested` carry the user's wishes; `changed`: the
    terms differ; `source_chosen(source)`: other questions are wanted.
    """

    start_requested = Signal(object)
    cancel_requested = Signal()
    changed = Signal()
    source_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window: int | None = None
        self._titles: Mapping[str, str] = {}
        self.is_running = self._is_possible = self._is_found = False
        self._clock = QElapsedTimer()
        self._ended: QDateTime | None = None
        self.best = ""
        self.windows = self._make_windows()
        self.more = IconButton("plus", "Add the windows half and twice as large")
        self.more.setObjectName("recommend_more_windows")
        self.more.setFixedSize(scaled(24), scaled(24))
        self.more.clicked.connect(lambda _checked=False: self._add_windows())
        self.reply = WholeField()
        self.reply.setObjectName("recommend_reply")
        self.reply.setAccessibleName("Tokens that a prompt leaves for the reply")
        self.reply.setToolTip(tooltip("Every prompt must leave this many tokens of its window for the reply"))
        self.reply.setRange(0, MOST_TOKENS)
        self.reply.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.reply.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        self.reply.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.reply.setFixedHeight(scaled(_HEIGHT))
        WheelGuard(self).guard(self.reply)
        stand_in_column(self.reply, "100,000")
        self.reply.setValue(DEFAULT_REPLY)
        self.reply.valueChanged.connect(lambda _: self._refresh())
        self.reply.refused.connect(lambda reason: self.progress.say(reason))
        self.menu: ChoiceMenu[str] = ChoiceMenu(self)
        self.menu.chosen_changed.connect(self._refresh)
        self.policies = self._make_policies()
        self.source = self._make_source()
        self.start_button = self._button("Run", "recommend_start", self._start)
        self.cancel_button = self._button("Cancel", "recommend_cancel", self.cancel_requested.emit)
        self.bar = QProgressBar()
        self.bar.setFixedSize(*map(scaled, _BAR))
        keep_room(self.bar)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("How far the search is")
        self.outdated = WordChip("recommend_again", acts=True)
        self.outdated.pressed.connect(self._start)
        self.progress = ElidedLabel()
        give_font(self.progress, "secondary")
        self._lay_out()
        self.show_ended()

    def set_policies(self, titles: Mapping[str, str]) -> None:
        """Offer these policies, by name with their titles; new ones are chosen at first."""
        if dict(titles) != dict(self._titles):
            left_out = {*self._titles} - {*self.menu.chosen}
            self._titles = titles
            self.menu.clear_choices()
            for name, title in titles.items():
                self.menu.add_choice(name, title, name not in left_out)
            self._refresh()

    def show_window(self, window: int | None) -> None:
        """Set the window in use, which an empty line means."""
        if window == self._window:
            return
        self._window = window
        self.windows.setPlaceholderText("" if window is None else f"{window:,}")
        self._refresh()

    def show_questions(self, questions: Questions) -> None:
        """Show which questions are asked."""
        self.source.blockSignals(True)
        self.source.setCurrentIndex(self.source.findData(questions.source))
        self.source.blockSignals(False)
        self.source.setToolTip(tooltip(f"{questions.words}: those of files, those that you marked, or all"))

    def set_possible(self, is_possible: bool) -> None:
        """Set whether there is anything to search with."""
        self._is_possible = is_possible
        self._refresh()

    def show_found(self, is_found: bool, is_old: bool) -> None:
        """Show whether there is a result, and whether it is for other settings."""
        self._is_found = is_found
        self.outdated.say(OUTDATED, "warning", "The settings in use or the open files have changed since")
        self.outdated.setVisible(is_old and not self.is_running)
        if not self.is_running and is_found and not is_old and self._ended is not None:
            at = f"at {self._ended.toString('hh:mm')}"
            self.progress.say(f"searched {at}", at)
        elif not self.is_running:
            self.progress.say("")
        self._refresh()

    @property
    def terms(self) -> Terms:
        """The terms of the search. Raise TermsError."""
        windows = windows_of(self.windows.text()) or ((self._window,) if self._window else ())
        chosen = self.menu.chosen
        for window in windows:
            if window <= self.reply.value():
                raise TermsError(f"A window of {window:,} tokens leaves nothing beside the reply.")
        if not chosen:
            raise TermsError(NO_POLICY)
        return Terms(windows, self.reply.value(), None if chosen == tuple(self._titles) else chosen)

    @property
    def complaint(self) -> str:
        """The fault in the terms, "" if there is none."""
        try:
            _ = self.terms
        except TermsError as problem:
            return str(problem)
        return ""

    def show_begun(self) -> None:
        """Show that a search has begun, still without figures; a focus in the row goes to Cancel."""
        focus = QApplication.focusWidget()
        has_focus = focus is not None and self.isAncestorOf(focus)
        self.is_running, self.best = True, ""
        self._clock.start()
        self.bar.setRange(0, 0)
        self.progress.say("Reading the conversations …", "Reading …")
        self._show_running()
        if has_focus:
            self.cancel_button.setFocus()

    def show_share(self, done: Share) -> None:
        """So many cells of about so many are measured."""
        share = done.part
        seconds = self._clock.elapsed() / 1000
        left = seconds * (1 - share) / share if share else 0.0
        remaining = f", {_time(left)} left" if seconds > _NOTICEABLE_SECONDS and left >= 1 else ""
        self.bar.setRange(0, 100)
        self.bar.setValue(round(share * 100))
        known = f" · {self.best}" if self.best else ""
        said = f"{percentage(share, 0)}{remaining}" if share < 1 else "Looking at the best …"
        self.progress.say(f"{said}{known}", said, percentage(share, 0))

    def show_ended(self) -> None:
        """Show that no search is running."""
        self.is_running = False
        self._ended = QDateTime.currentDateTime()
        self.progress.say("")
        self._show_running()

    def _show_running(self) -> None:
        self.bar.setVisible(self.is_running)
        self.cancel_button.setVisible(self.is_running)
        self.start_button.setVisible(not self.is_running)
        for control in (self.windows, self.more, self.reply, self.policies, self.source):
            control.setEnabled(not self.is_running)
        self.cancel_button.setEnabled(self.is_running)
        self._refresh()

    def _refresh(self) -> None:
        chosen, offered = len(self.menu.chosen), len(self._titles)
        self.policies.setText(f"All {offered} policies" if chosen == offered else f"{chosen} of {offered} policies")
        self.start_button.setEnabled(self._is_possible and not self.is_running and not self.complaint)
        self.start_button.setText(control_text("Run again" if self._is_found else "Run"))
        if self.start_button.property("primary") is not (not self._is_found):
            self.start_button.setProperty("primary", not self._is_found)
            self.start_button.style().polish(self.start_button)
        self.more.setEnabled(not self.is_running and not self._is_wrong and bool(self.windows.text() or self._window))
        self.changed.emit()

    @property
    def _is_wrong(self) -> bool:
        try:
            windows_of(self.windows.text())
        except TermsError:
            return True
        return False

    def _write_windows(self) -> None:
        """Write the typed windows with separated thousands, the first of them in sight."""
        if not self._is_wrong:
            self._show_windows(windows_of(self.windows.text()))

    def _show_windows(self, windows: Iterable[int]) -> None:
        self.windows.setText(", ".join(f"{window:,}" for window in windows))
        self.windows.home(False)

    def _add_windows(self) -> None:
        windows = windows_of(self.windows.text()) or ((self._window,) if self._window else ())
        least = self.reply.value()
        found = {*windows, *(size for window in (min(windows), max(windows)) for size in (window // 2, window * 2))}
        self._show_windows(window for window in sorted(found) if least < window <= MOST_TOKENS)

    def _start(self) -> None:
        if self.start_button.isEnabled():
            self.start_requested.emit(self.terms)

    def _make_windows(self) -> QLineEdit:
        line = QLineEdit()
        line.setObjectName("recommend_windows")
        line.setAccessibleName("Context windows to search for, with commas between")
        line.setToolTip(tooltip("Windows in tokens, such as 2048, 4096; empty for the current one"))
        line.setFixedWidth(scaled(_LINE_WIDTH))
        line.textChanged.connect(lambda _: self._refresh())
        line.setFixedHeight(scaled(_HEIGHT))
        line.editingFinished.connect(self._write_windows)
        line.returnPressed.connect(self._start)
        return line

    def _make_policies(self) -> MenuButton:
        chooser = _MenuBox("recommend_policies", "", self.menu)
        chooser.setAccessibleName("Choose the policies that are tried")
        stand_in_column(chooser, "88 of 88 policies___")
        return chooser

    def _make_source(self) -> QComboBox:
        box = ChoiceBox()
        box.setObjectName("recommend_source")
        box.setAccessibleName("Which questions are asked")
        for source in Source:
            box.addItem(source.value, source)
        stand_in_column(box, "Marked here____")
        WheelGuard(self).guard(box)
        box.currentIndexChanged.connect(lambda _: self.source_chosen.emit(self.source.currentData()))
        return box

    def _button(self, text: str, name: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(control_text(text))
        button.setObjectName(name)
        button.setAccessibleName(f"{text} the search for settings")
        button.clicked.connect(lambda _checked=False: act())
        return button

    def _lay_out(self) -> None:
        line = WrappingRow()
        line.setContentsMargins(4 * UNIT, 2 * UNIT, 4 * UNIT, 2 * UNIT)
        for words, control, whole in (
            ("Window", self.windows, _beside(self.windows, self.more)),
            ("Reply", self.reply, self.reply),
            ("Among", self.policies, self.policies),
            ("Questions", self.source, self.source),
        ):
            caption = PlainLabel(words)
            caption.setBuddy(control)
            line.addWidget(_beside(caption, whole))
        line.addWidget(self._make_state())
        self.setLayout(line)

    def _make_state(self) -> QWidget:
        """Return what stands at the right: the state above the bar, or the chip, and in one place Run or Cancel."""
        self.progress.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        state = QWidget()
        state.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(state)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * UNIT)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.setContentsMargins(0, self.bar.height(), 0, 0)  # as high as the bar: the words stay in the middle
        words.addWidget(self.progress)
        words.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignRight)
        row.addLayout(words, 1)
        row.addWidget(self.outdated)
        wide = max(button.sizeHint().width() for button in (self.start_button, self.cancel_button)) + 4 * UNIT
        for button in (self.cancel_button, self.start_button):
            button.setMinimumWidth(wide)
            row.addWidget(button)
        state.setMinimumWidth(wide + scaled(_STATE_WIDTH))  # also while empty: no line comes and goes with it
        return state


def _beside(first: QWidget, second: QWidget) -> QWidget:
    """Return two widgets that stay beside each other."""
    both = QWidget()
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(2 * UNIT)
    row.addWidget(first)
    row.addWidget(second)
    both.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return both


def _time(seconds: float) -> str:
    return f"{seconds:,.0f} s" if seconds < _MINUTE else f"{seconds / _MINUTE:,.0f} min"


def windows_of(text: str) -> tuple[int, ...]:
    """Return the windows named in a line, each once: 2048,4096 or 2,048, 4,096. Raise TermsError for any other word."""
    found: dict[int, None] = {}
    for word in _words(text):
        plain = word.replace(",", "")
        if not (plain.isascii() and plain.isdigit() and 0 < int(plain[:12]) <= MOST_TOKENS):
            raise TermsError(
                f"“{word[:20]}” is not a window: expected numbers of tokens with commas between, such as 2048, 4096."
            )
        found[int(plain)] = None
    return tuple(found)


def _words(text: str) -> Iterator[str]:
    """Yield the words between commas, except for commas that separate thousands."""
    for word in re.split(r"[;\s]+", text.strip()):
        word = word.strip(",")
        yield from filter(None, [word] if _THOUSANDS.fullmatch(word) else word.split(","))
