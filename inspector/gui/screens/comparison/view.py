"""The comparison view: the differences between the pinned baseline and now, grouped by the fate of the items."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.compare import NO_ROW, compare
from inspector.derived import cached_property
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.last_prompt import refusal
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.screens.comparison.model import NO_DIFFERENCE, ComparisonModel, summary_text, totals_text
from inspector.gui.screens.comparison.text_pane import TextPane
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import PANEL_MARGIN, UNIT

if TYPE_CHECKING:
    from inspector.gui.screens.comparison.recorded_pane import RecordedPane

TEXT, RECORDED = 1, 2
"""The numbers of the page with the texts and of the page with the recording."""
ITEMS_TIP = "What differs item by item"
TEXT_TIP = "What differs in the text of the prompt, message by message"
RECORDED_TIP = "What the program that wrote the file did with each message, beside what is done here"
NO_BASELINE = "Pin a baseline (B) to compare with it."


class _ItemsPage(QWidget):
    """A page that leaves the height to its table instead of asking for the table's preferred height."""

    def hasHeightForWidth(self) -> bool:
        """Return False: otherwise the stack would ask for the preferred height of all parts of the page."""
        return False


class ComparisonView(QWidget):
    """A summary, the tokens of every part and the table of changes; further pages for the texts and the recording.

    `row_selected` carries rows of the current candidates.
    """

    row_selected = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pending: tuple[Answer | None, Answer | None] | None = None
        self._model = ComparisonModel(self)
        self.summary, self.totals = PlainLabel(), PlainLabel()
        self.summary.setAccessibleName("Summary of the comparison")
        self.totals.setAccessibleName("Tokens of every part, before and after")
        self.table = ArrayTableView(self._model)
        self.table.setObjectName("comparison_table")
        self.table.setAccessibleName("Items that differ from the baseline")
        self.table.row_selected.connect(self._tell_row)
        tips = (ITEMS_TIP, TEXT_TIP, RECORDED_TIP)
        self.switch = ViewSwitch(("Items", "Text", "Recorded"), "Compare by {}", self, tips)
        self.texts = TextPane()
        self._answer: Answer | None = None
        self._pages = QStackedWidget()
        self.switch.chosen.connect(self._turn)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, UNIT, 0, 0)
        whole.setSpacing(UNIT)
        top = WrappingRow()
        top.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
        top.setSpacing(UNIT)
        top.addWidget(self.switch)
        top.addWidget(self.texts.head)
        top.addStretch()
        self.texts.head.hide()
        whole.addLayout(top)
        # The wrapping row above makes the dock ask for the preferred height of all; the pages take the rest.
        self._pages.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        whole.addWidget(self._pages, 1)
        items = _ItemsPage()
        self._pages.addWidget(items)
        self._pages.addWidget(self.texts)
        layout = QVBoxLayout(items)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        for label in (self.summary, self.totals):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
            layout.addWidget(label)
        layout.addWidget(self.table, 1)
        self._compare(None, None)

    @cached_property
    def recorded(self) -> "RecordedPane":
        """The page of the recording, made on first use."""
        from inspector.gui.screens.comparison.recorded_pane import RecordedPane

        pane = RecordedPane()
        pane.row_selected.connect(self.row_selected)
        pane.show_answer(self._answer)
        self._pages.addWidget(pane)
        return pane

    def show_answer(self, answer: Answer | None) -> None:
        """Show an answer beside its recording, once the page exists."""
        self._answer = answer
        if "recorded" in vars(self):
            self.recorded.show_answer(answer)

    def _turn(self, page: int) -> None:
        if page == RECORDED:
            self._pages.setCurrentWidget(self.recorded)
        else:
            self._pages.setCurrentIndex(page)
        self.texts.head.setVisible(page == TEXT)

    def show_recorded(self) -> None:
        """Turn to the page of the recording."""
        self.switch.choose(RECORDED)

    def show_comparison(self, before: Answer | None, after: Answer | None) -> None:
        """Compare two answers: at once if the view is visible, otherwise when it becomes visible."""
        self._pending = (before, after)
        if self.isVisible():
            self._catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()

    def _catch_up(self) -> None:
        if self._pending is not None:
            before, after = self._pending
            self._pending = None
            self._compare(before, after)

    def _compare(self, before: Answer | None, after: Answer | None) -> None:
        why = refusal(after) or refusal(before)
        comparison = compare(before.assembly, after.assembly) if before and after and not why else None
        self.table.set_empty_text(NO_DIFFERENCE if comparison is not None else why if before and why else NO_BASELINE)
        self.summary.setVisible(comparison is not None and len(comparison) > 0)
        self.summary.setText("" if comparison is None else summary_text(comparison))
        self.totals.setVisible(comparison is not None)
        self.totals.setText(totals_text(before, after) if before and after and not why else "")
        self._model.show_comparison(comparison)

    def next_change(self) -> None:
        """Go to the next difference on the current page: an item, a change of the text or a recorded message."""
        self._stepped.step(1)

    def previous_change(self) -> None:
        """Go to the previous difference."""
        self._stepped.step(-1)

    @property
    def _stepped(self) -> ArrayTableView | TextPane:
        page = self._pages.currentIndex()
        if page == RECORDED:
            return self.recorded.table
        return self.texts if page == TEXT else self.table

    def _tell_row(self, place: int) -> None:
        comparison = self._model.subject
        row = int(comparison.rows_after[place]) if comparison is not None else NO_ROW
        if row != NO_ROW:
            self.row_selected.emit(row)
