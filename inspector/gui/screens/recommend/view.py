"""The page Recommend: inputs, the answer as a sentence, the best setting of each policy, and recall by window and kind.

The page builds itself here; what it computes is asked for by its screen.
"""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from inspector.analysis.basis import Share
from inspector.analysis.recommend.policy_rows import PolicyRow, policy_rows
from inspector.analysis.recommend.questions import Questions
from inspector.analysis.recommend.searched import Searched
from inspector.analysis.recommend.sentences import NOTHING_TRIED, standing
from inspector.assembly.scenario import Scenario
from inspector.figures import percentage
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.parts.buttons import IconButton, ViewSwitch
from inspector.gui.parts.hairlines import Hairlines
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.page import Pages
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.parts.wrapping_row import WrappingPane
from inspector.gui.screens.recommend.answer_view import AnswerView
from inspector.gui.screens.recommend.category_page import CategoryPage
from inspector.gui.screens.recommend.controls import SearchControls
from inspector.gui.screens.recommend.cost_page import CostPage
from inspector.gui.screens.recommend.details import WIDTH, Details
from inspector.gui.screens.recommend.menu import ACTS, BUTTONS, setting_menu
from inspector.gui.screens.recommend.policy_table import PolicyTable
from inspector.gui.screens.recommend.windows_page import WindowsPage
from inspector.gui.theme import UNIT, give_font, scaled
from inspector.gui.tuning.gate import Gate
from inspector.gui.tuning.plot_page import PlotPage

PURPOSE = (
    "Which setting keeps most of what questions need, and how sure that is. "
    "Open saved chats (Ctrl+O), and questions with the items that their answers need."
)
QUESTION = "Which setting keeps most of what the questions need?"
NOT_RUN = "The best setting of each policy is listed here."
TRYING = "Trying settings …"
_LEAST_TABLE, _LEAST_BELOW, _HEIGHTS = 4, 210, (300, 290)
_ALL = tuple(name for name, *_ in ACTS)


class RecommendView(AskingView):
    """The view searches for nothing itself; its signals carry the user's wishes.

    `start_requested(terms)`, `cancel_requested`, `recall_requested`, `acted(name, row)` for an action of `ACTS` on a
    row of the table, `effect_requested(row)`, `open_requested`, `add_requested`. After the first request for recall,
    every refresh repeats it.
    """

    start_requested = Signal(object)
    cancel_requested = Signal()
    recall_requested = Signal()
    acted = Signal(str, object)
    effect_requested = Signal(object)
    open_requested = Signal()
    add_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: Searched | None = None
        self._questions: Questions | None = None
        self._now: Scenario | None = None
        self._rows: tuple[PolicyRow, ...] = ()
        self._offered_windows: list[str] = []
        self._place = 0
        self._trouble = self._failure = self._ending = self._effect = ""
        self._follows = False
        self.controls = SearchControls()
        self.controls.start_requested.connect(self.start_requested)
        self.controls.cancel_requested.connect(self.cancel_requested)
        self.controls.changed.connect(self._say)
        self.answer = AnswerView()
        self.answer.acted.connect(self.act)
        self.recall = ElidedLabel()
        self.recall.setAccessibleName("Recall under the current setting")
        self.recall_button = self._make_recall_button()
        self.hint = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for label in (self.recall, self.hint):
            give_font(label, "secondary")
        self.recall.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.window_switch: ViewSwitch | None = None
        self.table = self._make_table()
        self.windows, self.cost, self.categories = WindowsPage(), CostPage(), CategoryPage()
        self.windows.window_chosen.connect(self.show_window)
        self._lay_out()
        self.details = Details(self)
        self.details.closed.connect(self.table.setFocus)
        self.show_recall("")
        self.show_found(None)

    # What is shown

    def show_questions(self, questions: Questions) -> None:
        """Show the open questions, if any."""
        self._questions = questions
        self._follows = False
        self.controls.show_questions(questions)
        self._gate.show_questions(questions)
        self.controls.set_possible(bool(questions.asked) and not self._trouble)
        self.show_recall("")

    def show_trouble(self, trouble: str) -> None:
        """Set the reason why the current scenario is refused, "" if it is not; it disables the search."""
        if trouble == self._trouble:
            return
        self._trouble = trouble
        self.controls.set_possible(bool(self._questions and self._questions.asked) and not trouble)
        self.recall_button.setEnabled(not trouble)

    def show_recall(self, words: str, tip: str = "") -> None:
        """Show the recall measured under the current setting; nothing while it is not measured."""
        self._stale = False
        self.recall.setEnabled(bool(words))
        self.recall.say(words)
        if tip:
            self.recall.setToolTip(tooltip(tip))

    def follow_recall(self) -> None:
        """Measure recall now, and again after every change of the setting."""
        self._follows = True
        self.refresh()
        self._ask_in_sight()

    def show_begun(self) -> None:
        """Show that a search has begun: results of an earlier one are dimmed until there are others."""
        self._failure = self._ending = ""
        self.controls.show_begun()
        self.table.set_empty_text(TRYING)
        for part in (self.table, self.windows, self.cost, self.details, self.categories):
            part.set_dimmed(True)
        self._say()

    def show_share(self, share: Share) -> None:
        """How far a search is, in cells."""
        self.controls.show_share(share)

    def show_ended(self, ending: str = "", failure: str = "") -> None:
        """Show that no search is running; `ending` is the reason of a cancelled search, `failure` of a failed one."""
        self._ending, self._failure = ending, failure
        has_focus = self.controls.cancel_button.hasFocus()
        self.controls.show_ended()
        self.categories.set_dimmed(False)
        self.show_found(self._found)
        if has_focus:  # the letters of the table apply what was found
            (self.table if self._rows else self.controls.windows).setFocus()

    def show_found(self, found: Searched | None) -> None:
        """Show the results so far; None for nothing."""
        is_new = found is not None and (self._found is None or found.recommendation is not self._found.recommendation)
        self._found = found
        if found is None or self._place >= len(found.windows):
            self._place = 0
        self.table.set_empty_text(self._ending or self._failure or NOT_RUN)
        self._show_switch(found)
        self._show_rows(is_new)
        is_old = found is not None and found.is_old
        self.table.set_dimmed(is_old)
        self.details.set_dimmed(is_old)
        self.controls.show_found(found is not None, is_old)
        self._say()

    def renew_found(self, found: Searched | None) -> None:
        """Show what another current setting makes of the results, if anything: called at every step of a slider."""
        before = self._found
        if found is None or before is None or _standing(found) != _standing(before):
            self.show_found(found)

    def show_window(self, place: int) -> None:
        """Show the settings for another window of the search."""
        if self._found is not None and place != self._place and 0 <= place < len(self._found.windows):
            self._place = place
            if self.window_switch is not None:
                self.window_switch.choose(place)
            self._show_rows(is_new=True)
            self._say()

    def _show_rows(self, is_new: bool) -> None:
        """Show the rows of the window; new results begin with the best."""
        found = self._found
        self._rows = policy_rows(found, self._place) if found is not None else ()
        self.table.policies.show_rows(self._rows)
        self.table.show_columns()
        if self._rows and (is_new or self.row is None):
            self.table.select_row(0)
        self.windows.show_found(found, self._place)
        self.cost.show_found(found, self._place)
        if self._rows:
            best = max(row.recall for row in self._rows if row.advice.setting.fits == 1 or row.number == 0)
            self.controls.best = f"best so far {percentage(best)}"
        self._show_row()

    def show_effect(self, row: PolicyRow, sentence: str) -> None:
        """Show what a setting changes in the open prompt."""
        if self.row == row:
            self._effect = sentence
            self.answer.show_row(row, sentence)

    def show_now(self, now: Scenario | None, trouble: str = "") -> None:
        """Take the current setting with its window; without one, because of `trouble`, nothing is asked by kind."""
        self._now = now
        self._show_settings(trouble)

    def _show_settings(self, trouble: str = "") -> None:
        """Ask by kind: the setting that the window was compared with, and the selected one; without results, now."""
        row = self.row
        if self.controls.is_running:
            return  # the search has the processor
        if row is not None and not row.found.is_old:
            settings = [row.window.current.scenario]
            settings += [] if row.advice.is_current else [row.setting]
        else:
            settings = [] if self._now is None else [self._now]
        self.categories.show_settings(settings, trouble)

    @property
    def pages(self) -> tuple[PlotPage, ...]:
        """The plots of the results."""
        return self.windows, self.cost, self.categories

    @property
    def row(self) -> PolicyRow | None:
        """The selected row."""
        number = self.table.current_row
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def can(self, act: str) -> bool:
        """Return whether an action of `ACTS` makes sense for the selected row."""
        row = self.row
        if row is None:
            return False
        if act in ("keep", "command"):
            return True
        return not row.is_now

    def act(self, name: str) -> None:
        """Emit an action of `ACTS` for the selected row."""
        row = self.row
        if row is not None and self.can(name):
            self.acted.emit(name, row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the details at the right."""
        super().resizeEvent(event)
        self._place_details()

    # What the user does

    def _open_details(self) -> None:
        if self.row is not None:
            self.details.show_row(self.row)
            self._place_details()
            self.details.show()
            self.details.raise_()
            self.details.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place_details(self) -> None:
        """Put the details at the right, beside the table and below it, as far as that can be seen."""
        seen = self.visibleRegion().boundingRect() or self.rect()
        top = self.answer.mapTo(self, QPoint(0, self.answer.height())).y()
        top = top if seen.top() <= top < seen.center().y() else seen.top()
        width = min(scaled(WIDTH), self.width())
        self.details.setGeometry(self.width() - width, top, width, seen.bottom() + 1 - top)

    def _ask(self) -> None:
        if self._follows:
            self.recall_requested.emit()
        else:
            self.show_recall("")

    def _dim(self) -> None:
        self.recall.setEnabled(False)

    def _show_side(self, number: int) -> None:
        """Show recall by window or by cost; both pages have the switch."""
        self._lefts.setCurrentIndex(number)
        for page in (self.windows, self.cost):
            page.side.choose(number)

    def _take_letter(self, letter: str) -> None:
        for name, _, key, _ in ACTS:
            if letter == key.lower():
                self.act(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the details by Escape."""
        if event.key() == Qt.Key.Key_Escape and self.details.isVisible():
            self.details.leave()
        else:
            super().keyPressEvent(event)

    def _show_menu(self, place: QPoint) -> None:
        menu = setting_menu(self.table, _ALL, self.act, self.can)
        menu.addSeparator()
        self.table.add_copying(menu)
        menu.addSeparator()
        columns = self.table.column_menu(menu)
        menu.addMenu(columns)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.table.viewport().mapToGlobal(place))

    def _show_more(self) -> None:
        menu = setting_menu(self, tuple(name for name in _ALL if name not in BUTTONS), self.act, self.can)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more_button.mapToGlobal(QPoint(0, self.more_button.height())))

    # Words

    def _show_row(self) -> None:
        row = self.row
        self._show_settings()
        for name in _ALL:
            self.answer.show_possible(name, self.can(name))
        self.more_button.setEnabled(row is not None)
        if row is None:
            self.details.hide()
            return
        if self.details.isVisible():
            self.details.show_row(row)
        self.answer.show_row(row, "" if row.advice.is_current else self._effect)
        self._effect = ""
        if not row.advice.is_current:
            self.effect_requested.emit(row)

    def _say(self) -> None:
        """Show the state of the results, or why no search is possible."""
        complaint = self._trouble or self._failure or self.controls.complaint
        found, questions = self._found, self._questions
        self.hint.setForegroundRole(QPalette.ColorRole.BrightText if complaint else QPalette.ColorRole.PlaceholderText)
        self.hint.say(complaint or (standing(found) if found else ""))  # an ending stands in the empty table
        if found is None and questions is not None:
            counts = f"{questions.words}. {questions.warnings or NOTHING_TRIED}"
            self.answer.show_words(TRYING if self.controls.is_running else QUESTION, counts)

    # Making

    def _make_recall_button(self) -> QPushButton:
        button = QPushButton(control_text("Measure recall now"))
        button.setObjectName("recommend_recall")
        button.setAccessibleName("Ask every question under the current setting")
        button.setToolTip(tooltip("Ask every question under the current setting"))
        button.setFlat(True)
        button.clicked.connect(self.follow_recall)
        return button

    def _make_table(self) -> PolicyTable:
        table = PolicyTable()
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.row_selected.connect(lambda _: self._show_row())
        table.row_activated.connect(lambda _: self._open_details())
        table.letter_pressed.connect(self._take_letter)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._show_menu)
        return table

    def _show_switch(self, found: Searched | None) -> None:
        """Offer the windows of the search, if there are several."""
        windows = [f"{each.context_window:,}" for each in found.windows] if found is not None else []
        if windows == self._offered_windows:
            return
        self._offered_windows = windows
        if self.window_switch is not None:
            self._strip.removeWidget(self.window_switch)
            self.window_switch.deleteLater()
            self.window_switch = None
        if len(windows) > 1:
            self.window_switch = ViewSwitch(windows, "Show the settings for {} tokens")
            self.window_switch.choose(self._place)
            self.window_switch.chosen.connect(self.show_window)
            self._strip.insertWidget(0, self.window_switch)

    def _lay_out(self) -> None:
        self.more_button = IconButton("ellipsis", "More that can be done with this setting")
        self.more_button.setObjectName("recommend_more")
        self.more_button.setFixedSize(scaled(24), scaled(24))
        self.more_button.clicked.connect(lambda _checked=False: self._show_more())
        self._strip = strip = QHBoxLayout()
        strip.setContentsMargins(4 * UNIT, 0, 4 * UNIT, UNIT)
        strip.setSpacing(2 * UNIT)
        strip.addWidget(self.hint, 1)
        strip.addWidget(self.recall)
        strip.addWidget(self.recall_button)
        strip.addWidget(self.more_button)
        split = Hairlines(Qt.Orientation.Vertical)
        split.setObjectName("recommend_split")
        split.addWidget(self.table)
        split.addWidget(self._below())
        split.setSizes([scaled(size) for size in _HEIGHTS])
        for part in range(2):
            split.setStretchFactor(part, 1)
        self.table.keep_rows(_LEAST_TABLE)
        filled = WrappingPane()
        inside = QVBoxLayout(filled)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self.controls)
        inside.addWidget(self.answer)
        inside.addLayout(strip)
        inside.addWidget(split, 1)
        self._gate = Gate(filled, PURPOSE)
        self._gate.open_requested.connect(self.open_requested)
        self._gate.add_requested.connect(self.add_requested)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._gate)

    def _below(self) -> QWidget:
        """Return the plots by window or cost, and by kind of question, side by side."""
        left = QWidget()
        self._lefts = Pages(left)
        self._lefts.addWidget(self.windows)
        self._lefts.addWidget(self.cost)
        for page in (self.windows, self.cost):
            page.side.chosen.connect(self._show_side)
        below = Hairlines(Qt.Orientation.Horizontal)
        below.addWidget(left)
        below.addWidget(self.categories)
        below.setStretchFactor(0, 1)
        below.setStretchFactor(1, 1)
        below.setMinimumHeight(scaled(_LEAST_BELOW))
        below.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        return below


def _standing(found: Searched) -> tuple[object, ...]:
    """Return all that a view shows of the relation of results to the current setting."""
    return id(found.recommendation), found.is_old, found.used_place, found.in_use, found.stopped
