"""The recommend view: current recall, the search with its controls, a line for each window, and its details."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QLayout, QPushButton, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from inspector.analysis.basis import Share
from inspector.analysis.recall.probes import reasons_of
from inspector.analysis.recommend.searched import Questions, Searched
from inspector.analysis.recommend.sentences import NOTHING_TRIED, standing
from inspector.analysis.recommend.tried import Bench
from inspector.assembly.scenario import Scenario
from inspector.figures import counted
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.labels import ElidedLabel, Hint
from inspector.gui.parts.page import Pages
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.parts.wrapping_row import WrappingPane, WrappingRow
from inspector.gui.screens.recommend.category_page import CategoryPage
from inspector.gui.screens.recommend.controls import SearchControls
from inspector.gui.screens.recommend.cost_page import CostPage
from inspector.gui.screens.recommend.details import Details
from inspector.gui.screens.recommend.knob_page import KnobPage
from inspector.gui.screens.recommend.menu import ACTS, advice_menu
from inspector.gui.screens.recommend.model import AdviceModel
from inspector.gui.screens.recommend.pair_page import PairPage
from inspector.gui.screens.recommend.plot_page import PlotPage
from inspector.gui.screens.recommend.question_list import QuestionList
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, row_height

NOTHING_OPEN = (
    "Which settings keep most of what questions need, and how sure that is. "
    "Open saved chats (Ctrl+O), and probes: questions with the items that their answers need."
)
NO_PROBES = (
    "A probe is a question with the items that its answer needs. Add a file of them (prompt-inspector/probes@1, "
    "as YAML, JSON or JSONL), or open LoCoMo, whose questions are probes. Or make one: select in the table what a "
    "question needs, with the message that asks, and press Q."
)
TABS = ("Windows", "Knobs", "Two knobs", "Cost", "Categories", "Questions")
NOT_STARTED = "What is recommended for each window is shown here."
_LEAST_ROWS = 3


class RecommendView(AskingView):
    """The view searches for nothing itself; its signals carry the user's wishes.

    `start_requested(terms)`, `cancel_requested`, `recall_requested`, `acted(name, window)` for an action of `ACTS` and
    the place of a window, `open_requested`, `add_requested`. After the first request for recall, every refresh repeats
    it.
    """

    start_requested = Signal(object)
    cancel_requested = Signal()
    recall_requested = Signal()
    acted = Signal(str, int)
    open_requested = Signal()
    add_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: Searched | None = None
        self._questions: Questions | None = None
        self._now: Scenario | None = None
        self._trouble = self._failure = self._ending = ""
        self._follows = self._is_divided = False
        self._model = AdviceModel(self)
        self.recall = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.recall.setAccessibleName("Recall under the current setting")
        self.recall_button = self._button("Measure", "recommend_recall", "Ask every question under the current setting")
        self.recall_button.clicked.connect(self._ask_for_recall)
        self.act_buttons = {name: self._act_button(name, words, key, help_) for name, words, key, help_ in ACTS}
        self.controls = SearchControls()
        self.controls.start_requested.connect(self.start_requested)
        self.controls.cancel_requested.connect(self.cancel_requested)
        self.controls.changed.connect(self._say)
        self.hint = Hint(lines=2)
        self.table = self._make_table()
        self.details = Details()
        self.knobs, self.pair = KnobPage(), PairPage()
        self.cost, self.categories, self.list = CostPage(), CategoryPage(), QuestionList()
        self.tabs = ViewSwitch(TABS, "Show {}", wraps=True)
        self._lay_out()
        self.show_recall("")
        self.show_found(None)

    # What is shown

    def show_questions(self, questions: Questions) -> None:
        """Show the open questions, if any."""
        self._questions = questions
        self._follows = False
        self.list.show_questions(questions)
        self._pages.setCurrentWidget(self._page_of(questions))
        self.controls.set_possible(bool(questions.asked))
        self.show_recall("")

    def show_trouble(self, trouble: str) -> None:
        """Set the reason why the current scenario is refused, "" if it is not; a refused scenario disables the
        search.
        """
        self._trouble = trouble
        self.controls.set_possible(bool(self._questions and self._questions.asked) and not trouble)
        self.recall_button.setEnabled(not trouble)

    def show_recall(self, words: str, tip: str = "") -> None:
        """Show the recall measured under the current setting; "" if it is not measured."""
        self._stale = False
        number = len(self._questions.asked) if self._questions else 0
        self.recall.setEnabled(bool(words))
        self.recall.say(words or f"Recall now: not measured, of {number:,} question{'' if number == 1 else 's'}")
        if tip:
            self.recall.setToolTip(tooltip(tip))

    def show_begun(self) -> None:
        """Show that a search has begun."""
        self._failure = self._ending = ""
        self.controls.show_begun()
        self.show_found(None)
        self.table.set_empty_text("Trying settings …")

    def show_share(self, share: Share) -> None:
        """How far a search is, in cells."""
        self.controls.show_share(share)

    def show_ended(self, ending: str = "", failure: str = "") -> None:
        """Show that no search is running; `ending` is the reason of a cancelled search, `failure` of a failed one."""
        self._ending, self._failure = ending, failure
        self.controls.show_ended()
        self.table.set_empty_text(ending or failure or NOT_STARTED)
        self._say()

    def show_found(self, found: Searched | None) -> None:
        """Show the results so far; None for nothing."""
        self._found = found
        self.table.set_empty_text(NOT_STARTED)
        is_other = found is not None and len(found.windows) != self._model.rowCount()
        self._model.show_found(found)
        if is_other:
            self._divide()
        if found is not None and self.place is None:
            self.table.select_row(0)
        is_old = found is not None and found.is_old
        self.table.set_dimmed(is_old)
        self.details.set_dimmed(is_old)
        self._show_window()
        self._say()

    def show_bench(self, bench: Bench | None, trouble: str = "") -> None:
        """Show the settings to try around the current setting; None if there are none, because of `trouble`."""
        self._now = bench.setting if bench else None
        for page in (self.knobs, self.pair):
            page.show_bench(bench, trouble)
        self._show_settings(trouble)

    def _show_settings(self, trouble: str = "") -> None:
        """Show the current setting by category, and the selected window's if it differs."""
        place, found = self.place, self._found
        then = [found.recommended(place)] if found is not None and place is not None and found.in_use != place else []
        now = [] if self._now is None else [self._now]
        others = [each for each in then if each not in now] if now else []
        self.categories.show_settings([*now, *others], trouble)

    @property
    def pages(self) -> tuple[PlotPage, ...]:
        """The pages with plots, in the order of the tabs after the first."""
        return self.knobs, self.pair, self.cost, self.categories

    @property
    def place(self) -> int | None:
        """The place of the selected window."""
        row = self.table.current_row
        return row if self._found is not None and 0 <= row < len(self._found.windows) else None

    def can(self, act: str) -> bool:
        """Return whether an action of `ACTS` makes sense for the selected window."""
        place, found = self.place, self._found
        if place is None or found is None:
            return False
        is_other = found.windows[place].best != found.windows[place].current
        return act in ("keep", "command") or (is_other and found.in_use != place)

    def act(self, name: str) -> None:
        """Emit an action of `ACTS` for the selected window."""
        if self.can(name) and self.place is not None:
            self.acted.emit(name, self.place)

    def _divide(self) -> None:
        """Give the table the height of its rows and the details the rest, unless the user moved the splitter."""
        if not self._is_divided:
            rows = (self._model.rowCount() + 1) * row_height(self.table) + self.table.horizontalHeader().height()
            self.split.setSizes([rows, max(self.split.height() - rows, rows)])

    # What a person does

    def _take_division(self) -> None:
        self._is_divided = True

    def _ask_for_recall(self) -> None:
        self._follows = True
        self.refresh()
        self._ask_in_sight()

    def _ask(self) -> None:
        if self._follows:
            self.recall_requested.emit()
        else:
            self.show_recall("")

    def _dim(self) -> None:
        self.recall.setEnabled(False)

    def _take_letter(self, letter: str) -> None:
        for name, _, key, _ in ACTS:
            if letter == key.lower():
                self.act(name)

    def _show_menu(self, place: QPoint) -> None:
        menu = advice_menu(self.table, self.act, self.can)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.table.viewport().mapToGlobal(place))

    # Words

    def _show_window(self) -> None:
        self.details.setVisible(self.place is not None)
        found = self._found if self.place is not None else None
        self.details.show_window(found, self.place or 0)
        self.cost.show_found(found, self.place or 0)
        self._show_settings()
        for name, button in self.act_buttons.items():
            button.setEnabled(self.can(name))

    def _say(self) -> None:
        """Show the state of the table, or why no search is possible."""
        complaint = self._trouble or self._failure or self.controls.complaint
        found, questions = self._found, self._questions
        said = standing(found) if found else self._ending
        if questions is not None and not said:
            said = f"{questions.words}. {questions.warnings or NOTHING_TRIED}"
        self.hint.setForegroundRole(QPalette.ColorRole.BrightText if complaint else QPalette.ColorRole.PlaceholderText)
        self.hint.say(complaint or said)

    def _page_of(self, questions: Questions) -> QWidget:
        if not questions.is_open:
            return self._nothing_open
        if questions.asked:
            return self._filled
        skipped = questions.skipped
        none = f"Of {counted(len(skipped), 'open question')} none can be asked: {reasons_of(skipped)}. {NO_PROBES}"
        self._no_probes.set_sentence(none if skipped else NO_PROBES)
        return self._no_probes

    # Making

    def _button(self, text: str, name: str, help_: str) -> QPushButton:
        button = QPushButton(control_text(text))
        button.setObjectName(name)
        button.setAccessibleName(help_)
        button.setToolTip(tooltip(help_))
        return button

    def _act_button(self, name: str, words: str, key: str, help_: str) -> QPushButton:
        button = self._button(words, f"recommend_{name}", f"{help_} ({key} in the table)")
        button.clicked.connect(lambda _checked=False: self.act(name))
        return button

    def _make_table(self) -> ArrayTableView:
        table = ArrayTableView(self._model)
        table.setObjectName("recommend_table")
        table.setAccessibleName("What is recommended for each window")
        table.setSortingEnabled(True)
        table.horizontalHeader().setSortIndicatorClearable(True)
        table.sort_by("")
        table.row_selected.connect(lambda _: self._show_window())
        table.row_activated.connect(lambda _: self.act("apply"))
        table.letter_pressed.connect(self._take_letter)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._show_menu)
        return table

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(GAP)
        head.addWidget(self.recall, 1)
        head.addWidget(self.recall_button)
        middle = WrappingRow()
        middle.addWidget(self.tabs)
        middle.addStretch()
        acts, together = QWidget(), WrappingRow()  # so that none of them is alone in another line
        for button in self.act_buttons.values():
            together.addWidget(button)
        acts.setLayout(together)
        middle.addWidget(acts)
        self._filled = WrappingPane()
        top = QVBoxLayout()
        top.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, 0)
        top.setSpacing(UNIT)
        for line in (head, self.controls, self.hint, middle):
            top.addLayout(line) if isinstance(line, QLayout) else top.addWidget(line)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.table)
        self.split.addWidget(self.details)
        # What it would like to have is no reason to scroll the whole: it takes what there is.
        self.split.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.split.splitterMoved.connect(lambda *_: self._take_division())
        self.split.setStretchFactor(1, 1)
        for part in (self.table, self.details):
            part.setMinimumHeight(_LEAST_ROWS * row_height(self.table))
        inside = QVBoxLayout(self._filled)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(UNIT)
        inside.addLayout(top)
        holder = QWidget()
        holder.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._shown = Pages(holder)
        # Where there is less, the whole is scrolled: the parts of a splitter would lie over each other.
        holder.setMinimumHeight(self.split.minimumSizeHint().height())
        for page in (self.split, *self.pages, self.list):
            self._shown.addWidget(page)
        self.tabs.chosen.connect(self._shown.setCurrentIndex)
        inside.addWidget(holder, 1)
        self._nothing_open = EmptyState("Nothing is open", NOTHING_OPEN, (("Open…", self.open_requested.emit),))
        self._no_probes = EmptyState("No questions are open", NO_PROBES, (("Add…", self.add_requested.emit),))
        self._pages = Pages(self)
        for page in (self._nothing_open, self._no_probes, self._filled):
            self._pages.addWidget(page)
