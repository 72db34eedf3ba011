"""The heads of the matrix: title, what it is, a small bar on one scale, tokens, items in the prompt, room and cost."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QTextLayout, QTextOption
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.side_by_side import Outcome, Side, SideBySide
from inspector.figures import dollars, figures
from inspector.gui.parts.bar_picture import BarPicture, bar_picture
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.labels import ElidedLabel, PlainLabel
from inspector.gui.parts.small_bar import HEIGHT, paint_small_bar
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.screens.side_by_side.model import NOW_KEY
from inspector.gui.table.header import EntryHeader, HeaderEntry, HeaderLine
from inspector.gui.theme import UNIT, give_font, named_font, scaled, theme

COLUMN = 104
_PADDING, _TOP, _GAP = 8, 10, 5
_TITLE_LINES = 2
_MIDDLE = Qt.TextElideMode.ElideMiddle
"""Titles that are too long differ at their ends: a policy and its preset, a model and its date."""
_FIGURE_LINES = 3
_TITLES = 26
"""The height of the row with the titles of the item columns."""
_BUTTON = 24
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, slots=True)
class Head:
    """What stands over a column."""

    side: Side
    outcome: Outcome
    picture: BarPicture | None

    @classmethod
    def of(cls, side: Side) -> "Head":
        """Return the head of a side; without a prompt it has no bar."""
        return cls(side, side.outcome, bar_picture(side.answer) if side.outcome.made else None)

    @property
    def lines(self) -> tuple[HeaderLine, ...]:
        """Its texts, from the top."""
        outcome, texts = self.outcome, [HeaderLine(self.side.title, "name"), HeaderLine(self.side.about, "muted")]
        if not outcome.made:
            return (*texts, HeaderLine("no prompt", "error"))
        tokens = HeaderLine(figures(outcome.total, outcome.estimated), "usual")
        room = HeaderLine(self.room, "error" if outcome.over else "muted")
        return (*texts, tokens, room, HeaderLine(self.cost, "muted"))

    @property
    def room(self) -> str:
        """The free or the missing room."""
        outcome = self.outcome
        number, word = (outcome.over, "over") if outcome.over else (max(outcome.free, 0), "free")
        return f"{figures(number, outcome.estimated)} {word}"

    @property
    def cost(self) -> str:
        """The cost of the prompt, "" where the price is unknown."""
        cost = self.outcome.cost
        return "" if cost is None else dollars(cost, self.outcome.estimated)


class SideHeader(EntryHeader):
    """Titles of the item columns, and a head over each side.

    `use_requested` carries the key of a clicked head, `menu_requested` also the place for its menu.
    """

    menu_requested = Signal(str, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._heads: dict[str, Head] = {}
        self._scale = 1
        super().__init__(_TITLE_LINES + 1 + _FIGURE_LINES, 0, parent)
        self.setMinimumSectionSize(scaled(28))
        self._caption = _Caption(self.viewport())
        self.sectionClicked.connect(self._ask_for_section)
        self.sectionDoubleClicked.disconnect(self._ask_for_section)

    def show_sides(self, sides: SideBySide | None) -> None:
        """Show the heads of these sides."""
        self._heads = {} if sides is None else {side.key: Head.of(side) for side in sides.sides}
        self._take_scale()
        self.show_entries([self._entry(key) for key in self._heads])
        self._caption.say(self._caption_texts())
        self.place_buttons()

    def show_now(self, answer: Answer) -> None:
        """Show another answer in the head of now."""
        if (head := self._heads.get(NOW_KEY)) is not None:
            side = Side(head.side.key, head.side.title, head.side.about, answer.scenario, answer)
            scale = self._scale
            self._heads[NOW_KEY] = Head.of(side)
            self._take_scale()
            section = self._columns().sections.get(NOW_KEY, -1)
            if scale != self._scale or section < 0:
                self.viewport().update()
            else:
                left, width = self.sectionViewportPosition(section), self.sectionSize(section)
                self.viewport().update(QRect(left, 0, width, self.height()))

    def _take_scale(self) -> None:
        self._scale = max((head.picture.scale for head in self._heads.values() if head.picture), default=1)

    def _entry(self, key: str) -> HeaderEntry:
        head = self._heads[key]
        return HeaderEntry(key, head.side.title, "setting", key == NOW_KEY, head.lines)

    def _caption_texts(self) -> tuple[str, str]:
        count = len(self._heads)
        if not count:
            return "", ""
        number = _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"
        title = "The same chat, one setting" if count == 1 else f"The same chat, {number} settings"
        return title, f"One scale, {self._scale:,} tokens. Tinted: other than now. Click a head to use it."

    def _make_button(self, key: str) -> QToolButton:
        button = IconButton("ellipsis", "", parent=self.viewport())
        button.setFixedSize(scaled(_BUTTON), scaled(_BUTTON))
        button.clicked.connect(lambda: self._open_menu(key))
        button.installEventFilter(self)
        return button

    def _open_menu(self, key: str) -> None:
        button = self._buttons[key]
        self.menu_requested.emit(key, button.mapToGlobal(QPoint(0, button.height())))

    def _describe(self, button: QToolButton, entry: HeaderEntry) -> None:
        button.setObjectName(f"side:{entry.key}")
        words = f"More about {entry.name}"
        button.setAccessibleName(words)
        button.setAccessibleDescription(". ".join(line.text for line in entry.lines if line.text))
        button.setToolTip(tooltip(f"{words}: use it, compare changes, and more"))

    def _button_place(self, button: QToolButton, rect: QRect) -> QRect:
        side = scaled(_BUTTON)
        return QRect(rect.right() - side - 1, self.height() - side - 3, side, side)

    def place_buttons(self) -> None:
        """Place the buttons, and the caption over the columns of the items."""
        super().place_buttons()
        if hasattr(self, "_caption") and self.model() is not None:
            first = next((self._columns().sections.get(key, -1) for key in self._heads), -1)
            right = self.sectionViewportPosition(first) if 0 <= first < self.count() else 0
            left = self.sectionViewportPosition(0) if self.count() else 0
            room = QRect(left, 0, max(right - left - 1, 0), max(self.height() - scaled(_TITLES), 0))
            self._caption.setGeometry(room)
            self._caption.setVisible(bool(self._heads) and room.height() > scaled(2 * _TITLES))

    def width_of(self, key: str) -> int:
        """Return the width of the column of a side."""
        return scaled(COLUMN) if key in self._heads else 0

    def _height_of(self, lines: int) -> int:
        title, line = _height("title"), self.fontMetrics().height()
        if lines <= self.short_lines:
            return title + line + scaled(2 * _GAP)
        about = _height("secondary")
        return scaled(2 * _TOP) + _TITLE_LINES * title + about + scaled(HEIGHT + 2 * _GAP) + _FIGURE_LINES * (line + 2)

    short_lines = 2

    def arrow_place(self, rect: QRect, section: int) -> QRect:
        """Return the place of the arrow in the row of titles."""
        return super().arrow_place(
            QRect(rect.left(), rect.bottom() - scaled(_TITLES), rect.width(), scaled(_TITLES)), section
        )

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint the title of an item column in a row at the bottom, or a head."""
        painter.fillRect(rect, theme().base)
        if self._key(section) in self._heads:
            super().paintSection(painter, rect, section)
            return
        row = QRect(rect)
        row.setTop(max(rect.bottom() - scaled(_TITLES) + 1, rect.top()))
        super().paintSection(painter, row, section)

    def _paint_entry(self, painter: QPainter, rect: QRect, entry: HeaderEntry) -> None:
        look, head = theme(), self._heads[entry.key]
        ground = rect.adjusted(0, 0, 0, -1)
        if entry.key == NOW_KEY:
            painter.fillRect(ground, look.accent_soft)
        painter.fillRect(QRect(rect.right(), rect.top(), 1, rect.height()), look.border)
        inside = rect.adjusted(scaled(_PADDING), scaled(_TOP), -scaled(_PADDING), -scaled(_TOP))
        if self._is_short:
            self._paint_short(painter, inside, head)
        else:
            self._paint_whole(painter, inside, head)

    def _paint_short(self, painter: QPainter, inside: QRect, head: Head) -> None:
        inside = inside.adjusted(0, scaled(_GAP - _TOP), 0, 0)
        lines = _wrapped(head.side.title, inside.width(), 1)
        inside.setTop(self._line(painter, inside, lines[0], named_font("title"), theme().text, elide=_MIDDLE))
        outcome = head.outcome
        if not outcome.made or outcome.over:
            self._line(painter, inside, head.room if outcome.made else "no prompt", self.font(), theme().error)
        else:
            self._line(painter, inside, figures(outcome.total, outcome.estimated), named_font("title"), theme().text)

    def _paint_whole(self, painter: QPainter, inside: QRect, head: Head) -> None:
        look, outcome, title = theme(), head.outcome, named_font("title")
        lines = _wrapped(head.side.title, inside.width(), _TITLE_LINES)
        inside.setTop(inside.top() + (_TITLE_LINES - len(lines)) * QFontMetrics(title).height())
        for line in lines:
            inside.setTop(self._line(painter, inside, line, title, look.text, elide=_MIDDLE))
        inside.setTop(self._line(painter, inside, head.side.about, named_font("secondary"), look.second_text))
        bar = QRectF(inside.left(), inside.top() + scaled(_GAP), inside.width(), scaled(HEIGHT))
        inside.setTop(int(bar.bottom()) + scaled(_GAP))
        if head.picture is None:
            inside.setTop(self._line(painter, inside, "No prompt", title, look.error))
            return
        paint_small_bar(painter, bar, head.picture, self._scale)
        tokens = figures(outcome.total, outcome.estimated)
        used = QFontMetrics(title).horizontalAdvance(tokens)
        count = f"{outcome.items:,} in"
        if used + scaled(UNIT) + self.fontMetrics().horizontalAdvance(count) <= inside.width():
            self._line(painter, inside, count, self.font(), look.second_text, Qt.AlignmentFlag.AlignRight)
        inside.setTop(self._line(painter, inside, tokens, title, look.text) + 2)
        ink = look.error if outcome.over else look.second_text
        inside.setTop(self._line(painter, inside, self._fitting(head.room, inside.width()), self.font(), ink) + 2)
        self._line(painter, inside, head.cost, self.font(), look.second_text)

    def _fitting(self, text: str, width: int) -> str:
        """Return a figure without the sign of an estimate, which that of the tokens above has, if it is too long."""
        return text if self.fontMetrics().horizontalAdvance(text) <= width else text.removeprefix("≈ ")

    def _line(
        self,
        painter: QPainter,
        inside: QRect,
        text: str,
        font: QFont,
        ink: QColor,
        side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> int:
        """Paint a line at the top of a place, shortened if it is too long. Return the bottom of the line."""
        painter.setFont(font)
        painter.setPen(ink)
        height = painter.fontMetrics().height()
        shown = painter.fontMetrics().elidedText(one_line(text), elide, inside.width())
        room = QRect(inside.left(), inside.top(), inside.width(), height)
        painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
        return inside.top() + height


class _Caption(QWidget):
    """What the matrix shows, over the columns of the items."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self._title, self._words = ElidedLabel(self, left), PlainLabel("", self, wordWrap=True)
        give_font(self._title, "title")
        give_font(self._words, "secondary")
        self._words.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(scaled(16), 0, scaled(8), scaled(8))
        rows.setSpacing(2)
        rows.addStretch()
        rows.addWidget(self._title)
        rows.addWidget(self._words)

    def say(self, texts: tuple[str, str]) -> None:
        """Show a title and a sentence."""
        self._title.say(texts[0])
        self._words.setText(texts[1])


def _height(font: str) -> int:
    return QFontMetrics(named_font(font)).height()  # type: ignore[arg-type]


def _wrapped(text: str, width: int, most: int) -> list[str]:
    """Return a title on as few lines as it needs, at most so many; the last may be too long."""
    layout = QTextLayout(one_line(text), named_font("title"))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while len(lines) < most and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        start = line.textStart()
        whole = len(lines) == most - 1
        lines.append(text[start:] if whole else text[start : start + line.textLength()].rstrip())
    layout.endLayout()
    return lines or [""]
