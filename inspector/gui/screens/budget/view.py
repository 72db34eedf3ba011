"""The budget bar: the context window as a stacked bar, in prompt order, with the baseline above it.

It paints a `BarPicture` and emits the segment under the mouse; it decides nothing.
"""

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inspector.assembly.answer import Answer
from inspector.figures import figures
from inspector.gui.parts.bar_picture import BarPicture, Segment, bar_picture
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.texts import excerpt, tooltip
from inspector.gui.screens.budget.layout import BAR_HEIGHT, LARGE_BAR_HEIGHT, BarLayout, BarScale, ZoomableBar
from inspector.gui.screens.budget.legend import LegendEntry, place_legend
from inspector.gui.screens.budget.painting import BarDrawing, BarPainter
from inspector.gui.screens.budget.pointing import Pointing
from inspector.gui.theme import GAP, UNIT, named_font

KEYS = (
    KeyUse("Next or previous part", "Right, Left"),
    KeyUse("First or last part", "Home, End"),
    KeyUse("Show only its items", "Return, Space"),
    KeyUse("Zoom in", "+, ="),
    KeyUse("Zoom out", "-"),
    KeyUse("Show the whole window", "0"),
    KeyUse("Fit what is used", "F"),
    KeyUse("Move what is in sight", "Ctrl+Right, Ctrl+Left"),
)
NOTHING_TO_SHOW = "Open a conversation to see how its prompt fills the context window."
_LONGEST_SCALE = "1,888,888 to 1,888,888 · 1 px ≈ 8,888 tokens"


class BudgetBar(ZoomableBar):
    """The stacked bar of an answer. After an error it keeps the last picture, dimmed, with the reason on top.

    `segment_clicked` and `segment_hovered` carry the word of a section, or overhead, reserve or free; "" when the
    pointer has left. A double click emits `segment_clicked` twice. The bar zooms; its legend does not change while
    sliders move.
    """

    segment_clicked = Signal(str)
    segment_hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.looked_at.connect(self._describe)
        self.setObjectName("budget_bar")
        self.setAccessibleName("Token budget")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._picture: BarPicture | None = None
        self._baseline: BarPicture | None = None
        self._reason = NOTHING_TO_SHOW
        self._hovered = ""
        self._selected = ""
        self._bar_height, self._has_legend = BAR_HEIGHT, True
        self._describe()

    def set_height(self, large: bool, legend: bool) -> None:
        """Set the height: large enough to be read from afar, or the usual one; with or without the line of the
        legend.
        """
        height = LARGE_BAR_HEIGHT if large else BAR_HEIGHT
        if (self._bar_height, self._has_legend) != (height, legend):
            self._bar_height, self._has_legend = height, legend
            self.updateGeometry()
            self.update()

    def show_answer(self, answer: Answer | None, baseline: Answer | None) -> None:
        """Show an answer with the baseline's above it; an unchanged picture is not painted again."""
        before = (self._picture, self._reason, self._baseline)
        error = answer.assembly.error if answer else None
        if answer is None:
            self._picture, self._reason = None, NOTHING_TO_SHOW
        elif error is not None:
            self._reason = excerpt(error.message)
        else:
            self._picture, self._reason = bar_picture(answer), ""
        self._baseline = bar_picture(baseline) if baseline and not baseline.assembly.error else None
        self.take_length(self._tokens_in_all(), self._picture.total if self._picture else 0)
        if before != (self._picture, self._reason, self._baseline):
            self._describe()
            self.update()

    @property
    def picture(self) -> BarPicture | None:
        """The painted picture; None if there is none."""
        return self._picture

    def span_of(self, segment: Segment) -> QRect:
        """Return the rectangle of a segment, in pixels of this widget."""
        scale = self._scale()
        return scale.span(segment, scale.bar)

    def place_of_entry(self, name: str) -> QRect:
        """Return the place of a part in the legend, by its word; empty if it is not listed."""
        return next((entry.place for entry in self._legend() if entry.part.word == name), QRect())

    def sizeHint(self) -> QSize:
        return QSize(160 * UNIT, self._layout().height)

    def minimumSizeHint(self) -> QSize:
        """Return a width at which labels are lost, but no segments."""
        return QSize(80 * UNIT, self.sizeHint().height())

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint everything: some fifteen rectangles and their labels."""
        painter, layout = BarPainter(self), self._layout()
        with painter.opened():
            if self._picture is None:
                painter.reason_on(layout.bar, self._reason, failed=self._reason != NOTHING_TO_SHOW)
                return
            painter.dim(bool(self._reason))
            drawing = BarDrawing(painter, layout, self._scale())
            if self._baseline is not None:
                drawing.baseline(self._baseline)
            drawing.bar(self._picture, {self._hovered, self._selected if self.hasFocus() else ""})
            if self._has_legend:
                drawing.last_line(self._legend(), self._hovered, self._scale_place())
            painter.dim(False)
            if self._reason:
                painter.reason_on(layout.bar, self._reason, failed=True)

    # Places

    def _layout(self) -> BarLayout:
        side = self._side_width() if self._picture else 0
        return BarLayout(self.width(), side, self._label_height(), self._bar_height, self._has_legend)

    def _scale(self) -> BarScale:
        return self._layout().scale(self.zoom)

    def _legend(self) -> list[LegendEntry]:
        if self._picture is None or not self._has_legend:
            return []
        row = self._layout().last_line
        row.setRight(self._scale_place().left() - GAP)
        return place_legend(self._picture.parts, QFontMetrics(named_font("caption")).horizontalAdvance, row)

    def _scale_place(self) -> QRect:
        """Return the place of the scale: as wide as its longest text, so that nothing beside it moves."""
        row, width = self._layout().last_line, QFontMetrics(named_font("caption")).horizontalAdvance(_LONGEST_SCALE)
        return row.adjusted(max(row.width() - width, 0), 0, 0, 0)

    def _tokens_in_all(self) -> int:
        return max((picture.scale for picture in (self._picture, self._baseline) if picture is not None), default=1)

    def _side_width(self) -> int:
        """Return the greatest width of the totals at this scale, so that the bar keeps its place while they change."""
        most = figures(self._tokens_in_all())
        font = self.font()
        font.setWeight(QFont.Weight.DemiBold)
        return QFontMetrics(font).horizontalAdvance(f"prompt ≈ {most} + reserve {most}")

    def _label_height(self) -> int:
        return QFontMetrics(named_font("caption")).height()

    def _pointing(self) -> Pointing | None:
        if self._picture is None:
            return None
        layout, zoom = self._layout(), self.zoom
        return Pointing(self._picture, self._baseline, layout, layout.scale(zoom), self._legend(), self._scale_place())

    # Mouse and keys

    def _word_at(self, place: QPoint) -> str:
        pointing = self._pointing()
        return pointing.word(place) if pointing else ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.drag_to(event):
            self._hover(self._word_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover("")

    def _hover(self, name: str) -> None:
        if name != self._hovered:
            self._hovered = name
            self._show_cursor()
            self.segment_hovered.emit(name)
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Emit the click again, so that the second click undoes the first; the double click zooms."""
        if event.button() == Qt.MouseButton.LeftButton and (name := self._word_at(event.position().toPoint())):
            self.segment_clicked.emit(name)
        super().mouseDoubleClickEvent(event)

    def _show_cursor(self) -> None:
        self.setCursor(Qt.CursorShape.PointingHandCursor if self._hovered else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select and emit the segment clicked, on the bar or in the legend."""
        pressed = self.end_drag(event)
        if pressed is not None and (name := self._word_at(pressed)):
            self._select(name)
            self.segment_clicked.emit(name)
        self._show_cursor()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left, Right, Home and End move between segments, Enter and Space click; +, −, 0 and F zoom, Ctrl with an
        arrow moves.
        """
        if self._picture is None or not (self.zoom_by_key(event) or self._choose_by_key(event)):
            super().keyPressEvent(event)

    def middle_of_choice(self) -> float | None:
        """Return the middle of the selected segment."""
        selected = self._picture.named(self._selected) if self._picture else None
        return selected.start + selected.tokens / 2 if selected else None

    def token_at(self, x: float) -> float:
        return self._scale().tokens_at(x)

    def _choose_by_key(self, event: QKeyEvent) -> bool:
        names = [segment.word for segment in self._picture.segments if segment.tokens] if self._picture else []
        at = names.index(self._selected) if self._selected in names else -1
        steps = {
            Qt.Key.Key_Right: min(at + 1, len(names) - 1),
            Qt.Key.Key_Left: max(at - 1, 0),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(names) - 1,
        }
        key = Qt.Key(event.key())
        if names and key in steps:
            self._select(names[steps[key]])
        elif at >= 0 and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.segment_clicked.emit(self._selected)
        else:
            return False
        return True

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the first segment when the focus comes by keyboard."""
        super().focusInEvent(event)
        if self._picture and not self._selected and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._select(self._picture.segments[0].word)

    def _select(self, name: str) -> None:
        """Select a segment and bring it into sight."""
        self._selected = name
        segment = self._picture.named(name) if self._picture else None
        if segment is not None:
            self.look_at(self.zoom.with_all_of(segment.start, segment.end))
        self._describe()
        self.update()

    # Words

    def _describe(self) -> None:
        """Describe the picture in words for screen readers, the selected segment first."""
        if self._picture is None or self._reason:
            self.setAccessibleDescription(self._reason)
            return
        selected = self._picture.named(self._selected)
        first = self._picture.sentence(selected) + " " if selected else ""
        part = "" if self.zoom.is_whole else f" In sight: {self.zoom.first:,.0f} to {self.zoom.last:,.0f} tokens."
        baseline = f" Baseline: {self._baseline.description}" if self._baseline else ""
        self.setAccessibleDescription(first + self._picture.description + part + baseline)

    def tool_tip_at(self, place: QPoint) -> str:
        """Return the sentences for a point of the bar, "" beside it; after an error the reason, which may not fit the
        bar.
        """
        if self._reason:
            return self._reason
        pointing = self._pointing()
        return pointing.sentences(place) if pointing else ""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tooltip(self.tool_tip_at(event.pos())), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.updateGeometry()
            self.update()
        super().changeEvent(event)
