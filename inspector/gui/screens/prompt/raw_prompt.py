"""The finished prompt as the text given to the model, cut to a showable length, with "show more"."""

from PySide6.QtGui import QColor, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QTextEdit, QVBoxLayout, QWidget

from inspector.gui.palettes import blended
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.reading_pane import MOST_CODE_POINTS, put_text
from inspector.gui.parts.visible_text import shown_length
from inspector.gui.screens.prompt.rendered import PromptText
from inspector.gui.theme import PANEL_MARGIN, UNIT, give_font, theme
from inspector.visible_text import made_visible

CHARACTERS_AT_ONCE = 200_000


class RawPrompt(QWidget):
    """The rendered prompt; nothing is computed while hidden."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._prompt: PromptText | None = None
        self._begin, self._end = 0, CHARACTERS_AT_ONCE
        self._shown = ""
        self._row: int | None = None
        self._stale = False
        self._text = QPlainTextEdit(readOnly=True)
        self._text.setAccessibleName("The prompt as one text")
        self._text.setPlaceholderText("The prompt is being written…")
        self._text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        give_font(self._text, "fixed")
        self._cut = PlainLabel()
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

    def show_prompt(self, prompt: PromptText | None) -> None:
        """Show the text of a prompt; None if there is none yet."""
        if prompt is None or self._prompt is None:
            self._begin, self._end, self._row = 0, CHARACTERS_AT_ONCE, None
        self._prompt, self._stale = prompt, True
        self._catch_up()

    def show_row(self, row: int | None) -> None:
        """Mark the text of a candidate row and scroll to it."""
        if row != self._row or not self._stale:
            self._row = row
            self._stale = True
            self._catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()

    def _catch_up(self) -> None:
        if self._stale and self.isVisible():
            self._stale = False
            self._refresh()

    def _show_more(self) -> None:
        self._begin = max(0, self._begin - CHARACTERS_AT_ONCE)
        self._end += 5 * CHARACTERS_AT_ONCE
        self._stale = True
        self._catch_up()

    def _refresh(self) -> None:
        if self._prompt is None:
            self._set_text("")
            self._mark("", None)
            self._more.hide()
            return
        span = None if self._row is None else self._prompt.span(self._row)
        if span is not None and not self._begin <= span[0] <= span[1] <= self._end:
            self._begin = max(0, span[0] - CHARACTERS_AT_ONCE // 2) if span[1] > CHARACTERS_AT_ONCE else 0
            self._end = max(self._begin + CHARACTERS_AT_ONCE, min(span[1], self._begin + MOST_CODE_POINTS))
        text = self._prompt.text[self._begin : self._end]
        self._set_text(made_visible(text))
        self._cut.setText(f"Characters {self._begin + 1:,} to {self._begin + len(text):,} of the prompt.")
        self._more.setVisible(len(text) < len(self._prompt.text))
        self._mark(text, span)

    def _set_text(self, text: str) -> None:
        """Show a text, keeping the scroll position."""
        if text != self._shown:
            self._shown = text
            scrolled = self._text.verticalScrollBar().value()
            put_text(self._text, text)
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
