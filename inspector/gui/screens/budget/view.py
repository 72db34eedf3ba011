"""The budget bar: the context window as one stacked bar, in prompt order, with the baseline above it.

It paints a `BarPicture` and says which segment a person means; it decides nothing.
"""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inspector.assembly.answer import Answer
from inspector.figures import figures
from inspector.gui.parts.bar_picture import BarPicture, Limit, Loan, Segment, bar_picture
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import excerpt
from inspector.gui.screens.budget.labels import place_labels, place_limits
from inspector.gui.screens.budget.painting import BarPainter
from inspector.gui.screens.budget.scale import BarScale
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, small_font

BAR_HEIGHT = 7 * UNIT
LARGE_BAR_HEIGHT = 28 * UNIT
BASELINE_HEIGHT = 2 * UNIT
LOAN_HEIGHT = 2 * UNIT
"""The lane above the bar in which loans are drawn; the margin where there is no baseline."""
TICK_REACH = 3
"""So many pixels beside a tick still mean it."""
TICK_FOOT = 5
NOTHING_TO_SHOW = "Open a conversation to see how its prompt fills the context window."


class BudgetBar(QWidget):
    """The stacked bar of an answer. After an error it keeps the last picture, dimmed, with the reason on top.

    `segment_clicked` and `segment_hovered` carry the word of a section, or overhead, reserve or free; "" when the
    pointer has left.
    """

    segment_clicked = Signal(str)
    segment_hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        self._bar_height = BAR_HEIGHT
        self._describe()

    def set_large(self, large: bool) -> None:
        """Be as high as it takes to be seen from afar, or as flat as usual."""
        self._bar_height = LARGE_BAR_HEIGHT if large else BAR_HEIGHT
        self.updateGeometry()
        self.update()

    def show_answer(self, answer: Answer | None, baseline: Answer | None) -> None:
        """Show an answer and, above it, the one it is compared with; what looks the same is not painted again."""
        before = (self._picture, self._reason, self._baseline)
        error = answer.assembly.error if answer else None
        if answer is None:
            self._picture, self._reason = None, NOTHING_TO_SHOW
        elif error is not None:
            self._reason = excerpt(error.message)
        else:
            self._picture, self._reason = bar_picture(answer), ""
        self._baseline = bar_picture(baseline) if baseline and not baseline.assembly.error else None
        if (before[-1] is None) != (self._baseline is None):
            self.updateGeometry()
        if before != (self._picture, self._reason, self._baseline):
            self._describe()
            self.update()

    @property
    def picture(self) -> BarPicture | None:
        """What is painted; None when there is nothing."""
        return self._picture

    def span_of(self, segment: Segment) -> QRect:
        """The rectangle of a segment, in pixels of this widget."""
        scale = self._scale()
        return scale.span(segment, scale.bar)

    def sizeHint(self) -> QSize:
        """As wide as there is room, as high as its lines."""
        return QSize(160 * UNIT, self._bar_rect().bottom() + 2 * UNIT + self._label_height() + UNIT)

    def minimumSizeHint(self) -> QSize:
        """Narrower loses labels, not segments."""
        return QSize(80 * UNIT, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint everything: some fifteen rectangles and their labels."""
        painter = BarPainter(self)
        with painter.opened():
            if self._picture is None:
                painter.reason_on(self._bar_rect(), self._reason, failed=self._reason != NOTHING_TO_SHOW)
                return
            scale = self._scale()
            painter.dim(bool(self._reason))
            if self._baseline is not None:
                self._paint_baseline(painter, self._baseline, scale)
            self._paint_bar(painter, self._picture, scale)
            painter.dim(False)
            if self._reason:
                painter.reason_on(scale.bar, self._reason, failed=True)

    def _paint_baseline(self, painter: BarPainter, picture: BarPicture, scale: BarScale) -> None:
        row = self._baseline_rect()
        for segment in picture.segments:
            painter.segment(segment, scale.span(segment, row))
        painter.frame(QRect(row.left(), row.top(), scale.x(picture.window) - row.left(), row.height()))
        self._paint_limits(painter, scale.ticks(picture), row)
        text = f"baseline {figures(picture.total, picture.estimated)}"
        painter.total(self._side_rect(row.center().y()), text, strong=False)

    def _paint_bar(self, painter: BarPainter, picture: BarPicture, scale: BarScale) -> None:
        row = scale.bar
        spans = [(segment, scale.span(segment, row)) for segment in picture.segments]
        for segment, span in spans:
            painter.segment(segment, span)
        window_end = scale.x(picture.window)
        painter.frame(QRect(row.left(), row.top(), window_end - row.left(), row.height()))
        if picture.over:
            over_end = scale.x(picture.window + picture.over)
            painter.over(QRect(window_end, row.top(), over_end - window_end, row.height()))
        ticks = scale.ticks(picture)
        self._paint_limits(painter, ticks, row)
        for loan in picture.loans:
            painter.loan(loan, scale.x(loan.source), scale.stretch(loan), row)
        below = QRect(row.left(), row.bottom() + 6, row.width(), self._label_height())
        labels = place_labels(spans, picture.figures, painter.width_of, below)
        of_limits = ((x, limits[0].title) for x, limits in ticks.items())
        for label in (*labels, *place_limits(of_limits, painter.width_of, below, labels)):
            painter.label(label)
        for segment, span in spans:
            if segment.word in (self._hovered, self._selected if self.hasFocus() else ""):
                painter.mark(span)
        side = row.center().y()
        painter.total(self._side_rect(side - self._label_height() // 2 - 1), picture.total_text, strong=True)
        painter.rest(self._side_rect(side + self._label_height() // 2 + 2), picture.rest_text, over=picture.over > 0)

    def _paint_limits(self, painter: BarPainter, ticks: Mapping[int, Sequence[Limit]], row: QRect) -> None:
        for x, limits in ticks.items():
            painter.limit(limits[0].section, x, row)

    def _scale(self) -> BarScale:
        return BarScale(self._bar_rect(), self._tokens_in_width())

    def _tokens_in_width(self) -> int:
        return max((picture.scale for picture in (self._picture, self._baseline) if picture is not None), default=1)

    def _bar_rect(self) -> QRect:
        top = PANEL_MARGIN + (BASELINE_HEIGHT + LOAN_HEIGHT if self._baseline else 0)
        side = self._side_width() + GAP if self._picture else 0
        return QRect(PANEL_MARGIN, top, max(1, self.width() - 2 * PANEL_MARGIN - side), self._bar_height)

    def _baseline_rect(self) -> QRect:
        bar = self._bar_rect()
        return QRect(bar.left(), PANEL_MARGIN, bar.width(), BASELINE_HEIGHT)

    def _side_width(self) -> int:
        """As wide as the totals get at this scale, so that the bar stays where it is while they change."""
        most = figures(self._tokens_in_width())
        font = self.font()
        font.setWeight(QFont.Weight.DemiBold)
        return QFontMetrics(font).horizontalAdvance(f"prompt ≈ {most} + reserve {most}")

    def _side_rect(self, middle: int) -> QRect:
        height = self._label_height() + 2
        left = self.width() - PANEL_MARGIN - self._side_width()
        return QRect(left, middle - height // 2, self._side_width(), height)

    def _label_height(self) -> int:
        return QFontMetrics(small_font()).height()

    def _segment_under(self, place: QPoint) -> Segment | None:
        """The segment at a point: the narrowest that covers it, so that thin ones can be pointed at."""
        return min(self._segments_under(place), key=lambda segment: segment.tokens, default=None)

    def _segments_under(self, place: QPoint) -> Iterator[Segment]:
        if self._picture is None:
            return
        scale = self._scale()
        for segment in self._picture.segments:
            if segment.tokens and scale.span(segment, scale.bar).contains(place):
                yield segment

    def _loans_under(self, place: QPoint) -> Iterator[Loan]:
        """The loans that are drawn in the lane above the bar at a point."""
        if self._picture is None:
            return
        scale = self._scale()
        top = scale.bar.top()
        for loan in self._picture.loans:
            stretch, source = scale.stretch(loan), scale.x(loan.source)
            lane = QRect(
                QPoint(min(source, stretch.left()), top - LOAN_HEIGHT), QPoint(max(source, stretch.right()), top)
            )
            if lane.adjusted(-4, 0, 4, 0).contains(place):
                yield loan

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say which segment is pointed at."""
        segment = self._segment_under(event.position().toPoint())
        self._hover(segment.word if segment else "")

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at any more."""
        self._hover("")

    def _hover(self, name: str) -> None:
        if name != self._hovered:
            self._hovered = name
            self.setCursor(Qt.CursorShape.PointingHandCursor if name else Qt.CursorShape.ArrowCursor)
            self.segment_hovered.emit(name)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a segment asks to see what is in it."""
        segment = self._segment_under(event.position().toPoint())
        if segment is not None and event.button() == Qt.MouseButton.LeftButton:
            self._select(segment)
            self.segment_clicked.emit(segment.word)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left, Right, Home and End move between segments, Enter and Space click."""
        there = [segment for segment in self._picture.segments if segment.tokens] if self._picture else []
        names = [segment.word for segment in there]
        at = names.index(self._selected) if self._selected in names else -1
        steps = {
            Qt.Key.Key_Right: min(at + 1, len(there) - 1),
            Qt.Key.Key_Left: max(at - 1, 0),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(there) - 1,
        }
        key = Qt.Key(event.key())
        if there and key in steps:
            self._select(there[steps[key]])
        elif at >= 0 and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.segment_clicked.emit(self._selected)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Who comes by keyboard starts at the first segment."""
        super().focusInEvent(event)
        if self._picture and not self._selected and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._select(self._picture.segments[0])

    def _select(self, segment: Segment) -> None:
        self._selected = segment.word
        self._describe()
        self.update()

    def _describe(self) -> None:
        """Say in words what the picture shows, the selected segment first."""
        if self._picture is None or self._reason:
            self.setAccessibleDescription(self._reason)
            return
        selected = self._picture.named(self._selected)
        first = self._picture.sentence(selected) + " " if selected else ""
        baseline = f" Baseline: {self._baseline.description}" if self._baseline else ""
        self.setAccessibleDescription(first + self._picture.description + baseline)

    def tool_tip_at(self, place: QPoint) -> str:
        """The sentence for a point of the bar, "" beside it; after an error the reason, which may not fit the bar."""
        if self._reason:
            return self._reason
        segment = self._segment_under(place)
        if self._picture is None:
            return ""
        lines = [*self._limits_under(place), *self._baseline_under(place)]
        if segment is None:
            return "\n".join([*lines, *(loan.sentence for loan in self._loans_under(place))])
        lines.append(self._picture.sentence(segment))
        if place.x() >= self._scale().x(self._picture.window):
            lines.append(f"{self._picture.total_text} {self._picture.rest_text}.")
        return "\n".join(lines)

    def _limits_under(self, place: QPoint) -> Iterator[str]:
        """What the ticks at a point mean, on the bar, at their feet, and on the bar of the baseline."""
        scale, bar, thin = self._scale(), self._bar_rect(), self._baseline_rect()
        for picture, row, whose in ((self._picture, bar, ""), (self._baseline, thin, "Baseline: ")):
            if picture is not None and row.top() - 2 <= place.y() <= row.bottom() + TICK_FOOT:
                near = (limits for x, limits in scale.ticks(picture).items() if abs(place.x() - x) <= TICK_REACH)
                yield from (whose + limit.sentence for limits in near for limit in limits)

    def _baseline_under(self, place: QPoint) -> Iterator[str]:
        """The segment of the baseline at a point."""
        scale, row, picture = self._scale(), self._baseline_rect(), self._baseline
        for segment in picture.segments if picture else ():
            if picture and scale.span(segment, row).contains(place):
                yield f"Baseline: {picture.sentence(segment)}"

    def event(self, event: QEvent) -> bool:
        """Tooltips follow the segments."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tooltip(self.tool_tip_at(event.pos())), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Another theme or font: other colours and lines."""
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.updateGeometry()
            self.update()
        super().changeEvent(event)
