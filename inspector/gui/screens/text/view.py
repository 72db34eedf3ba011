"""The text of an item: the original beside its text in the prompt, or its tokens."""

import json
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Fate
from inspector.assembly.decisions import Assembly
from inspector.figures import counted
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.reading_pane import ReadingPane, marked
from inspector.gui.parts.texts import one_line
from inspector.gui.theme import PANEL_MARGIN, UNIT, give_font, theme
from inspector.gui.token_text.view import TokenView
from inspector.model import Message
from inspector.retrieval.search.words import marks_in
from inspector.tokens.shown.tokens import Stretch

REFUSED, REFUSED_TOKENS = "Original; no prompt was made", "Tokens of the original; no prompt was made"


class _Pane(QWidget):
    """A titled text to read and copy, not to edit."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.title = PlainLabel(wordWrap=True)
        self.title.setIndent(UNIT)
        self.text = ReadingPane(name)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addWidget(self.title)
        layout.addWidget(self.text)

    def show_text(self, title: str, text: str) -> None:
        """Show a text; the same text again keeps scroll position and selection."""
        self.title.setText(title)
        self.text.show_text(text)


class _TokenPane(QWidget):
    """The tokens of an item's text in the prompt; of the original if the prompt does not contain the item."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[str, str] | None = None
        self._title = PlainLabel(wordWrap=True)
        self._title.setIndent(UNIT)
        self._view = TokenView()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addWidget(self._title)
        layout.addWidget(self._view, 1)

    def show_row(self, assembly: Assembly, row: int) -> None:
        """Show the tokens of a row; the same text again keeps scroll position and selection."""
        action, tokenizer = Action(int(assembly.action[row])), assembly.candidates.counts.tokenizer
        text = assembly.text_to_read(row)
        is_whole = text == assembly.candidates.texts[row]
        self._title.setText(REFUSED_TOKENS if assembly.error else _token_title(action, is_whole))
        if (text, tokenizer.fingerprint) != self._shown:
            self._shown = text, tokenizer.fingerprint
            self._view.show_stretches((Stretch(text),), tokenizer)


class ItemText(QWidget):
    """Speaker and time, the original, and beside it the text in the prompt if that differs; or the tokens."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("item_text")
        self._shown: tuple[Answer | None, int | None] = (None, None)
        self._stale = False
        self._words: tuple[str, ...] = ()
        self._about = PlainLabel(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self._about.setIndent(UNIT)
        self._about.setAccessibleName("About this item")
        self._original = _Pane("Original text")
        self._prompt = _Pane("Text in the prompt")
        self._calls = _Pane("Tool calls and what else the file says")
        give_font(self._calls.text, "fixed")
        self._panes = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for place, (pane, stretch) in enumerate(((self._original, 3), (self._prompt, 3), (self._calls, 2))):
            self._panes.addWidget(pane)
            self._panes.setStretchFactor(place, stretch)
        self._tokens = _TokenPane()
        self._views = QStackedWidget()
        self._views.addWidget(self._panes)
        self._views.addWidget(self._tokens)
        self._switch = ViewSwitch(("Text", "Tokens"), "Show the item as {}")
        self._switch.chosen.connect(self._views.setCurrentIndex)
        head = QHBoxLayout()
        head.setSpacing(PANEL_MARGIN)
        head.addWidget(self._switch, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._about, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        layout.setSpacing(UNIT)
        layout.addLayout(head)
        layout.addWidget(self._views, 1)
        self._refresh()

    def show_item(self, answer: Answer | None, row: int | None) -> None:
        """Show the text of a row of the answer's candidates; nothing is computed while hidden."""
        if _id_of(answer, row) != _id_of(*self._shown):
            self._words = ()
        self._shown = (answer, row)
        self._stale = True
        if self.isVisible():
            self._refresh()

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words until another item is shown, and bring the first of them into sight."""
        self._words = words
        self._switch.choose(0)
        self._refresh()
        for pane in (self._original.text, self._prompt.text):
            pane.bring_into_sight(marks_in(pane.whole, words)[:1])

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        if self._stale:
            self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_calls"):
            self._refresh()

    def _refresh(self) -> None:
        self._stale = False
        answer, row = self._shown
        self._prompt.setVisible(False)
        self._calls.setVisible(False)
        if answer is None or row is None:
            self._about.setText("Select an item to read it here: the original beside what is in the prompt.")
            self._views.setVisible(False)
            self._switch.setVisible(False)
            return
        self._views.setVisible(True)
        self._switch.setVisible(True)
        self._show_row(answer.assembly, row)
        self._tokens.show_row(answer.assembly, row)

    def _show_row(self, assembly: Assembly, row: int) -> None:
        thing = assembly.candidates.things[row]
        whole, placed = assembly.candidates.texts[row], assembly.text(row)
        self._about.setText("  ·  ".join(_about(assembly, row)))
        action = Action(int(assembly.action[row]))
        title = REFUSED if assembly.error else _original_title(Fate(int(assembly.fate[row])), whole == placed)
        self._original.show_text(title, whole)
        if action is not Action.DROPPED and placed != whole:
            tokens = counted(int(assembly.spent[row]), "token", estimated=bool(assembly.candidates.estimated[row]))
            self._prompt.show_text(f"In the prompt: {tokens}", placed)
            self._prompt.setVisible(True)
        cut = self._beginning(whole, placed if action is Action.TRUNCATED else "")
        self._original.text.setExtraSelections([*cut, *self._original.text.marks_of(self._words)])
        self._prompt.text.setExtraSelections(self._prompt.text.marks_of(self._words))
        more = _more(thing)
        if more:
            self._calls.show_text("Tool calls and what else the file says", more)
            self._calls.setVisible(True)

    def _beginning(self, whole: str, kept: str) -> Iterator[QTextEdit.ExtraSelection]:
        """Yield a muted selection of the part cut off, if the prompt holds the beginning of the text."""
        if kept and whole.startswith(kept):
            faint = QTextCharFormat()
            faint.setForeground(QColor(theme().muted_text))
            cursor = self._original.text.cursor_over(len(kept), len(kept))
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            yield marked(cursor, faint)


def _id_of(answer: Answer | None, row: int | None) -> str | None:
    return None if answer is None or row is None else answer.assembly.candidates.ids[row]


def _original_title(fate: Fate, same: bool) -> str:
    if fate is Fate.NOT_YET:
        return "Original, which does not exist yet at this turn"
    if fate is Fate.DROPPED:
        return "Original, not in the prompt"
    return "In the prompt as it is" if same else "Original"


def _token_title(action: Action, same: bool) -> str:
    if action is Action.DROPPED:
        return "Tokens of the original, which is not in the prompt"
    return "Tokens of the text, which is in the prompt as it is" if same else "Tokens of what is in the prompt for it"


def _about(assembly: Assembly, row: int) -> Iterator[str]:
    thing = assembly.candidates.things[row]
    yield one_line(assembly.candidates.ids[row])
    for name in ("role", "name", "title", "type", "category", "pages"):
        value = getattr(thing, name, "")
        if isinstance(value, str) and value:
            yield one_line(value)
    time = getattr(thing, "time", None)
    if time is not None:
        yield f"{time:%Y-%m-%d %H:%M}"
    pictures = int(assembly.candidates.images[row])
    if pictures:
        yield f"{pictures:,} picture{'' if pictures == 1 else 's'}"


def _more(thing: Any) -> str:
    """Return tool calls and metadata as readable JSON, "" if there are none."""
    if not isinstance(thing, Message):
        return ""
    held: dict[str, Any] = {}
    if thing.tool_calls:
        held["tool_calls"] = [
            {"id": call.id, "name": call.name, "arguments": _arguments(call.arguments)} for call in thing.tool_calls
        ]
    if thing.tool_call_id:
        held["tool_call_id"] = thing.tool_call_id
    if thing.metadata:
        held["metadata"] = dict(thing.metadata)
    return json.dumps(held, ensure_ascii=False, indent=2, default=str) if held else ""


def _arguments(text: str) -> Any:
    """Return the value of the arguments, or their text if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
