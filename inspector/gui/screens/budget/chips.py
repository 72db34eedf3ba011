"""The chips beside the figures: what must stay and is dropped, the worst finding, and a turn that is not the last."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolButton, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Finding
from inspector.assembly.finding_kinds import MUST_SURVIVE_DROPPED, OVER_WINDOW
from inspector.gui.icons import drawn_icon
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import UNIT, give_font, named_font, scaled, theme

ChipKind = Literal["lost", "finding", "turn"]
Tone = Literal["error", "warning", "accent"]
MOST = 2
HEIGHT = 24
_WIDEST_TEXT = 300
_ICON = 14
_SEVERITIES = ("error", "warning")
_SENTENCE_END = re.compile(r"(?<=[^\W\d_]{2}|\d%)[.:;] |[.:;]$")


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip: its text, the words left of it without room, its colour, and its tooltip. A turn's has a cross."""

    kind: ChipKind
    text: str
    brief: str
    tone: Tone
    tip: str


def chips_of(answer: Answer | None) -> tuple[Chip, ...]:
    """Return the chips of an answer from left to right: at most two, the turn last, otherwise the more serious ones."""
    if answer is None:
        return ()
    turn = _turn(answer)
    return (*list(_findings(answer))[: MOST - len(turn)], *turn)


def _findings(answer: Answer) -> Iterator[Chip]:
    """Yield what must stay and is dropped, and the worst other finding, the more serious one first.

    A prompt over its window is not among them: the figures say that.
    """
    lost = [finding for finding in answer.findings if finding.kind == MUST_SURVIVE_DROPPED]
    others = [finding for finding in answer.findings if finding.kind not in (MUST_SURVIVE_DROPPED, OVER_WINDOW)]
    worst = next((finding for finding in others if finding.severity in _SEVERITIES), None)
    if worst is not None and worst.severity == "error":
        yield _finding(worst)
    if number := sum(len(finding.rows) for finding in lost):
        text = f"{number:,} that must stay {'is' if number == 1 else 'are'} dropped"
        yield Chip("lost", text, f"{number:,}", "error", f"{text}. A click shows only these, or all again.")
    if worst is not None and worst.severity != "error":
        yield _finding(worst)


def _finding(finding: Finding) -> Chip:
    tone: Tone = "error" if finding.severity == "error" else "warning"
    said = one_line(_SENTENCE_END.split(finding.message)[0])
    return Chip("finding", said, "", tone, f"{finding.message}\n{finding.advice}\nA click shows all findings.")


def _turn(answer: Answer) -> tuple[Chip, ...]:
    at, count = answer.scenario.at, len(answer.case.chosen.parts.messages)
    if at is None or at >= count:
        return ()
    place = f"{max(at, 0):,} of {count:,}"
    tip = f"This is the prompt as it was at turn {place}. A click leads back to the last turn."
    return (Chip("turn", f"Turn {place}", place, "accent", tip),)


_NAMES: Mapping[ChipKind, str] = {
    "lost": "What must stay and is dropped",
    "finding": "The worst finding",
    "turn": "Back to the last turn",
}
"""The names of chips for screen readers while there is nothing to say."""


class HeaderChip(QToolButton):
    """A chip as a button, hidden while there is none. `is_brief` leaves words out where room is short."""

    def __init__(self, kind: ChipKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind: ChipKind = kind
        self._chip: Chip | None = None
        self._brief = False
        self.setObjectName(f"header_chip:{kind}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(_NAMES[kind])
        give_font(self, "secondary")
        self.hide()

    @property
    def chip(self) -> Chip | None:
        """The chip shown."""
        return self._chip

    def show_chip(self, chip: Chip | None, brief: bool) -> bool:
        """Show a chip, or none; return whether anything changed."""
        if (chip, brief) == (self._chip, self._brief):
            return False
        self._chip, self._brief = chip, brief
        if chip is not None:
            self.setAccessibleName(chip.text)
            self.setAccessibleDescription(chip.tip)
            self.setToolTip(tooltip(chip.tip))
        self.setVisible(chip is not None)
        self.update()
        return True

    @property
    def words(self) -> str:
        """The visible text."""
        if self._chip is None:
            return ""
        text = self._chip.brief if self._brief else self._chip.text
        return self._metrics().elidedText(text, Qt.TextElideMode.ElideRight, scaled(_WIDEST_TEXT))

    def sizeHint(self) -> QSize:
        words = self.words
        width = 2 * 2 * UNIT + scaled(_ICON) + (self._metrics().horizontalAdvance(words) + UNIT + 2 if words else 0)
        height = scaled(HEIGHT)
        return QSize(max(width, height), height)

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(named_font("secondary"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a round ground with the words and the icon in the ink of the tone; the cross of a turn at its end."""
        if self._chip is None:
            return
        look = theme()
        ink, ground = {
            "error": (look.error, look.error_soft),
            "warning": (look.warning, look.warning_soft),
            "accent": (look.accent, look.accent_soft),
        }[self._chip.tone]
        painter, half = QPainter(self), self.height() / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink, 1) if self.underMouse() else Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), half, half)
        turns = self._chip.kind == "turn"
        icon = drawn_icon("x" if turns else "triangle-alert", scaled(_ICON), ink)
        left, right = 2 * UNIT, self.width() - 2 * UNIT - scaled(_ICON)
        painter.drawPixmap(QPointF(right if turns else left, half - scaled(_ICON) / 2), icon)
        painter.setFont(named_font("secondary"))
        painter.setPen(ink)
        words = QRect(left if turns else left + scaled(_ICON) + UNIT + 2, 0, self.width(), self.height())
        painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.words)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
        super().changeEvent(event)
