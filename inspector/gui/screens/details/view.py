"""The details: the text of the selected item, why it is in the prompt or not, what would keep it, and its figures."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from inspector.analysis.explanation.solver import SmallestChange
from inspector.analysis.keeping.way import Keeping
from inspector.assembly.answer import Answer
from inspector.assembly.columns import Kind, phrase
from inspector.assembly.compaction import Compaction
from inspector.gui.screens.details.controls import MARGIN, MarginBar
from inspector.gui.screens.details.head import HEIGHT, Head
from inspector.gui.screens.details.item_text import ItemText
from inspector.gui.screens.details.told import Told
from inspector.gui.theme import GAP, UNIT, scaled, theme

TOTALS = "Where the tokens are"
LEAST_TEXT = 30 * UNIT
"""The least height of the text, in pixels; a shorter text takes less."""
MOST_TEXT = 300
"""The most while what is below has to be scrolled."""
SENTENCE = 16 * UNIT
"""The height of the reason that stays in sight below a text that was asked for as a whole."""
BESIDE = 160 * UNIT
"""From this width on, the text is beside the rest instead of above it."""


class Details(QWidget):
    """The text of an item above everything that is told of it; without an item, where the tokens are.

    `asked(name)` asks for a command of the head. All other signals are those of head and told.
    """

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("details")
        self._shown: tuple[Answer | None, int | None] = (None, None)
        self._summary: Compaction | None = None
        self.head, self.text, self.told = Head(self), ItemText(self), Told()
        self._area = QScrollArea(self)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidgetResizable(True)
        self._area.setWidget(self.told)
        self._area.viewport().setAutoFillBackground(False)
        self.told.setAutoFillBackground(False)
        self._bar = MarginBar(self._area, self)
        self.setAutoFillBackground(True)
        self.head.asked.connect(self._take)
        self.text.height_changed.connect(self._arrange)
        self._refresh()

    def show_item(
        self, answer: Answer | None, row: int | None, policy: object | None, last: Answer | None = None
    ) -> None:
        """Show a row of the answer's candidates; the whole answer if `row` is None.

        `policy` made the decisions; if it has a method `signals`, its ranking is written out. An answer without a
        prompt shows the reason above what is told of `last`, the last answer with a prompt of these items.
        """
        is_other = _id_of(answer, row) != _id_of(*self._shown)
        self._shown, self._summary = (answer, row), None
        self.text.show_item(answer, row)
        self.told.show_item(answer, row, policy, last)
        if is_other:
            self._area.verticalScrollBar().setValue(0)
        self._refresh()

    def show_summary(self, answer: Answer | None, number: int) -> None:
        """Show the `number`-th summary of the program in place of an item."""
        self.show_item(answer, None, None)
        if answer is not None:
            self._summary = answer.assembly.compactions[number - 1]
            self.told.show_summary(self._summary)
            self._refresh()

    def set_stale(self) -> None:
        """Dim what was found for an earlier prompt."""
        self.told.set_stale()

    def show_keeping(self, row: int, keeping: Keeping) -> None:
        """Show the ways that keep a row, if it is still shown."""
        if row == self._shown[1]:
            self.told.show_keeping(keeping)

    def show_changes(self, row: int, changes: Sequence[SmallestChange]) -> None:
        """Show the smallest changes of a row's outcome, if it is still shown."""
        if row == self._shown[1]:
            self.told.show_changes(changes)

    def show_cancelled(self, row: int) -> None:
        """Say that the search about a row was cancelled, if it is still shown."""
        if row == self._shown[1]:
            self.told.show_cancelled()

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the text until another item is shown, and bring the first of them into sight."""
        self.text.mark_words(words)

    def said(self) -> str:
        """Return the shown words without their formatting, but the text of the item."""
        return "\n".join(filter(None, (self.head.text(), self.told.text())))

    def sizeHint(self) -> QSize:
        """Return the width of the column."""
        return QSize(404, 800)

    def minimumSizeHint(self) -> QSize:
        """Return a width for cards, and a height for the head and some lines."""
        return QSize(60 * UNIT, 2 * HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_bar"):
            self.told.refresh()
            self._refresh()  # with the heights of larger or smaller text

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground, and hairlines between text and reason."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().base)
        if not self.text.isHidden():
            place = self.text.geometry()
            edge = QRect(0, place.bottom() + 1, self.width(), 1)
            if self._is_beside:
                edge = QRect(place.right() + 1, place.top(), 1, place.height())
            painter.fillRect(edge, theme().border)
        painter.end()

    @property
    def _is_beside(self) -> bool:
        return self.width() >= scaled(BESIDE)

    def _refresh(self) -> None:
        answer, row = self._shown
        if self._summary is not None:
            self.head.say(f"{phrase(Kind.SUMMARY).capitalize()} {self._summary.number:,} of the program")
        elif answer is None or row is None:
            self.head.say(TOTALS if answer is not None else "")
        else:
            self.head.show_item(answer, row)
        self.text.setVisible(answer is not None and row is not None)
        self._arrange()

    def _arrange(self) -> None:
        """Give each part its place: the text has the height that the rest leaves it."""
        width, height = self.width(), self.height()
        top = scaled(HEIGHT)
        self.head.setGeometry(0, 0, width, top)
        below = QRect(0, top, width, height - top)
        if not self.text.isHidden():
            if self._is_beside:
                self.text.offer_whole(False)
                self.text.setGeometry(0, top, width // 2, below.height())
                below.setLeft(width // 2 + 1)
            else:
                tall = self._text_height(width, below.height())
                self.text.offer_whole(tall < self.text.height_wanted(width))
                tall = self._whole_height(width, below.height()) if self.text.wants_whole else tall
                self.text.setGeometry(0, top, width, tall)
                below.setTop(top + tall + 1)
        self._area.setGeometry(below.adjusted(0, 0, -MARGIN, 0))
        self._bar.setGeometry(QRect(QPoint(below.right() + 1 - MARGIN, below.top()), QSize(MARGIN, below.height())))
        self.update()

    def _text_height(self, width: int, free: int) -> int:
        """Return the height of the text: as much as it wants, so that the reason and the ways stay in sight below.

        Where all fits, it is higher; where little fits, some lines are left to it. Tokens and fields, asked for by
        the user, have half of the height.
        """
        inside = width - 2 * MARGIN
        before = GAP + self.told.height_before_figures(inside) + GAP
        rest = before + self.told.height_of_figures(inside) + MARGIN
        parts = self.text.parts.height_wanted()
        least = free // 2 if self.text.is_tool_shown else min(scaled(LEAST_TEXT) + parts, 2 * free // 3)
        most = max(least, min(scaled(MOST_TEXT) + parts, free - before), free - rest)
        return min(self.text.height_wanted(width), most)

    def _whole_height(self, width: int, free: int) -> int:
        """Return the height of the text where the user asked for all of it: the sentence stays in sight below."""
        sentence = GAP + min(self.told.verdict.height_at(width - 2 * MARGIN), scaled(SENTENCE)) + GAP
        return min(self.text.height_wanted(width), max(free - sentence, scaled(LEAST_TEXT)))

    def _take(self, name: str) -> None:
        """Copy what is asked for; ask for everything else."""
        answer, row = self._shown
        if answer is None or row is None:
            return
        if name == "copy_text":
            QGuiApplication.clipboard().setText(self.text.plain_text())
        elif name == "copy_id":
            QGuiApplication.clipboard().setText(answer.assembly.candidates.ids[row])
        else:
            self.asked.emit(name)


def _id_of(answer: Answer | None, row: int | None) -> str | None:
    return None if answer is None or row is None else answer.assembly.candidates.ids[row]
