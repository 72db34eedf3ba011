"""The legend of the bar: a line with every part, its tokens and its limit, in prompt order."""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inspector.figures import figures
from inspector.gui.bar.layout import BarSize
from inspector.gui.bar.painting import CAP, part_brush
from inspector.gui.parts.bar_picture import BarPart, BarPicture
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import UNIT, theme

FULL = "full"
"""The word and the text of the entry that explains the cap of full sections."""
_REST = "…"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A part of the bar in words with its rectangle in the legend; the square of its colour is at the left end."""

    part: BarPart
    text: str
    place: QRect
    side: int

    @property
    def square(self) -> QRect:
        """Where its colour is."""
        return QRect(self.place.left(), self.place.center().y() + 1 - self.side // 2, self.side, self.side)

    @property
    def words(self) -> QRect:
        """Where its text is."""
        return self.place.adjusted(self.side + _gap(self.side), 0, 0, 0)


def entries_of(picture: BarPicture) -> Iterator[tuple[BarPart, str]]:
    """Yield every part with its text: Memories 1,362 of 1,398; last the cap of full sections, if there are any."""
    for part in picture.parts:
        segment, limit = picture.named(part.word), picture.limit_of(part.word)
        tokens = picture.figures(segment) if segment else figures(0)
        is_first = limit is not None and limit.words[0] == part.word
        yield part, f"{part.title} {tokens} of {limit.title}" if limit and is_first else f"{part.title} {tokens}"
    if any(segment.is_full for segment in picture.segments):
        yield BarPart(FULL, FULL), FULL


def place_legend(
    parts: Sequence[tuple[BarPart, str]], width_of: Callable[[str], int], row: QRect, side: int
) -> list[LegendEntry]:
    """Return an entry for each part from left to right, as many as there is room for; then … stands for the rest."""
    entries: list[LegendEntry] = []
    left, gap = row.left(), _gap(side)
    for number, (part, text) in enumerate(parts):
        width = side + gap + width_of(text)
        rest = 0 if number == len(parts) - 1 else 2 * gap + width_of(_REST)
        if left + width + rest > row.right() + 1:
            place = QRect(left - side - gap, row.top(), side + gap + width_of(_REST), row.height())
            return [*entries, LegendEntry(BarPart("", _REST), _REST, place, side)]
        entries.append(LegendEntry(part, text, QRect(left, row.top(), width, row.height()), side))
        left += width + 2 * gap
    return entries


def _gap(side: int) -> int:
    return max(UNIT, round(side * 0.6))


class LegendLine(QWidget):
    """The legend as a line of small text; pointing and clicking work as on the bar.

    `clicked` and `hovered` carry the word of a part; "" when the pointer has left.
    """

    clicked = Signal(str)
    hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bar_legend")
        self.setAccessibleName("Legend of the bar")
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._picture: BarPicture | None = None
        self._only: Set[str] | None = None
        self._size = BarSize()
        self._hovered = ""

    def set_size(self, size: BarSize) -> None:
        """Take the size of the labels of a bar."""
        self._size = size
        self.updateGeometry()
        self.update()

    def show_picture(self, picture: BarPicture | None, only: Set[str] | None = None) -> None:
        """Show the parts of a bar, all or only those of these words; the cap of full sections is always explained."""
        if (picture, only) != (self._picture, self._only):
            self._picture, self._only = picture, only
            self.setAccessibleDescription(". ".join(text for _, text in self._shown))
            self.update()

    @property
    def _shown(self) -> Sequence[tuple[BarPart, str]]:
        """The parts to show, with their texts."""
        found = () if self._picture is None else entries_of(self._picture)
        return [pair for pair in found if self._only is None or pair[0].word in (*self._only, FULL)]

    def place_of(self, name: str) -> QRect:
        """Return the place of a part, by its word; empty if it is not listed."""
        return next((entry.place for entry in self._entries() if entry.part.word == name), QRect())

    def sizeHint(self) -> QSize:
        return QSize(80 * UNIT, self._metrics().height() + 2)

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._size.font())

    def _entries(self) -> list[LegendEntry]:
        if self._picture is None:
            return []
        metrics = self._metrics()
        side = round(metrics.height() * 0.65)
        return place_legend(self._shown, metrics.horizontalAdvance, self.rect(), side)

    def _entry_at(self, place: QPoint) -> LegendEntry | None:
        return next((entry for entry in self._entries() if entry.place.contains(place)), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme()
        painter.setFont(self._size.font())
        for entry in self._entries():
            self._paint_square(painter, entry)
            painter.setPen(look.text if entry.part.word == self._hovered else look.second_text)
            painter.drawText(entry.words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), entry.text)
        painter.end()

    def _paint_square(self, painter: QPainter, entry: LegendEntry) -> None:
        look, square = theme(), entry.square
        if entry.part.word == FULL:
            painter.fillRect(QRect(square.center().x() - CAP // 2, square.top(), CAP, square.height()), look.text)
        elif entry.part.word:
            painter.fillRect(square, part_brush(entry.part))
            if entry.part.word in ("reserve", "free"):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(look.outline, 1))
                painter.drawRect(square.adjusted(0, 0, -1, -1))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        entry = self._entry_at(event.position().toPoint())
        self._hover(entry.part.word if entry else "")

    def leaveEvent(self, event: QEvent) -> None:
        self._hover("")

    def _hover(self, name: str) -> None:
        if name != self._hovered:
            self._hovered = name
            self.hovered.emit("" if name == FULL else name)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Click the part under the mouse."""
        entry = self._entry_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and entry and entry.part.word not in ("", FULL):
            self.clicked.emit(entry.part.word)

    def tool_tip_at(self, place: QPoint) -> str:
        """Return the sentences for a point, "" beside the entries."""
        entry = self._entry_at(place)
        if entry is None or self._picture is None:
            return ""
        if entry.part.word == FULL:
            return "The limit of this section is what holds something out."
        if not entry.part.word:
            return "\n".join(text for _, text in self._shown)
        return self._picture.sentence_of(entry.part)

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
