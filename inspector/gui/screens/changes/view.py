"""The changes from one setting to another: a summary, what differs in settings and parts, and the items."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.compare import compare
from inspector.assembly.compare_tables import item_id
from inspector.assembly.side_by_side import settings_that_differ
from inspector.derived import cached_property
from inspector.gui.parts.asking_view import EmptyState
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.last_prompt import refusal
from inspector.gui.parts.side_boxes import SideBoxes
from inspector.gui.parts.texts import tooltip
from inspector.gui.screens.changes.model import NO_DIFFERENCE, ComparisonModel, settings_text, summary_text, totals_text
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import give_font, scaled

if TYPE_CHECKING:
    from inspector.gui.screens.changes.recorded_pane import RecordedPane

NO_BASELINE = (
    "Nothing to compare with yet",
    "Set a baseline, change something, and see here what came in and what left.",
)
ITEMS, EMPTY = range(2)
"""The first pages."""
_ROW = 44


class _ItemsPage(QWidget):
    """A page that leaves the height to its table instead of asking for the table's preferred height."""

    def hasHeightForWidth(self) -> bool:
        """Return False: otherwise the stack would ask for the preferred height of all parts of the page."""
        return False


class ChangesView(QWidget):
    """The two sides, a summary, the tokens of every part and the table of changes; or the recording beside one side.

    `item_selected` carries the id of an item, which now may lack; `baseline_requested` asks for a baseline.
    """

    item_selected = Signal(str)
    baseline_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pending: tuple[Answer | None, Answer | None] | None = None
        self._model = ComparisonModel(self)
        self.boxes = SideBoxes("changes", "Compare")
        self.summary = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        give_font(self.summary, "title")
        self.summary.setAccessibleName("Summary of the changes")
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.totals, self.settings = ElidedLabel(alignment=left), ElidedLabel(alignment=left)
        self.totals.setAccessibleName("Tokens of every part, before and after")
        self.settings.setAccessibleName("Settings that differ")
        self.table = ArrayTableView(self._model)
        self.table.setObjectName("comparison_table")
        self.table.setAccessibleName("Items that differ")
        self.table.setFrameShape(ArrayTableView.Shape.NoFrame)
        self.table.row_selected.connect(self._tell_row)
        self._pages = QStackedWidget()
        self._lay_out()
        self._compare(None, None)

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(scaled(12), 0, scaled(16), 0)
        top.setSpacing(scaled(8))
        top.addWidget(self.boxes)
        top.addWidget(self.summary, 1)
        for icon, words, by in (
            ("chevron-up", "Previous change ([)", -1),
            ("chevron-down", "Next change (])", 1),
        ):
            button = IconButton(icon, words)
            button.setFixedSize(scaled(28), scaled(28))
            button.clicked.connect(lambda _=False, by=by: self.step(by))
            top.addWidget(button)
        row = QWidget()
        row.setFixedHeight(scaled(_ROW))
        row.setLayout(top)
        whole.addWidget(row)
        self._pages.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        whole.addWidget(self._pages, 1)
        items = _ItemsPage()
        self._pages.addWidget(items)
        layout = QVBoxLayout(items)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(scaled(4))
        for label in (self.totals, self.settings):
            give_font(label, "secondary")
            label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
            label.setContentsMargins(scaled(16), 0, scaled(16), 0)
            layout.addWidget(label)
        layout.addWidget(self.table, 1)
        self._pages.addWidget(EmptyState(*NO_BASELINE, [("Set baseline", self.baseline_requested.emit)]))

    @cached_property
    def recorded(self) -> "RecordedPane":
        """The page of the recording, made on first use."""
        from inspector.gui.screens.changes.recorded_pane import RecordedPane

        pane = RecordedPane()
        pane.item_selected.connect(self.item_selected)
        self._pages.addWidget(pane)
        return pane

    def forget(self) -> None:
        """Forget everything that was compared."""
        self._pending = None
        self._compare(None, None)
        if "recorded" in vars(self):
            self.recorded.forget()

    def show_recorded(self, answer: Answer | None) -> None:
        """Show an answer beside the recording."""
        self._pending = None
        self.recorded.show_answer(answer)
        self._pages.setCurrentWidget(self.recorded)
        self.summary.say("")

    def show_comparison(self, before: Answer | None, after: Answer | None) -> None:
        """Compare two answers: at once if the view is visible, otherwise when it becomes visible."""
        self._pages.setCurrentIndex(EMPTY if before is None and after is not None else ITEMS)
        self._pending = (before, after)
        if self.isVisible():
            self._catch_up()

    def show_trouble(self, sentence: str) -> None:
        """Say why there is nothing to compare."""
        self._pages.setCurrentIndex(ITEMS)
        self._compare(None, None)
        self.table.set_empty_text(sentence)

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
        self.table.set_empty_text(NO_DIFFERENCE if comparison is not None else why if before and why else "")
        self.summary.say("" if comparison is None else summary_text(comparison))
        self.totals.setVisible(comparison is not None)
        _tell(self.totals, totals_text(before, after) if before and after and not why else "")
        settings = settings_text(settings_that_differ((before, after))) if before and after and not why else ""
        self.settings.setVisible(bool(settings))
        _tell(self.settings, settings)
        self._model.show_comparison(comparison)

    def step(self, by: int) -> None:
        """Go to the next or the previous difference: an item, or a recorded message."""
        self._stepped.step(by)

    @property
    def _stepped(self) -> ArrayTableView:
        is_recorded = "recorded" in vars(self) and self._pages.currentWidget() is self.recorded
        return self.recorded.table if is_recorded else self.table

    def _tell_row(self, place: int) -> None:
        if (comparison := self._model.subject) is not None:
            self.item_selected.emit(item_id(comparison, place))


def _tell(label: ElidedLabel, text: str) -> None:
    """Show a line of any length: as much as fits, and all of it in the tooltip."""
    label.setText(text)
    label.setToolTip(tooltip(text, wraps=True))
