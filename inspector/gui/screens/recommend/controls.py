"""The controls of a search: windows, room for the reply, policies, Start and Cancel, and the progress."""

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QElapsedTimer, Signal
from PySide6.QtWidgets import QLineEdit, QProgressBar, QPushButton, QWidget

from inspector.analysis.basis import Share
from inspector.analysis.recommend.search import DEFAULT_REPLY, Terms
from inspector.figures import percentage
from inspector.gui.parts.buttons import MenuButton
from inspector.gui.parts.choice_menu import ChoiceMenu
from inspector.gui.parts.labels import ElidedLabel, PlainLabel, keep_room
from inspector.gui.parts.number_field import WholeField, stand_in_column
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.parts.wrapping_row import WORDS, WrappingRow
from inspector.gui.theme import UNIT

MOST_TOKENS = 100_000_000
NO_POLICY = "Choose a policy to try."
_NOTICEABLE_SECONDS = 2.0
_LINE_WIDTH, _BAR_WIDTH = 34 * UNIT, 20 * UNIT


class TermsError(ValueError):
    """The reason why a search cannot start, for the user."""


class SearchControls(QWidget):
    """The terms of a search. `start_requested(terms)` and `cancel_requested` carry the user's wishes; `changed`: the
    terms differ.
    """

    start_requested = Signal(object)
    cancel_requested = Signal()
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window: int | None = None
        self._offered: tuple[str, ...] = ()
        self._is_running = self._is_possible = False
        self._clock = QElapsedTimer()
        self.windows = self._make_windows()
        self.reply = WholeField()
        self.reply.setObjectName("recommend_reply")
        self.reply.setAccessibleName("Tokens that a prompt leaves for the reply")
        self.reply.setToolTip(tooltip("Every prompt must leave this many tokens of its window for the reply"))
        self.reply.setRange(0, MOST_TOKENS)
        stand_in_column(self.reply, "100,000 tokens")
        self.reply.setValue(DEFAULT_REPLY)
        self.reply.count("token")
        self.reply.valueChanged.connect(lambda _: self._refresh())
        self.reply.refused.connect(lambda reason: self.progress.say(reason))
        self.menu: ChoiceMenu[str] = ChoiceMenu(self)
        self.menu.chosen_changed.connect(self._refresh)
        self.policies = self._make_policies()
        self.start_button = self._button("Start", "recommend_start", self._start)
        self.cancel_button = self._button("Cancel", "recommend_cancel", self.cancel_requested.emit)
        self.bar = QProgressBar()
        self.bar.setFixedWidth(_BAR_WIDTH)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("How far the search is")
        self.progress = ElidedLabel()
        self.progress.setAlignment(self.progress.alignment().AlignLeft | self.progress.alignment().AlignVCenter)
        self.progress.setMinimumWidth(WORDS)  # also while it says nothing, so that no line comes and goes with it
        self._lay_out()
        self.show_ended()

    def set_policies(self, names: Sequence[str]) -> None:
        """Offer these policies; new ones are chosen at first."""
        if tuple(names) != self._offered:
            left_out = {*self._offered} - {*self.menu.chosen}
            self._offered = tuple(names)
            self.menu.clear_choices()
            for name in names:
                self.menu.add_choice(name, name, name not in left_out)
            self._refresh()

    def show_window(self, window: int | None) -> None:
        """Set the window in use, which an empty line means."""
        self._window = window
        self.windows.setPlaceholderText("" if window is None else f"{window} (current)")
        self._refresh()

    def set_possible(self, is_possible: bool) -> None:
        """Set whether there is anything to search with."""
        self._is_possible = is_possible
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
        return Terms(windows, self.reply.value(), None if chosen == self._offered else chosen)

    @property
    def complaint(self) -> str:
        """The fault in the terms, "" if there is none."""
        try:
            _ = self.terms
        except TermsError as problem:
            return str(problem)
        return ""

    def show_begun(self) -> None:
        """Show that a search has begun, still without figures."""
        self._is_running = True
        self._clock.start()
        self.bar.setRange(0, 0)
        self.progress.say("Reading the conversations …")
        self._show_running()

    def show_share(self, done: Share) -> None:
        """So many cells of about so many are measured."""
        share = done.part
        seconds = self._clock.elapsed() / 1000
        left = seconds * (1 - share) / share if share else 0.0
        remaining = f", {left:,.0f} s left" if seconds > _NOTICEABLE_SECONDS and left >= 1 else ""
        self.bar.setRange(0, 100)
        self.bar.setValue(round(share * 100))
        what = "Trying settings" if share < 1 else "Looking at the best"
        self.progress.say(f"{what}: {percentage(share, 0)}{remaining}" if share < 1 else f"{what} …")

    def show_ended(self) -> None:
        """Show that no search is running."""
        self._is_running = False
        self.progress.say("")
        self._show_running()

    def _show_running(self) -> None:
        self.bar.setVisible(self._is_running)
        for control in (self.windows, self.reply, self.policies):
            control.setEnabled(not self._is_running)
        self.cancel_button.setEnabled(self._is_running)
        self._refresh()

    def _refresh(self) -> None:
        chosen, offered = len(self.menu.chosen), len(self._offered)
        self.policies.setText("All policies" if chosen == offered else f"{chosen} of {offered} policies")
        self.start_button.setEnabled(self._is_possible and not self._is_running and not self.complaint)
        self.changed.emit()

    def _start(self) -> None:
        if self.start_button.isEnabled():
            self.start_requested.emit(self.terms)

    def _make_windows(self) -> QLineEdit:
        line = QLineEdit()
        line.setObjectName("recommend_windows")
        line.setAccessibleName("Context windows to search for, with commas between")
        line.setToolTip(tooltip("Windows in tokens, such as 2048,4096; empty for the current one"))
        line.setFixedWidth(_LINE_WIDTH)
        line.textChanged.connect(lambda _: self._refresh())
        line.returnPressed.connect(self._start)
        return line

    def _make_policies(self) -> MenuButton:
        chooser = MenuButton("recommend_policies", "", self.menu)
        chooser.setAccessibleName("Choose the policies that are tried")
        stand_in_column(chooser, "10 of 10 policies____")
        return chooser

    def _button(self, text: str, name: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(control_text(text))
        button.setObjectName(name)
        button.setAccessibleName(f"{text} the search for settings")
        button.clicked.connect(lambda _checked=False: act())
        return button

    def _lay_out(self) -> None:
        keep_room(self.bar)
        line = WrappingRow()
        for label, control in (("Windows", self.windows), ("Reply", self.reply)):
            caption = PlainLabel(label)
            caption.setBuddy(control)
            line.addWidget(caption)
            line.addWidget(control)
        for control in (self.policies, self.start_button, self.cancel_button, self.bar):
            line.addWidget(control)
        line.addWidget(self.progress)
        self.setLayout(line)


def windows_of(text: str) -> tuple[int, ...]:
    """Return the windows named in a line, each once. Raise TermsError for a word that is not a number of tokens."""
    found: dict[int, None] = {}
    for word in re.split(r"[,;\s]+", text.strip()):
        if word and not (word.isascii() and word.isdigit() and 0 < int(word[:12]) <= MOST_TOKENS):
            raise TermsError(
                f"“{word[:20]}” is not a window: expected numbers of tokens with commas between, such as 2048,4096."
            )
        if word:
            found[int(word)] = None
    return tuple(found)
