"""The pictures of the survey: figures, lengths against the window, chats that fit by window, and a mean prompt."""

from collections.abc import Iterator, Sequence
from math import log2

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.analysis.archive.survey import LengthBin, PartOfPrompt, WindowFit
from inspector.assembly.columns import Section, section_title, word
from inspector.figures import counted, percentage
from inspector.gui.bar.small_bar import paint_small_bar
from inspector.gui.parts.bar_picture import BarPart
from inspector.gui.parts.card import write
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import named_font, scaled, theme

_SECTIONS = {word(section): BarPart(word(section), section_title(section), section) for section in Section}
_OTHERS = {
    "overhead": BarPart("overhead", "Formatting"),
    "reserve": BarPart("reserve", "Reply"),
    "free": BarPart("free", "Free"),
}
_K, _M = 1 << 10, 1 << 20
_LEAST_NAMED = 0.005
_CENTER = Qt.AlignmentFlag.AlignCenter


def short(tokens: int) -> str:
    """Return a window in few letters: 512, 8k, 1M."""
    if tokens >= _M and not tokens % _M:
        return f"{tokens // _M}M"
    if tokens >= _K and not tokens % _K:
        return f"{tokens // _K}k"
    return f"{tokens / 1000:,.1f}k".replace(".0k", "k") if tokens >= 1_000 else f"{tokens}"


class Figure(QWidget):
    """A large figure with a line of its meaning and a smaller one of its surroundings."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = self.meaning = self.more = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def say(self, figure: str, meaning: str, more: str) -> None:
        """Show a figure."""
        if (figure, meaning, more) != (self.figure, self.meaning, self.more):
            self.figure, self.meaning, self.more = figure, meaning, more
            self.setAccessibleName(", ".join(filter(None, (f"{figure} {meaning}", more))))
            self.setToolTip(tooltip(self.accessibleName()))
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(130), scaled(66))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look, width = QPainter(self), theme(), self.width()
        write(painter, QRect(0, 0, width, scaled(28)), self.figure, "large", look.text)
        write(painter, QRect(0, scaled(28), width, scaled(18)), self.meaning, "secondary", look.second_text)
        write(painter, QRect(0, scaled(46), width, scaled(16)), self.more, "caption", look.muted_text)
        painter.end()


class _Picture(QWidget):
    """A picture of a fixed height with words for screen readers."""

    def __init__(self, name: str, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._height = height
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(scaled(240), scaled(self._height))

    def _describe(self, words: str) -> None:
        self.setAccessibleDescription(words)
        self.setToolTip(tooltip(words))
        self.update()


class LengthsPicture(_Picture):
    """How many chats have how many tokens of messages; those beyond their own room in the colour of what is over."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Lengths of the chats", 150, parent)
        self._bins: Sequence[LengthBin] = ()
        self._window = self._room = 0

    def show_lengths(self, bins: Sequence[LengthBin], window: int, room: int) -> None:
        """Show these bins, and the line of a window less the reply."""
        self._bins, self._window, self._room = bins, window, room
        said = (f"{one.first:,} to {one.last:,} tokens: {counted(one.chats, 'chat')}" for one in bins if one.chats)
        self._describe("\n".join(said))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        foot = scaled(18)
        plot = QRect(0, scaled(18), self.width(), self.height() - scaled(18) - foot)
        painter.fillRect(0, plot.bottom() + 1, self.width(), 1, look.border)
        if not self._bins:
            return
        step, most = plot.width() / max(len(self._bins), 6), max(one.chats for one in self._bins) or 1
        painter.setPen(Qt.PenStyle.NoPen)
        for place, one in enumerate(self._bins):
            left, unit = plot.left() + place * step, plot.height() / most
            within, over = (one.chats - one.over) * unit, one.over * unit
            column = QRectF(left + 1, plot.bottom() + 1 - within, max(step - 3, 1.0), within)
            painter.fillRect(column, look.section_color(Section.HISTORY))
            painter.fillRect(column.adjusted(0, -over, 0, -within), look.extra_color("over"))
        self._paint_ticks(painter, plot, step, look.muted_text)
        self._paint_window(painter, plot, step)
        painter.end()

    def _paint_ticks(self, painter: QPainter, plot: QRect, step: float, ink: QColor) -> None:
        """Write the first lengths of bins, as many as have room."""
        painter.setFont(named_font("caption"))
        painter.setPen(ink)
        widest = QFontMetrics(painter.font()).horizontalAdvance("128k") + scaled(8)
        every = max(1, -(-widest // max(round(step), 1)))
        for place in range(0, len(self._bins), every):
            words = short(self._bins[place].first) if self._bins[place].first else "0"
            at = QRect(round(plot.left() + place * step), plot.bottom() + 3, widest, scaled(16))
            painter.drawText(at, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), words)

    def _paint_window(self, painter: QPainter, plot: QRect, step: float) -> None:
        """Draw a dashed line where chats no longer fit, with its words on the side with more room."""
        if not self._room:
            return
        look, first = theme(), self._bins[0]
        begin = log2(first.first) if first.first else log2(first.last + 1) - 1
        x = plot.left() + min(max(log2(max(self._room, 1)) - begin, 0.0) * step, float(plot.width()) - 2)
        painter.setPen(QPen(look.text, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, 0), QPointF(x, plot.bottom()))
        words = f"window {self._window:,} less reply"
        at_right = x < plot.center().x()
        place = QRect(round(x) + scaled(6), 0, plot.right() - round(x), scaled(16))
        if not at_right:
            place = QRect(0, 0, round(x) - scaled(6), scaled(16))
        side = Qt.AlignmentFlag.AlignLeft if at_right else Qt.AlignmentFlag.AlignRight
        write(painter, place, words, "caption", look.text, Qt.AlignmentFlag.AlignVCenter | side)


class FitsPicture(_Picture):
    """Which share of the chats fits as a whole, by window, with a point for the window in use."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Chats that fit as a whole, by window", 140, parent)
        self._fits: Sequence[WindowFit] = ()

    def show_fits(self, fits: Sequence[WindowFit]) -> None:
        """Show the shares of these windows."""
        self._fits = fits
        self._describe(
            "\n".join(f"{one.window:,}{' (now)' if one.is_now else ''}: {percentage(one.share)}" for one in fits)
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(named_font("caption"))
        left = QFontMetrics(painter.font()).horizontalAdvance("100 %") + scaled(8)
        plot = QRectF(left, scaled(8), self.width() - left - scaled(18), self.height() - scaled(28))
        for share in (0.0, 0.5, 1.0):
            y = plot.bottom() - share * plot.height()
            painter.setPen(look.border)
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(look.muted_text)
            place = QRectF(0, y - scaled(8), left - scaled(8), scaled(16))
            painter.drawText(
                place,
                int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter),
                percentage(share, 0),
            )
        points = list(self._points(plot))
        if points:
            self._paint_line(painter, plot, points)
        painter.end()

    def _points(self, plot: QRectF) -> Iterator[QPointF]:
        if not self._fits:
            return
        first, last = (log2(self._fits[place].window) for place in (0, -1))
        for one in self._fits:
            across = (log2(one.window) - first) / (last - first) if last > first else 0.5
            yield QPointF(plot.left() + across * plot.width(), plot.bottom() - one.share * plot.height())

    def _paint_line(self, painter: QPainter, plot: QRectF, points: Sequence[QPointF]) -> None:
        look, taken = theme(), -1.0
        painter.setPen(QPen(look.accent, 2))
        painter.drawPolyline(QPolygonF(points))
        for one, point in zip(self._fits, points, strict=True):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.accent)
            size = 5.0 if one.is_now else 2.5
            painter.drawEllipse(point, size, size)
            words = short(one.window)
            room = QFontMetrics(painter.font()).horizontalAdvance(words) / 2 + scaled(3)
            if point.x() - room > taken and not one.is_now:
                painter.setPen(look.muted_text)
                painter.drawText(QRectF(point.x() - 40, plot.bottom() + 3, 80, scaled(16)), int(_CENTER), words)
                taken = point.x() + room
            if one.is_now:
                self._paint_now(painter, plot, point, one)

    def _paint_now(self, painter: QPainter, plot: QRectF, point: QPointF, one: WindowFit) -> None:
        at_left = point.x() > plot.center().x()
        place = (
            QRectF(0, point.y() + scaled(6), point.x() - scaled(4), scaled(16))
            if at_left
            else QRectF(point.x() + scaled(8), point.y() + scaled(4), plot.width(), scaled(16))
        )
        side = Qt.AlignmentFlag.AlignRight if at_left else Qt.AlignmentFlag.AlignLeft
        words = f"{percentage(one.share, 0)} fit now"
        write(painter, place.toRect(), words, "secondary", theme().accent, Qt.AlignmentFlag.AlignVCenter | side)
        painter.setFont(named_font("caption"))


class PartsPicture(_Picture):
    """The mean window as a small bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("What a prompt is made of, on average", 18, parent)
        self._parts: tuple[tuple[BarPart, float], ...] = ()

    def show_parts(self, parts: Sequence[PartOfPrompt]) -> None:
        """Show the mean parts of a window."""
        known = {**_SECTIONS, **_OTHERS}
        self._parts = tuple((known[one.name], one.tokens) for one in parts if one.name in known)
        self._describe(parts_words(parts))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, whole = QPainter(self), sum(tokens for _, tokens in self._parts)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_small_bar(painter, self.rect(), [one for one in self._parts if one[0].word != "free"], whole or 1.0)
        painter.end()


def parts_words(parts: Sequence[PartOfPrompt]) -> str:
    """Return the parts with their shares, the largest first."""
    known = {**_SECTIONS, **_OTHERS}
    named = sorted((one for one in parts if one.share >= _LEAST_NAMED), key=lambda one: -one.share)
    words = ", ".join(f"{known[one.name].title.lower()} {percentage(one.share, 0)}" for one in named)
    return words[:1].upper() + words[1:]
