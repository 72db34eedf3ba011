"""The bar of the context window: its parts in prompt order, and in a comparison the baseline's bar above it.

It paints a `BarPicture` and emits the segment under the mouse; it decides nothing.
"""

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inspector.assembly.answer import Answer
from inspector.gui.bar.layout import BarLayout, BarScale, BarSize
from inspector.gui.bar.painting import BarDrawing, BarPainter, place_labels
from inspector.gui.bar.pointing import Pointing
from inspector.gui.bar.zoom import ZoomableBar
from inspector.gui.parts.bar_picture import BarPicture, Segment, bar_picture
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.texts import excerpt, tooltip
from inspector.gui.theme import UNIT

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
NOTHING_TO_SHOW = "Open a chat to see how its prompt fills the context window."


class BudgetBar(ZoomableBar):
    """The stacked bar of an answer. After an error it keeps the last picture, dimmed, with the reason on top.

    `segment_clicked` and `hovered` carry the word of a section, or overhead, reserve or free; `hovered` carries "" when
    the pointer has left. A double click emits `segment_clicked` twice.
    """

    segment_clicked = Signal(str)
    hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None, size: BarSize | None = None) -> None:
        super().__init__(parent)
        self.looked_at.connect(self._describe)
        self.setObjectName("budget_bar")
        self.setAccessibleName("Token budget")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._size = size or BarSize()
        self._picture: BarPicture | None = None
        self._baseline: BarPicture | None = None
        self._compares = False
        self._reason = NOTHING_TO_SHOW
        self._hovered = self._selected = self._lit = self._limited = ""
        self._by_keys = False
        self._describe()

    def set_size(self, size: BarSize) -> None:
        """Set the height and the size of the labels."""
        if size != self._size:
            self._size = size
            self.updateGeometry()
            self.update()

    def compare(self, compares: bool) -> None:
        """Show the bar of the baseline above, if there is one, or not."""
        if compares != self._compares:
            self._compares = compares
            self._rescale()
            self.updateGeometry()
            self.update()

    def show_answer(self, answer: Answer | None, baseline: Answer | None) -> None:
        """Show an answer and its baseline's; an unchanged picture is not painted again."""
        before = (self._picture, self._reason, self._baseline)
        error = answer.assembly.error if answer else None
        if answer is None:
            self._picture, self._reason = None, NOTHING_TO_SHOW
        elif error is not None:
            self._reason = excerpt(error.message)
        else:
            self._picture, self._reason = bar_picture(answer), ""
        self._baseline = bar_picture(baseline) if baseline and not baseline.assembly.error else None
        if before != (self._picture, self._reason, self._baseline):
            self._rescale()
            self._describe()
            self.update()

    def light(self, name: str) -> None:
        """Mark the segment of this word, as if the mouse were on it; "" for none."""
        if name != self._lit:
            self._lit = name
            self.update()

    def show_limit(self, name: str) -> None:
        """Show the limit of the section of this word, as while its slider is dragged; "" for none."""
        if name != self._limited:
            self._limited = name
            self.update()

    @property
    def picture(self) -> BarPicture | None:
        """The painted picture; None if there is none."""
        return self._picture

    @property
    def baseline(self) -> BarPicture | None:
        """The picture of the baseline, painted or not; None if there is none."""
        return self._baseline

    @property
    def unnamed(self) -> frozenset[str]:
        """The words of the parts with tokens whose names have no room inside."""
        picture = self._picture
        if picture is None:
            return frozenset()
        painter = BarPainter(self, self._size)
        spans = [(segment, self.span_of(segment)) for segment in picture.segments if segment.tokens]
        named = {label.segment.word for label in place_labels(spans, picture.figures, painter.width_of) if label.name}
        return frozenset(segment.word for segment, _ in spans if segment.word not in named)

    @property
    def is_dimmed(self) -> bool:
        """Whether the picture is that of the last good answer, and another was refused."""
        return self._picture is not None and bool(self._reason)

    def span_of(self, segment: Segment) -> QRect:
        """Return the rectangle of a segment, in pixels of this widget."""
        scale = self._scale()
        return scale.span(segment, scale.bar)

    def sizeHint(self) -> QSize:
        return QSize(160 * UNIT, self._layout().height)

    def minimumSizeHint(self) -> QSize:
        """Return a width at which labels are lost, but no segments."""
        return QSize(60 * UNIT, self.sizeHint().height())

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint everything: some fifteen rectangles and their labels."""
        painter, layout = BarPainter(self, self._size), self._layout()
        with painter.opened():
            if self._picture is None:
                painter.reason_on(layout.bar, self._reason, failed=self._reason != NOTHING_TO_SHOW)
                return
            painter.dim(bool(self._reason))
            drawing = BarDrawing(painter, layout, self._scale())
            if self._shown_baseline is not None:
                drawing.baseline(self._shown_baseline)
            selected = self._selected if self.hasFocus() else ""
            limited = {self._hovered, self._limited, selected if self._by_keys else ""}
            drawing.bar(self._picture, {self._hovered, self._lit, selected}, limited)
            painter.dim(False)
            if self._reason:
                painter.reason_on(layout.bar, self._reason, failed=True)

    # Places

    @property
    def _shown_baseline(self) -> BarPicture | None:
        return self._baseline if self._compares else None

    def _layout(self) -> BarLayout:
        return BarLayout(self.width(), self._size, self._shown_baseline is not None)

    def _scale(self) -> BarScale:
        return self._layout().scale(self.zoom)

    def _rescale(self) -> None:
        """Take the length of the bar from the pictures that are shown."""
        pictures = filter(None, (self._picture, self._shown_baseline))
        whole = max((picture.scale for picture in pictures), default=1)
        self.take_length(whole, self._picture.total if self._picture else 0)

    def _pointing(self) -> Pointing | None:
        if self._picture is None:
            return None
        layout = self._layout()
        return Pointing(self._picture, self._shown_baseline, layout, layout.scale(self.zoom))

    # Mouse and keys

    def _word_at(self, place: QPoint) -> str:
        pointing = self._pointing()
        segment = pointing.segment(place) if pointing else None
        return segment.word if segment else ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.drag_to(event):
            self._hover(self._word_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover("")

    def _hover(self, name: str) -> None:
        if name != self._hovered:
            self._hovered = name
            self._show_cursor()
            self.hovered.emit(name)
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Emit the click again, so that the second click undoes the first; the double click zooms."""
        if event.button() == Qt.MouseButton.LeftButton and (name := self._word_at(event.position().toPoint())):
            self.segment_clicked.emit(name)
        super().mouseDoubleClickEvent(event)

    def _show_cursor(self) -> None:
        self.setCursor(Qt.CursorShape.PointingHandCursor if self._hovered else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select and emit the segment clicked."""
        pressed = self.end_drag(event)
        if pressed is not None and (name := self._word_at(pressed)):
            self._select(name, by_keys=False)
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

    def _select(self, name: str, by_keys: bool = True) -> None:
        """Select a segment and bring it into sight; with its limit, as if the mouse were on it, if selected by keys."""
        self._selected, self._by_keys = name, by_keys
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
        part = "" if self.zoom.is_whole else f" In sight: {self._scale().sentence} tokens."
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
