"""Quick filters: a rounded chip for all items and for each outcome, with the number of items behind it."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from inspector.assembly.columns import Action, Fate, phrase, word
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.theme import ACTION_GLYPH, OFF_OPACITY, give_font, scaled, theme

BRIEFEST = 2
HEIGHT, SIDE, GAP = 26, 10, 6
ORDER = (None, Fate.KEPT, Fate.SUMMARIZED, Fate.DROPPED, Fate.TRUNCATED, Fate.NOT_YET)
"""The chips from left to right; those that most prompts lack are last, so that no other moves when they appear."""
ALWAYS = (None, Fate.KEPT, Fate.DROPPED)
_NAMES = {None: ("All", "All"), Fate.KEPT: ("In the prompt", "In")}


class ActionChip(QToolButton):
    """A quick filter for all items or for those with an outcome, with their number.

    With `brevity` 1 it shows the glyph instead of the word; with 2, no number either.
    """

    def __init__(self, action: Fate | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shows = action
        self._brevity = 0
        self._number: int | None = None
        self._glyph = "" if action is None else ACTION_GLYPH[action]
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        give_font(self, "secondary")
        self.setObjectName(f"filter_chip:{'all' if action is None else word(action)}")
        self.setAccessibleName(f"Show {_shown(action)}")
        self.setToolTip(tooltip(self.accessibleName()))
        self._most = -1
        self.show_number(None, 0, is_there=False)

    def show_number(self, number: int | None, most: int, is_there: bool) -> None:
        """Show the word and the number of items, reserving room for `most` items.

        A chip of which nothing `is_there` stays away until there is; then it stays, so that none moves under the mouse,
        except the last: only a replay has items that do not exist yet.
        """
        self._number = number
        if most != self._most:
            self._most = most
            self._take_room()
            self.setVisible(self.shows in ALWAYS or is_there)
        elif is_there or self.shows == Fate.NOT_YET:
            self.setVisible(is_there)
        self.setText(self._words(number))
        self.setEnabled(number is None or number > 0 or self.shows is None or self.isChecked())

    def be_brief(self, brevity: int) -> None:
        """Set the brevity."""
        if brevity != self._brevity:
            self._brevity = brevity
            self._take_room()
            self.setText(self._words(self._number))

    def sizeHint(self) -> QSize:
        """Return room for the words between round ends."""
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 2 * scaled(SIDE), scaled(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Return the full size: half a word would say nothing."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint a round ground, the glyph in the ink of its outcome, and the words."""
        look, painter = theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(look.accent if self.hasFocus() else Qt.PenStyle.NoPen)
        ground = look.accent_soft if self.isChecked() or self.isDown() else look.hover
        painter.setBrush(look.selected if self.underMouse() and self.isEnabled() else ground)
        box = self.rect().adjusted(0, 0, -1, -1)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setOpacity(1.0 if self.isEnabled() else OFF_OPACITY)
        self._paint_words(painter, look.accent if self.isChecked() else look.second_text)

    def _paint_words(self, painter: QPainter, ink: QColor) -> None:
        metrics, text = QFontMetrics(self.font()), self.text()
        start = QPoint((self.width() - metrics.horizontalAdvance(text)) // 2, 0)
        room = QRect(start, QSize(self.width(), self.height()))
        painter.setPen(ink)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if self._glyph and self.shows is not None:
            painter.setPen(theme().action_color(Action(int(self.shows))))
            painter.drawText(room, left, self._glyph)
            room.translate(metrics.horizontalAdvance(self._glyph), 0)
            text = text.removeprefix(self._glyph)
        painter.setPen(ink)
        painter.drawText(room, left, text)

    def _take_room(self) -> None:
        self.setText(self._words(self._most))
        self.setMinimumWidth(self.sizeHint().width())

    def _words(self, number: int | None) -> str:
        whole, brief = _NAMES.get(self.shows) or ("" if self.shows is None else phrase(self.shows).capitalize(), "")
        name = f"{self._glyph} {brief or ('' if self._glyph else whole)}" if self._brevity else f"{self._glyph} {whole}"
        shown = "" if number is None or self._brevity == BRIEFEST else f" {number:,}"
        return control_text(f"{name.strip()}{shown}")


def _shown(action: Fate | None) -> str:
    if action is None:
        return "all items"
    return "only what is in the prompt whole" if action == Fate.KEPT else f"{phrase(action)} items only"


class RowOfChips(QWidget):
    """Chips in a row, shortened if there is no room for their words."""

    def __init__(self, chips: Sequence[ActionChip]) -> None:
        super().__init__()
        self._chips = chips
        # Without enough room its texts become shorter.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        for chip in chips:
            layout.addWidget(chip)
        layout.addStretch(1)

    def minimumSizeHint(self) -> QSize:
        """Return a width of 0, so that chips never make the window wider."""
        return QSize(0, super().minimumSizeHint().height())

    def fit(self) -> None:
        """Use the longest texts that fit."""
        for brevity in range(BRIEFEST + 1):
            for chip in self._chips:
                chip.be_brief(brevity)
            shown = [chip for chip in self._chips if not chip.isHidden()]
            if sum(chip.minimumWidth() + GAP for chip in shown) - GAP <= self.width():
                return

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
