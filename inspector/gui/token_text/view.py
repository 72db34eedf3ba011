"""The tokens of a text: the text coloured by token beside the list of ids, linked with each other."""

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import overload

import numpy as np
from PySide6.QtCore import QObject, QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.parts.asking_view import EmptyState
from inspector.gui.parts.labels import Hint, PlainLabel
from inspector.gui.parts.panes import Panes
from inspector.gui.parts.texts import tooltip
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.tasks import Tasks
from inspector.gui.theme import GAP, UNIT
from inspector.gui.token_text.text import TokenText
from inspector.tokens.shown.tokens import (
    ESTIMATE,
    TOKEN_COLUMNS,
    ShownTokens,
    Stretch,
    shown_tokens,
    summary,
    token_line,
    without_tokens,
)
from inspector.tokens.tokenizer import Tokenizer


class TokenNumbers(Sequence[str]):
    """The numbers of tokens as row ids, made on demand."""

    def __init__(self, count: int) -> None:
        self._numbers = range(count)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        return list(map(str, self._numbers[place])) if isinstance(place, slice) else str(self._numbers[place])


class TokenTableModel(ArrayTableModel[ShownTokens]):
    """A row for each token."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(TOKEN_COLUMNS, parent)

    def show_tokens(self, shown: ShownTokens) -> None:
        """List the tokens of a text."""
        self.show(shown, np.arange(len(shown)), TokenNumbers(len(shown)))

    def rows_of(self, ids: Set[str]) -> dict[str, int]:
        """Return nothing: another text has other tokens, whatever their numbers."""
        return {}


NOTHING = "The text that you select is shown here, coloured by token, with the id of each."
READING = "Tokens are being read…"
EMPTY_TEXT = "This text is empty: it has no tokens."
# How long the previous contents stay while a worker reads, so that short texts do not flicker.
_PATIENCE_MILLISECONDS = 150
_NO_TOKEN = -1

_Asked = tuple[Iterable[Stretch], Tokenizer]


class TokenView(QWidget):
    """Reads tokens on a worker, only while visible; the latest text wins.

    `token_hovered(token)`, −1 for none, and `token_chosen(token)` report the token pointed at in text or list.
    """

    token_hovered = Signal(int)
    token_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("token_view")
        self.setAccessibleName("Tokens")
        self._asked: _Asked | None = None
        self._place: int | None = None
        self._reading = False
        self._token = _NO_TOKEN
        self._tasks = Tasks(self)
        self.destroyed.connect(self._tasks.stop)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MILLISECONDS)
        self._patience.timeout.connect(lambda: self._say(READING))
        self._text = TokenText()
        self._model = TokenTableModel(self)
        self._table = ArrayTableView(self._model)
        self._table.setObjectName("token_table")
        self._table.setAccessibleName("Ids of the tokens")
        self._table.setFrameShape(ArrayTableView.Shape.NoFrame)
        self._table.setSelectionMode(ArrayTableView.SelectionMode.SingleSelection)
        self._notice = Hint()
        self._notice.setIndent(UNIT)
        self._summary, self._current = PlainLabel(), PlainLabel()
        self._empty = EmptyState("Tokens", NOTHING)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._page())
        self._text.token_hovered.connect(self._note_hovered)
        self._text.token_chosen.connect(self._note_chosen)
        self._table.row_selected.connect(self._choose_row)

    def show_stretches(self, stretches: Iterable[Stretch], tokenizer: Tokenizer) -> None:
        """Show the tokens of a text; `stretches` are read on the worker, once this is visible."""
        self._tasks.cancel("tokens")
        self._end_reading()
        self._asked, self._place = (stretches, tokenizer), None
        if self.isVisible():
            self._read()

    def clear(self, sentence: str = NOTHING) -> None:
        """Show a sentence in place of tokens."""
        self._asked = self._place = None
        self._tasks.cancel("tokens")
        self._end_reading()
        self._take(without_tokens(""))
        self._say(sentence)

    def show_token(self, token: int) -> None:
        """Make a token current in text and list, and scroll to it, without a signal."""
        if not 0 <= token < len(self._text.shown):
            return
        self._token = token
        self._text.show_cell(self._text.shown.cells.of_token(token))
        self._select_row(token)
        self._describe(token)

    def show_place(self, place: int) -> None:
        """Show the token of a character in the text, now or as soon as its tokens are read."""
        if self._asked is not None or self._reading:
            self._place = place
            return
        cells = self._text.shown.cells
        cell = cells.at(place)
        if cell is not None:
            self.show_token(cells.tokens(cell).start)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with requests made while hidden."""
        super().showEvent(event)
        self._read()

    def _page(self) -> QWidget:
        self._splitter = Panes()
        self._splitter.addWidget(self._text)
        self._splitter.addWidget(self._table)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.share(2, 1)
        marks = QCheckBox("White space")
        marks.setObjectName("token_white_space")
        marks.setAccessibleName("Show white space")
        marks.setToolTip(tooltip("Mark spaces ·, tabs → and line ends ¶; copies stay as they are"))
        marks.toggled.connect(self._text.set_white_space)
        self._summary.setObjectName("token_summary")
        self._current.setObjectName("token_current")
        # A long token is cut off rather than making the window wider.
        self._current.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        foot = WrappingRow()
        foot.setContentsMargins(UNIT, 0, UNIT, 0)
        foot.setSpacing(2 * GAP)
        foot.addWidget(self._summary)
        foot.addWidget(self._current)
        foot.addWidget(marks)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addWidget(self._notice)
        layout.addWidget(self._splitter, 1)
        layout.addLayout(foot)
        return page

    def _read(self) -> None:
        """Read the requested text on a worker."""
        if self._asked is None:
            return
        (stretches, tokenizer), self._asked, self._reading = self._asked, None, True

        def request() -> Iterator[ShownTokens]:
            yield shown_tokens(stretches, tokenizer)

        self._patience.start()
        self._tasks.run(
            "tokens", request, lambda shown: self._show(shown, tokenizer.name), self._end_reading, self._fail
        )

    def _show(self, shown: ShownTokens, tokenizer_name: str) -> None:
        """Show a text with its tokens, or alone."""
        self._end_reading()
        self._take(shown)
        plain = not len(shown) and bool(shown.text)
        self._notice.say(ESTIMATE.format(tokenizer_name) if plain else "")
        self._table.setVisible(not plain)
        self._pages.setCurrentIndex(1 if shown.text else 0)
        self._empty.set_sentence(EMPTY_TEXT)
        if self._place is not None:
            place, self._place = self._place, None
            self.show_place(place)

    def _take(self, shown: ShownTokens) -> None:
        self._token = _NO_TOKEN
        self._text.show_tokens(shown)
        self._model.show_tokens(shown)
        self._summary.setText(summary(shown))
        self._describe(_NO_TOKEN)

    def _say(self, sentence: str) -> None:
        """Show a sentence in place of tokens."""
        self._empty.set_sentence(sentence)
        self._pages.setCurrentIndex(0)

    def _end_reading(self) -> None:
        self._reading = False
        self._patience.stop()

    def _fail(self, error: Exception) -> None:
        self._end_reading()
        self._take(without_tokens(""))
        self._say(f"The tokens could not be read. {error}")

    def _note_hovered(self, token: int) -> None:
        """Follow the mouse; beside the text, return to the current token."""
        self._select_row(self._token if token == _NO_TOKEN else token)
        self._describe(self._token if token == _NO_TOKEN else token)
        self.token_hovered.emit(token)

    def _note_chosen(self, token: int) -> None:
        self._token = token
        self._select_row(token)
        self._describe(token)
        self.token_chosen.emit(token)

    def _choose_row(self, token: int) -> None:
        self._token = token
        self._text.show_cell(self._text.shown.cells.of_token(token))
        self._describe(token)
        self.token_chosen.emit(token)

    def _select_row(self, token: int) -> None:
        """Select the row of a token in the list, without a signal."""
        with QSignalBlocker(self._table):
            if token == _NO_TOKEN:
                self._table.clearSelection()
            else:
                self._table.select_row(token)

    def _describe(self, token: int) -> None:
        self._current.setText("" if token == _NO_TOKEN else token_line(self._text.shown, token))
