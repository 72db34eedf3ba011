"""The header of the prompt: its figures, at most two chips, and the bar of the window below or beside them."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.compare import came_in_and_left
from inspector.gui.bar.layout import AROUND, BarLayout, BarSize
from inspector.gui.bar.legend import LegendLine
from inspector.gui.bar.view import BudgetBar
from inspector.gui.parts.buttons import WordButton
from inspector.gui.parts.texts import tooltip
from inspector.gui.screens.budget.chips import Chip, ChipKind, HeaderChip, chips_of
from inspector.gui.screens.budget.figures import Line, Moves, compared_lines, figure_lines
from inspector.gui.screens.budget.figures_line import FiguresLine
from inspector.gui.theme import GAP, UNIT, scaled, theme

LOW = 800
"""Below this height of the window, figures and bar share a row."""
MARGIN = 4 * UNIT
_LINE = 24
_BETWEEN = 6
_ABOVE_ROW = 5
_LEFT_SHARE = 0.4
_WIDEST_LEFT = 480


class PromptHeader(QWidget):
    """Figures and bar of an answer. In a comparison, the baseline's bar is above, and the difference is a sum.

    `chip_clicked` carries the kind of a chip, `segment_clicked` and `hovered` the word of a part of the bar.
    `swap_requested` and `baseline_requested` come from the buttons of a comparison.
    """

    chip_clicked = Signal(str)
    segment_clicked = Signal(str)
    hovered = Signal(str)
    swap_requested = Signal()
    baseline_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prompt_header")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._compares = self._is_low = self._has_legend = False
        self._answers: tuple[Answer | None, Answer | None] = (None, None)
        self._chips: Mapping[ChipKind, Chip] = {}
        self._watched: QWidget | None = None
        self.figures = FiguresLine(self)
        self.chips = tuple(HeaderChip(kind, self) for kind in ("lost", "finding", "turn"))
        self.swap = _button("header:swap", "arrow-right-left", "Swap", "Swap baseline and now", self)
        self.set_baseline = _button(
            "header:set_baseline", "bookmark", "Set baseline", "Compare what follows with this prompt", self
        )
        self.bar = BudgetBar(self)
        self.legend = LegendLine(self)
        self.legend.hide()
        self._connect()
        self._take_height()

    def _connect(self) -> None:
        for chip in self.chips:
            chip.clicked.connect(lambda _=False, kind=chip.kind: self.chip_clicked.emit(kind))
        self.swap.clicked.connect(lambda _=False: self.swap_requested.emit())
        self.set_baseline.clicked.connect(lambda _=False: self.baseline_requested.emit())
        for part in (self.bar, self.legend):
            part.hovered.connect(self.hovered)
        self.bar.segment_clicked.connect(self.segment_clicked)
        self.legend.clicked.connect(self.segment_clicked)
        self.legend.hovered.connect(self.bar.light)

    def show_answer(self, answer: Answer | None, baseline: Answer | None) -> None:
        """Show an answer, and its difference from the baseline; after an error the last figures stay, dimmed."""
        had_baseline = self.bar.baseline is not None
        self.bar.show_answer(answer, baseline)
        self.legend.show_picture(self.bar.picture)
        if not self.bar.is_dimmed:
            self._answers = answer, baseline
        self.figures.dim(self.bar.is_dimmed)
        self.figures.show_lines(self._lines())
        self._chips = {chip.kind: chip for chip in chips_of(answer)}
        if self._chips_changed() or had_baseline != (self.bar.baseline is not None):
            self._lay_out()

    def compare(self, compares: bool) -> None:
        """Show the header of a comparison, or the usual one."""
        if compares != self._compares:
            self._compares = compares
            self.bar.compare(compares)
            self.figures.show_lines(self._lines())
            self._lay_out()

    @property
    def has_legend(self) -> bool:
        """Whether the legend is shown."""
        return self._has_legend

    def show_legend(self, is_shown: bool) -> None:
        """Show the legend below the bar, or hide it."""
        self.legend.setVisible(is_shown)
        self._has_legend = is_shown
        self._take_height()
        self._lay_out()

    def sizeHint(self) -> QSize:
        return QSize(160 * UNIT, self._height())

    def minimumSizeHint(self) -> QSize:
        """Return a width at which the shortest figures and the bar have room."""
        return QSize(80 * UNIT, self._height())

    # Contents

    def _lines(self) -> Sequence[Line]:
        """Return the figures of the last good answer."""
        (answer, baseline), picture, before = self._answers, self.bar.picture, self.bar.baseline
        if answer is None or picture is None:
            return ()
        if not self._compares or before is None or baseline is None:
            return figure_lines(picture, before)
        return compared_lines(picture, before, Moves(*came_in_and_left(baseline.assembly, answer.assembly)))

    def _chips_changed(self) -> bool:
        """Show the chips, in few words where the window is low; return whether that changes places."""
        return sum(shown.show_chip(self._chips.get(shown.kind), self._is_low) for shown in self.chips) > 0

    # Places

    def _block(self) -> int:
        """Return the height kept for the bar, with a baseline or not."""
        compared = BarLayout(self.width(), BarSize(), has_baseline=True).height
        return max(compared, BarLayout(self.width(), BarSize()).height) - 2 * AROUND

    def _height(self) -> int:
        legend = self.legend.sizeHint().height() + UNIT if self._has_legend else 0
        if self._is_low:
            return self._block() + 2 * _ABOVE_ROW + legend
        return 2 * GAP + scaled(_LINE) + _BETWEEN + self._block() + legend

    def _take_height(self) -> None:
        self.setFixedHeight(self._height())

    def _lay_out(self) -> None:
        """Place all parts: in two rows, or in one where the window is low."""
        legend = self.legend.sizeHint().height()
        block = QRect(MARGIN, 0, self.width() - 2 * MARGIN, self._block())
        if self._is_low:
            block.moveTop(_ABOVE_ROW)
            left = min(round(self.width() * _LEFT_SHARE), scaled(_WIDEST_LEFT)) - MARGIN
            self._place_line(QRect(MARGIN, block.top(), left, block.height()))
            block.setLeft(MARGIN + left + MARGIN)
        else:
            line = scaled(_LINE)
            block.moveTop(GAP + line + _BETWEEN)
            self._place_line(QRect(MARGIN, GAP, block.width(), line))
        bar = self.bar.sizeHint().height()
        top = block.center().y() + 1 - bar // 2
        self.bar.setGeometry(block.left() - AROUND, top, block.width() + 2 * AROUND, bar)
        if self._has_legend:
            self.legend.setGeometry(MARGIN, block.bottom() + 1 + UNIT, self.width() - 2 * MARGIN, legend)

    def _place_line(self, line: QRect) -> None:
        """Place figures at the left of a line, a button of a comparison and the chips at its right."""
        right, has_baseline = line.right() + 1, self.bar.baseline is not None
        self._word_buttons()
        self.swap.setVisible(self._compares and has_baseline)
        self.set_baseline.setVisible(self._compares and not has_baseline and self.bar.picture is not None)
        ends: Sequence[QWidget] = (self.swap, self.set_baseline, *reversed(self.chips))
        for part in ends:
            if not part.isHidden():
                size = part.sizeHint()
                if self._is_low and isinstance(part, QPushButton):
                    size.setWidth(size.height())
                right -= size.width()
                part.setGeometry(right, line.center().y() + 1 - size.height() // 2, size.width(), size.height())
                right -= 2 * UNIT
        above = max(scaled(_LINE) + 2 * UNIT - line.height(), 0) // 2
        width = right - 2 * UNIT - line.left()
        self.figures.setGeometry(line.left(), line.top() - above, width, line.height() + 2 * above)

    def _word_buttons(self) -> None:
        """Give the buttons their words, or their icons only where the row is short."""
        for button in (self.swap, self.set_baseline):
            button.setText("" if self._is_low else button.property(_WORDS))

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share a row, or not, when the height of the window changes."""
        if watched is self._watched and event.type() == QEvent.Type.Resize:
            self._fit_window()
        return super().eventFilter(watched, event)

    def _fit_window(self) -> None:
        is_low = self.window().height() < LOW
        if is_low != self._is_low:
            self._is_low = is_low
            self._chips_changed()
            self._take_height()
            self._lay_out()

    def _watch_window(self) -> None:
        if self._watched is not self.window():
            if self._watched is not None:
                self._watched.removeEventFilter(self)
            self._watched = self.window()
            self._watched.installEventFilter(self)
        self._fit_window()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._watch_window()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._take_height()
            self._lay_out()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground, and a hairline below."""
        painter, look = QPainter(self), theme()
        painter.fillRect(self.rect(), look.base)
        painter.fillRect(0, self.height() - 1, self.width(), 1, look.border)
        painter.end()


_WORDS = "words"
"""The property with the words of a button, which it may leave out."""


def _button(name: str, icon: str, words: str, tip: str, parent: QWidget) -> WordButton:
    button = WordButton(icon, words, parent)
    button.setObjectName(name)
    button.setProperty(_WORDS, words)
    button.setAccessibleName(tip)
    button.setToolTip(tooltip(tip))
    button.hide()
    return button
