"""The text of an item: as it is in the prompt or in its file, as tokens, or the calls and fields beside it."""

import json
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QTextEdit, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Fate
from inspector.assembly.decisions import Assembly
from inspector.assembly.part_costs import part_costs
from inspector.figures import counted
from inspector.formats.content.words import part_words
from inspector.gui.parts.reading_pane import LONGEST_SPACED, ReadingPane, SpacedPane, marked
from inspector.gui.screens.details.controls import MARGIN, MarginBar, Quiet, Switch
from inspector.gui.screens.details.parts_list import MOST_SHOWN, PartsList
from inspector.gui.theme import UNIT, give_font, scaled, theme
from inspector.gui.token_text.view import TokenView
from inspector.model import Call, Message, Result, Text, Thought
from inspector.model.parts import flat
from inspector.retrieval.search.words import marks_in
from inspector.secrets import masked
from inspector.tokens.cost_words import cost_figure
from inspector.tokens.shown.tokens import Stretch

REFUSED = "Original; no prompt was made"
FOOT = 7 * UNIT
"""The height of the line below the text, with its switches."""
_TOOLS_HEIGHT = 320
"""The height wanted for tokens, and for calls and fields."""
_TEXT, _LONG, _TOKENS, _FIELDS = range(4)


class ItemText(QWidget):
    """The text of an item to read and copy, above the parts of a message.

    `height_changed` reports that it wants another height, `pictures_wanted` that pictures are to be read (a list of
    parts), to be handed to `parts`.
    """

    height_changed = Signal()
    pictures_wanted = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("item_text")
        self._shown: tuple[Answer | None, int | None] = (None, None)
        self._stale = False
        self._words: tuple[str, ...] = ()
        self._readable = ""
        self._tokens_of: tuple[str, str] | None = None
        self._text = SpacedPane("Text of the item")
        self._long = ReadingPane("Text of the item")
        self._fields = ReadingPane("Tool calls and other fields of the file")
        self._tokens: TokenView | None = None
        give_font(self._text, "message")
        give_font(self._long, "message")
        give_font(self._fields, "fixed")
        for pane in (self._text, self._long, self._fields):
            pane.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
            pane.document().setDocumentMargin(0)
        self.parts = PartsList()
        self._said = Quiet()
        give_font(self._said, "secondary")
        self._original = Switch("Original", "The text of the file, of which the prompt has less")
        self._by_token = Switch("Tokens", "The same text, coloured by token, with the id of each")
        self._by_field = Switch("Fields", "Tool calls, and what else the file says about this message")
        self._whole = Switch("Whole text", "As much of it as there is room for; what would keep it moves down")
        self._whole.setObjectName("item_text:whole")
        self._whole.hide()
        self._whole.toggled.connect(lambda _: self.height_changed.emit())
        self._original.toggled.connect(lambda _: self._show_again())
        self._by_token.toggled.connect(lambda on: self._turn(self._by_field, on))
        self._by_field.toggled.connect(lambda on: self._turn(self._by_token, on))
        self._lay_out()
        self._refresh()

    def _lay_out(self) -> None:
        self._views = QStackedLayout()
        for pane in (self._text, self._long):
            self._views.addWidget(_beside_its_bar(pane))
        self._tokens_place = QWidget()  # for the tokens, made when first asked for
        self._views.addWidget(self._tokens_place)
        self._views.addWidget(_beside_its_bar(self._fields))
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, MARGIN - 2 * UNIT, 0)
        foot.setSpacing(UNIT)
        foot.addWidget(self._said, 1)
        for switch in (self._whole, self._original, self._by_token, self._by_field):
            foot.addWidget(switch)
        self._foot.setFixedHeight(scaled(FOOT))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, 0, 0, UNIT)
        layout.setSpacing(UNIT)
        layout.addLayout(self._views, 1)
        layout.addWidget(self.parts)
        layout.addWidget(self._foot)

    def show_item(self, answer: Answer | None, row: int | None) -> None:
        """Show the text of a row of the answer's candidates; nothing is computed while hidden."""
        if _id_of(answer, row) != _id_of(*self._shown):
            self._words = ()
            self._original.blockSignals(True)
            self._original.setChecked(False)
            self._original.blockSignals(False)
        self._shown = (answer, row)
        self._stale = True
        if self.isVisible():
            self._refresh()

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words until another item is shown, and bring the first of them into sight."""
        self._words = words
        self._by_token.setChecked(False)
        self._by_field.setChecked(False)
        self._refresh()
        if not marks_in(self._pane.whole, words) and self._original.isVisibleTo(self):
            self._original.setChecked(True)
        self._pane.bring_into_sight(marks_in(self._pane.whole, words)[:1])

    def height_wanted(self, width: int) -> int:
        """Return the height at which everything shown is in sight, at this width."""
        place = self._views.currentIndex()
        inside = self._text.height_at(width - 2 * MARGIN) if place == _TEXT else scaled(_TOOLS_HEIGHT)
        parts = self.parts.height_wanted()
        return inside + scaled(FOOT) + 2 * UNIT + (parts + UNIT if parts else 0)

    @property
    def wants_whole(self) -> bool:
        """Whether the user asked for as much of the text as there is room for."""
        return self._whole.isChecked() and not self.is_tool_shown

    def offer_whole(self, is_cut: bool) -> None:
        """Offer the whole of a text that is cut at its usual height."""
        self._whole.setVisible(is_cut and not self.is_tool_shown)

    def plain_text(self) -> str:
        """Return the shown text as it may leave the program, with its secrets masked."""
        return masked(self._readable)

    @property
    def is_tool_shown(self) -> bool:
        """Whether tokens or fields are shown in place of the text."""
        return self._views.currentIndex() in (_TOKENS, _FIELDS)

    @property
    def _pane(self) -> SpacedPane | ReadingPane:
        return self._long if self._is_long else self._text

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        if self._stale:
            self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_foot"):
            self._foot.setFixedHeight(scaled(FOOT))
            self._refresh()

    def _turn(self, other: Switch, on: bool) -> None:
        """Show something else in place of the text; only one of both switches is on."""
        if on:
            other.setChecked(False)
        self._show_again()

    def _show_again(self) -> None:
        self._refresh()
        self.height_changed.emit()

    _is_long = False

    def _refresh(self) -> None:
        self._stale = False
        answer, row = self._shown
        if answer is not None and row is not None:
            self._show_row(answer, row)
        else:
            self.parts.show_parts(())

    def _show_row(self, answer: Answer, row: int) -> None:
        assembly = answer.assembly
        whole, placed = assembly.candidates.texts[row], assembly.text(row)
        thing = assembly.candidates.things[row]
        action, fields = Action(int(assembly.action[row])), _fields_of(thing)
        costs = part_costs(assembly.candidates, answer.model.media, row, MOST_SHOWN)
        self.parts.show_parts(
            thing.parts if isinstance(thing, Message) else (), [cost_figure(priced.cost) for priced in costs]
        )
        if wanted := self.parts.take_wanted():
            self.pictures_wanted.emit(wanted)
        differs = action is not Action.DROPPED and placed != whole
        self._original.setVisible(differs)
        self._by_field.setVisible(bool(fields))
        is_original = not differs or self._original.isChecked()
        text = whole if is_original else placed
        self._readable = text
        self._said.say(self._words_for(assembly, row, differs, is_original))
        if self._by_token.isChecked():
            self._show_tokens(assembly, text)
        elif fields and (self._by_field.isChecked() or not text.strip()):
            self._fields.show_text(fields)
            self._views.setCurrentIndex(_FIELDS)
        else:
            self._show_text(text, placed if is_original and differs and action is Action.TRUNCATED else "")

    def _words_for(self, assembly: Assembly, row: int, differs: bool, is_original: bool) -> str:
        """Say which text is shown, unless it is the item's only one and in the prompt as it is, or plainly dropped."""
        if assembly.error:
            return REFUSED
        if assembly.fate[row] == Fate.NOT_YET:
            return "Does not exist yet at this turn"
        if not differs:
            return ""
        tokens = int((assembly.candidates.tokens if is_original else assembly.spent)[row])
        said = counted(tokens, "token", estimated=bool(assembly.candidates.estimated[row]))
        return f"{'Original' if is_original else 'As in the prompt'}: {said}"

    def _show_text(self, text: str, kept: str) -> None:
        self._is_long = len(text) > LONGEST_SPACED
        self._pane.show_text(text)
        cut = self._beyond(text, kept)
        self._pane.setExtraSelections([*cut, *self._pane.marks_of(self._words)])
        self._views.setCurrentIndex(_LONG if self._is_long else _TEXT)

    def _beyond(self, whole: str, kept: str) -> Iterator[QTextEdit.ExtraSelection]:
        """Yield a muted selection of the part cut off, if the prompt holds the beginning of the text."""
        if kept and whole.startswith(kept):
            faint = QTextCharFormat()
            faint.setForeground(QColor(theme().muted_text))
            cursor = self._pane.cursor_over(len(kept), len(kept))
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            yield marked(cursor, faint)

    def _show_tokens(self, assembly: Assembly, text: str) -> None:
        """Show the tokens of a text; the same text again keeps scroll position and selection."""
        if self._tokens is None:
            self._tokens = TokenView()
            layout = QVBoxLayout(self._tokens_place)
            layout.setContentsMargins(0, 0, MARGIN, 0)
            layout.addWidget(self._tokens)
        tokenizer = assembly.candidates.counts.tokenizer
        self._views.setCurrentIndex(_TOKENS)
        if (text, tokenizer.fingerprint) != self._tokens_of:
            self._tokens_of = text, tokenizer.fingerprint
            self._tokens.show_stretches((Stretch(text),), tokenizer)


def _beside_its_bar(pane: SpacedPane | ReadingPane) -> QWidget:
    """Return a place with a pane and its scroll bar in the margin; a short text leaves its room to the parts."""
    place, bar = QWidget(), MarginBar(pane)
    for part in (pane, bar):
        part.setMinimumHeight(1)
    layout = QHBoxLayout(place)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    layout.addWidget(pane, 1)
    layout.addWidget(bar)
    return place


def _id_of(answer: Answer | None, row: int | None) -> str | None:
    return None if answer is None or row is None else answer.assembly.candidates.ids[row]


def _fields_of(thing: object) -> str:
    """Return tool calls and metadata as readable JSON, "" if there are none."""
    if not isinstance(thing, Message):
        return ""
    held: dict[str, object] = {}
    if thing.tool_calls:
        held["tool_calls"] = [
            {"id": call.id, "name": call.name, "arguments": _arguments(call.arguments)} for call in thing.tool_calls
        ]
    if thing.tool_call_id:
        held["tool_call_id"] = thing.tool_call_id
    if thing.reasoning:
        held["thoughts"] = [part.text for part in thing.parts if isinstance(part, Thought) and part.text]
    if any(not isinstance(part, Text | Call | Result | Thought) for part in flat(thing.parts)):
        held["parts"] = [part_words(part) for part in flat(thing.parts)]
    if thing.metadata:
        held["metadata"] = dict(thing.metadata)
    return json.dumps(held, ensure_ascii=False, indent=2, default=str) if held else ""


def _arguments(text: str) -> object:
    """Return the value of the arguments, or their text if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
