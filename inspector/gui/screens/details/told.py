"""The text below an item: its sentence, the ways to keep it, its figures and the smallest changes."""

from collections.abc import Sequence

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.analysis.explanation.solver import SmallestChange
from inspector.analysis.keeping.way import Keeping
from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, State
from inspector.assembly.compaction import Compaction
from inspector.assembly.explain import decider_of
from inspector.assembly.summary_items import row_of_summary
from inspector.gui.parts.last_prompt import OF_BEFORE, refusal
from inspector.gui.parts.page import paragraph, plain, verdict
from inspector.gui.screens.details.cards import WaysToKeep
from inspector.gui.screens.details.changes import CANCELLED, SEARCHING, changes_page
from inspector.gui.screens.details.controls import MARGIN
from inspector.gui.screens.details.figures import figures_page
from inspector.gui.screens.details.growing_page import GrowingPage
from inspector.gui.screens.details.totals import Totals
from inspector.gui.screens.details.verdict import (
    DECIDER_LINK,
    INCLUDE_LINK,
    SUMMARY_LINK,
    TOLD_LINK,
    summary_page,
    verdict_page,
)
from inspector.gui.theme import GAP, theme

EMPTY = "Open a conversation to see here what its prompt is made of, and why each item is in it or not."


class Told(QWidget):
    """The sentence about an item, the ways to keep it and its figures; without an item, the totals of the answer.

    `row_selected(row)` asks for an item that is named, `include_requested` to use the item again,
    `way_taken(way)` and `change_requested(parameter, value)` for a change, `more_asked` for all ways to keep the item,
    `several_asked` for those to keep several, and `line_chosen(target)` for a line of the totals.
    """

    row_selected = Signal(int)
    include_requested = Signal()
    way_taken = Signal(object)
    change_requested = Signal(str, object)
    more_asked = Signal()
    several_asked = Signal()
    line_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("explanation")
        self.setAccessibleName("Explanation")
        self._answer: Answer | None = None
        self._last: Answer | None = None
        self._row: int | None = None
        self._summary: Compaction | None = None
        self._policy: object | None = None
        self._item: tuple[str, str] | None = None
        self._changes: Sequence[SmallestChange] = ()
        self.verdict = GrowingPage("Why")
        self.ways = WaysToKeep()
        self.figures = GrowingPage("Figures of the item")
        self._changes_page = GrowingPage("What would change it")
        self.totals = Totals()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(MARGIN, GAP, 0, MARGIN)
        self._layout.setSpacing(GAP)
        for widget in (self.verdict, self.ways, self.figures, self._changes_page, self.totals):
            self._layout.addWidget(widget)
        self._layout.addStretch(1)
        self.verdict.anchorClicked.connect(self._follow)
        self._changes_page.anchorClicked.connect(self._follow)
        self.ways.taken.connect(lambda number: self.way_taken.emit(self.ways.ways[number]))
        self.ways.more_asked.connect(self.more_asked)
        self.ways.several_asked.connect(self.several_asked)
        self.ways.row_selected.connect(self.row_selected)
        self.totals.chosen.connect(self.line_chosen)
        self.refresh()

    def show_item(self, answer: Answer | None, row: int | None, policy: object | None, last: Answer | None) -> None:
        """Show a row of the answer's candidates, or the whole answer if `row` is None.

        An answer without a prompt shows its reason above the text for `last`, the last answer with a prompt of these
        items.
        """
        self._answer, self._row, self._policy, self._last = answer, row, policy, last
        self._changes, self._summary = (), None
        item = None if answer is None or row is None else _key_of(answer, row)
        if item != self._item:
            self._item = item
            self.ways.show_search()
            is_kept = self._open_action is Action.KEPT
            self._changes_page.show_page(paragraph(SEARCHING, theme().second_text) if is_kept else "")
        self.refresh()

    def show_summary(self, summary: Compaction) -> None:
        """Show a summary of the program in place of an item."""
        self._summary = summary
        self.refresh()

    def set_stale(self) -> None:
        """Dim the findings for an earlier prompt."""
        self.ways.set_stale()

    def show_keeping(self, keeping: Keeping) -> None:
        """Show the ways that keep the item."""
        if self._answer is not None:
            self.ways.show_keeping(keeping, self._answer.assembly.candidates)

    def show_changes(self, changes: Sequence[SmallestChange]) -> None:
        """Show the smallest changes of its outcome; changes that keep it are among the ways above."""
        self._changes = changes
        without = Action.KEPT if self.looks_for_ways else None
        is_open = self._policy is not None and self._open_action is not None
        self._changes_page.show_page(changes_page(changes, self._policy, without) if is_open else "")

    def show_cancelled(self) -> None:
        """Say that the search was cancelled."""
        self.ways.show_cancelled()
        if not self.looks_for_ways:
            self._changes_page.show_page(paragraph(CANCELLED, theme().second_text))

    @property
    def looks_for_ways(self) -> bool:
        """Whether the item could be kept, and is not, or not as a whole."""
        action = self._open_action
        return action is not None and action is not Action.KEPT

    @property
    def _open_action(self) -> Action | None:
        """The outcome of the item, None where no policy decides about it."""
        answer, row = self._answer, self._row
        if answer is None or row is None or refusal(answer):
            return None
        assembly = answer.assembly
        is_open = assembly.candidates.state[row] == State.OPEN
        return Action(int(assembly.action[row])) if is_open else None

    def refresh(self) -> None:
        """Show everything again, as in other colours."""
        answer, row = self._answer, self._row
        self.ways.setVisible(self.looks_for_ways)
        self.figures.setVisible(row is not None)
        if answer is None:
            self.verdict.show_page(paragraph(EMPTY, theme().second_text))
            self.totals.hide()
            return
        told = self._last if refusal(answer) else answer
        if row is None:
            self._changes_page.show_page("")
            self.verdict.show_page(self._refused(told) + (summary_page(self._summary) if self._summary else ""))
        else:
            sentence = verdict_page(told.assembly, row, told is not answer) if told is not None else ""
            self.verdict.show_page(self._refused(told) + sentence)
            ink = theme().text if told is answer else theme().muted_text
            self.figures.show_page(figures_page(told, row, self._policy) if told is not None else "", ink)
        shows_totals = row is None and self._summary is None and told is not None
        self.totals.setVisible(shows_totals)
        if shows_totals and told is not None:
            self.totals.show_answer(told, is_before=told is not answer)

    def text(self) -> str:
        """Return the shown text without its formatting."""
        pages = [self.verdict.toPlainText() if not self.verdict.isHidden() else ""]
        if not self.ways.isHidden():
            pages.append(self.ways.text())
        pages += [page.toPlainText() for page in (self.figures, self._changes_page) if not page.isHidden()]
        if not self.totals.isHidden():
            pages.append(self.totals.text())
        return "\n".join(filter(None, pages))

    def height_before_figures(self, width: int) -> int:
        """Return the height of sentence and ways at this width, whether or not these are found already."""
        ways = GAP + self.ways.reserved_height() if self.looks_for_ways else 0
        return self.verdict.height_at(width) + ways

    def height_of_figures(self, width: int) -> int:
        """Return the height of the figures at this width."""
        return GAP + self.figures.height_at(width)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a hairline above the figures."""
        if not self.figures.isHidden():
            painter, top = QPainter(self), self.figures.y() - GAP // 2 - 1
            painter.fillRect(self.figures.x(), top, self.figures.width(), 1, theme().border)
            painter.end()

    def _refused(self, told: Answer | None) -> str:
        """Return the reason for a missing prompt, and the subject of the rest; "" with a prompt."""
        why = refusal(self._answer)
        if not why:
            return ""
        reason = verdict(plain(why), theme().error)
        return reason + (paragraph(OF_BEFORE, theme().muted_text) if told is not None else "")

    def _follow(self, target: QUrl) -> None:
        """Go to the item behind a link, or ask for its change."""
        if target.toString() == DECIDER_LINK:
            self._go_to_decider()
        elif target.toString() == INCLUDE_LINK:
            self.include_requested.emit()
        elif target.toString() == SUMMARY_LINK:
            self._go_to_summary()
        elif target.toString() == TOLD_LINK and self._summary is not None:
            self.line_chosen.emit(f"into:{self._summary.id}")
        else:
            number = int(target.path())
            if number < len(self._changes):
                change = self._changes[number]
                self.change_requested.emit(change.parameter, change.value)

    def _go_to_decider(self) -> None:
        answer = self._last if refusal(self._answer) else self._answer
        decider = None if answer is None or self._row is None else decider_of(answer.assembly, self._row)
        if decider is not None:
            self.row_selected.emit(decider.row)

    def _go_to_summary(self) -> None:
        """Ask for the summary behind the shown item."""
        answer = self._last if refusal(self._answer) else self._answer
        if answer is None:
            return
        into, row = answer.assembly.into, self._row
        number = self._summary.into if self._summary else 0 if into is None or row is None else int(into[row])
        if number:
            self.row_selected.emit(row_of_summary(answer.assembly, number))


def _key_of(answer: Answer, row: int) -> tuple[str, str]:
    """Return the conversation and the id of an item, the same while it is asked about with other settings."""
    items = answer.assembly.candidates.items
    return items.conversation.id if items.conversation else "", answer.assembly.candidates.ids[row]
