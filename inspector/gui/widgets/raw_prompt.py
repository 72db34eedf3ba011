"""The finished prompt as the one text that the model gets, cut to what can be shown, with "show more"."""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QTextEdit, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.gui.models.rendered import rendered_beginning, rendered_prompt, span_in_prompt
from inspector.gui.palettes import blended
from inspector.gui.theme import PANEL_MARGIN, UNIT, fixed_font, theme
from inspector.gui.widgets.visible_text import made_visible, shown_length
from inspector.tokens.chat_format import ChatFormat

CHARACTERS_AT_ONCE = 200_000
REST_MILLISECONDS = 120


class RawPrompt(QWidget):
    """The rendered prompt. While a slider moves the text waits until it rests; nothing is made while this is hidden."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: Answer | None = None
        self._format: ChatFormat | None = None
        self._begin, self._end = 0, CHARACTERS_AT_ONCE
        self._shown = ""
        self._row: int | None = None
        self._stale = False
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._catch_up)
        self._text = QPlainTextEdit(readOnly=True)
        self._text.setAccessibleName("The prompt as one text")
        self._text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self._text.setFont(fixed_font())
        self._cut = QLabel()
        more = QPushButton("Show more")
        more.setAccessibleName("Show more of the prompt")
        more.clicked.connect(self._show_more)
        self._more = QWidget()
        line = QHBoxLayout(self._more)
        line.setContentsMargins(PANEL_MARGIN, UNIT, PANEL_MARGIN, UNIT)
        line.addWidget(self._cut, 1)
        line.addWidget(more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._more)
        self._more.hide()

    def show_answer(self, answer: Answer | None, chat_format: ChatFormat | None) -> None:
        """Show the prompt of an answer as the chat format writes it."""
        known = self._answer is not None and answer is not None
        same = self._answer is not None and answer is not None and answer.assembly is self._answer.assembly
        changed = not same or chat_format != self._format
        self._answer, self._format = answer, chat_format
        if not changed:
            return
        if not known:
            self._begin, self._end, self._row = 0, CHARACTERS_AT_ONCE, None
        self._stale = True
        if self.isVisible():
            self._rest.start()

    def show_row(self, row: int | None) -> None:
        """Mark what stands for a row of the candidates and scroll to it."""
        if row != self._row or not self._stale:
            self._row = row
            self._stale = True
            self._catch_up()

    def whole_text(self) -> str:
        """The rendered prompt, all of it, as it is."""
        if self._answer is None or self._format is None:
            return ""
        return rendered_prompt(self._answer.assembly, self._format)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was asked for while this was hidden."""
        super().showEvent(event)
        self._catch_up()

    def _catch_up(self) -> None:
        if self._stale and self.isVisible():
            self._stale = False
            self._rest.stop()
            self._refresh()

    def _show_more(self) -> None:
        self._begin = max(0, self._begin - CHARACTERS_AT_ONCE)
        self._end += 5 * CHARACTERS_AT_ONCE
        self._stale = True
        self._catch_up()

    def _refresh(self) -> None:
        if self._answer is None or self._format is None:
            self._set_text("")
            self._more.hide()
            return
        assembly = self._answer.assembly
        span = None if self._row is None else span_in_prompt(assembly, self._format, self._row)
        if span is not None and not self._begin <= span[0] <= span[1] <= self._end:
            self._begin = max(0, span[0] - CHARACTERS_AT_ONCE // 2) if span[1] > CHARACTERS_AT_ONCE else 0
            self._end = max(self._begin + CHARACTERS_AT_ONCE, span[1])
        text, complete = rendered_beginning(assembly, self._format, self._end)
        text = text[self._begin :]
        self._set_text(made_visible(text))
        self._cut.setText(f"Characters {self._begin + 1:,} to {self._begin + len(text):,} of the prompt.")
        self._more.setVisible(self._begin > 0 or not complete)
        self._mark(text, span)

    def _set_text(self, text: str) -> None:
        """Show a text; the place that was scrolled to stays."""
        if text != self._shown:
            self._shown = text
            scrolled = self._text.verticalScrollBar().value()
            self._text.setPlainText(text)
            self._text.verticalScrollBar().setValue(scrolled)

    def _mark(self, text: str, span: tuple[int, int] | None) -> None:
        if span is None:
            self._text.setExtraSelections([])
            return
        start, end = (shown_length(made_visible(text[: place - self._begin])) for place in span)
        marking = QTextCharFormat()
        marking.setBackground(QColor(blended(theme().accent, theme().base, 0.25)))
        selection = QTextEdit.ExtraSelection()
        selection.format = marking
        selection.cursor = self._text.textCursor()
        selection.cursor.setPosition(start)
        selection.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self._text.setExtraSelections([selection])
        place = self._text.textCursor()
        place.setPosition(start)
        if not self._text.viewport().rect().contains(self._text.cursorRect(place)):
            self._text.setTextCursor(place)
            self._text.centerCursor()
