"""An original and its summary side by side, with the facts lost by the summary marked in the original."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QResizeEvent, QTextCharFormat
from PySide6.QtWidgets import QTextEdit, QVBoxLayout, QWidget

from inspector.analysis.fidelity.ask import SummaryTable
from inspector.analysis.fidelity.tables import SOURCE_SENTENCES, saved_text, source_of
from inspector.assembly.columns import Action
from inspector.assembly.numbers import title_in
from inspector.figures import counted
from inspector.gui.palettes import blended
from inspector.gui.parts.hairlines import Hairlines
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.reading_pane import MOST_CODE_POINTS, ReadingPane
from inspector.gui.parts.texts import first_line, shown_length
from inspector.gui.theme import PANEL_MARGIN, UNIT, give_font, theme
from inspector.retrieval.facts.fidelity import Fidelity
from inspector.visible_text import made_visible

MOST_NAMED = 6
"""The most lost facts of a kind named in the line of losses."""
LOSS_TINT = 0.28
NARROW = 380
"""Narrower than this, in pixels, two texts are not put side by side."""
NOTHING_CHOSEN = "Select a message to read its original beside the summary."

_PLURALS = {"quotation": "quotations", "code": "pieces of code", "email": "e-mail addresses", "url": "URLs"}
_SINGULARS = {"code": "piece of code", "email": "e-mail address", "url": "URL"}


class SummaryPair(QWidget):
    """Two texts with titles, and a line of the facts lost."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[SummaryTable | None, int] = (None, -1)
        self.losses = PlainLabel(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self.losses.setIndent(UNIT)
        self.losses.setObjectName("summary_losses")
        self.losses.setAccessibleName("What the summary lost")
        self.original, self.original_title = _text("summary_original", "Original text")
        self.summary, self.summary_title = _text("summary_text", "Summary")
        self._panes = Hairlines(Qt.Orientation.Horizontal)
        for title, text in ((self.original_title, self.original), (self.summary_title, self.summary)):
            self._panes.addWidget(_stacked(title, text))
        self._panes.setSizes([1, 1])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, PANEL_MARGIN)
        layout.setSpacing(UNIT)
        layout.addWidget(self._panes, 1)
        layout.addWidget(self.losses)
        self.show_place(None, -1)

    def show_place(self, table: SummaryTable | None, place: int) -> None:
        """Show the message at a place of a table; nothing for a place below 0."""
        self._shown = (table, place)
        if table is None or place < 0:
            for text in (self.original, self.summary):
                text.show_text("")
            self.original_title.setText("Original")
            self.summary_title.setText("Summary")
            self.losses.setText(NOTHING_CHOSEN)
            return
        original, estimated = table.original(place), not bool(table.exact[place])
        number = title_in(table.assembly.candidates.items, int(table.rows[place]))
        self.original_title.setText(f"{number} · {counted(int(table.tokens[place]), 'token', estimated=estimated)}")
        self.summary_title.setText(_summary_title(table, place))
        self.original.show_text(original)
        self.summary.show_text(table.summary(place))
        self.losses.setText(losses_text(table.fidelities[place], original))
        self._mark_losses(original, table.fidelities[place])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "losses"):
            self.show_place(*self._shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the texts side by side, or below each other if there is no room."""
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        self._panes.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    def _mark_losses(self, original: str, fidelity: Fidelity) -> None:
        look = QTextCharFormat()
        look.setBackground(lost_ground())
        marks = []
        lost = [(fact.start, fact.end) for fact in fidelity.lost if fact.end <= MOST_CODE_POINTS]
        for start, end in _shown_spans(original, lost):
            selection = QTextEdit.ExtraSelection()
            selection.format = look
            selection.cursor = self.original.textCursor()
            selection.cursor.setPosition(start)
            selection.cursor.setPosition(end, selection.cursor.MoveMode.KeepAnchor)
            marks.append(selection)
        self.original.setExtraSelections(marks)


def lost_ground() -> QColor:
    """Return the ground of lost facts: the colour of dropped items, thin enough for text on it."""
    return blended(theme().action_color(Action.DROPPED), theme().base, LOSS_TINT)


def losses_text(fidelity: Fidelity, original: str) -> str:
    """Return the lost facts in words: Lost: 2 names (Anna Berg, Lisbon), 1 date (5 March 2024)."""
    if not fidelity.fact_count:
        return "The original has no names, numbers, dates or other facts that could be lost."
    texts: dict[str, dict[str, str]] = {}
    for fact in fidelity.lost:
        first = first_line(original[fact.start : fact.end], 40)
        texts.setdefault(fact.kind.value, {}).setdefault(fact.value, first)
    facts = f"{fidelity.fact_count:,} fact{'' if fidelity.fact_count == 1 else 's'}"
    if not texts:
        return f"Nothing was lost of {facts}."
    parts = (_named(kind, list(lost.values())) for kind, lost in texts.items())
    return f"{fidelity.kept_count:,} of {facts} kept. Lost: {', '.join(parts)}"


def _named(kind: str, texts: list[str]) -> str:
    word = _SINGULARS.get(kind, kind) if len(texts) == 1 else _PLURALS.get(kind, f"{kind}s")
    more = f" and {len(texts) - MOST_NAMED:,} more" if len(texts) > MOST_NAMED else ""
    return f"{len(texts):,} {word} ({', '.join(texts[:MOST_NAMED])}{more})"


def _summary_title(table: SummaryTable, place: int) -> str:
    tokens = counted(int(table.summary_tokens[place]), "token", estimated=not table.exact[place])
    saved = f"saves {saved_text(table, place)}" if table.saved[place] >= 0 else "costs more than the original"
    return f"Summary · {tokens}, {saved}. {SOURCE_SENTENCES[source_of(table, place)]}"


def _shown_spans(text: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield stretches of a text as positions in its document, in the order of their beginnings."""
    place = position = 0
    for start, end in spans:
        position += shown_length(made_visible(text[place:start])) if start >= place else 0
        begin = position if start >= place else position - shown_length(made_visible(text[start:place]))
        yield begin, begin + shown_length(made_visible(text[start:end]))
        place = max(place, start)


def _text(name: str, accessible: str) -> tuple[ReadingPane, PlainLabel]:
    text = ReadingPane(accessible)
    text.setObjectName(name)
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
    title = PlainLabel(wordWrap=True)
    title.setIndent(UNIT)
    give_font(title, "title")
    return text, title


def _stacked(title: PlainLabel, text: ReadingPane) -> QWidget:
    box = QWidget()
    layout = QVBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(UNIT)
    layout.addWidget(title)
    layout.addWidget(text, 1)
    return box
