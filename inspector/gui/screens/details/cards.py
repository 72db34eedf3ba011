"""Cards of the ways to keep an item, the cheapest three: the change, its price, and a button that makes it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QFontMetrics, QIcon, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inspector.analysis.keeping.way import Keeping, Kind, Way
from inspector.analysis.keeping.words import comes_in_text, exceeds_text, leaves_text, tokens_text
from inspector.assembly.candidates import Candidates
from inspector.assembly.numbers import called
from inspector.figures import counted, figures
from inspector.gui.icons import line_icon
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.page import PageView, link, muted, plain
from inspector.gui.parts.texts import first_line, one_line, tooltip
from inspector.gui.screens.details.controls import ICON, LEAST_TARGET, Link, Quiet
from inspector.gui.screens.details.growing_page import GrowingPage
from inspector.gui.theme import UNIT, give_font, named_font, scaled, theme

MOST_CARDS = 3
MOST_LISTED = 60
_LONGEST = 200
"""The most code points of a listed text, whatever the room."""
CARD = 12 * UNIT
GAP = 2 * UNIT
SEARCHING = "Looking for what would keep it…"
CANCELLED = "The search for what would keep it was cancelled."
NOTHING = "Nothing that was tried would keep it."
IS_KEPT = "It is kept already."
_ICONS = {Kind.PIN: "pin", Kind.EXCLUDE: "ban", Kind.MODEL: "server"}
_RADIUS = 10.0
_DIM = 0.6
_TEXT_AT = 10 * UNIT


@dataclass(frozen=True, slots=True)
class Offer:
    """A way to keep an item as a card says it: the change, its price in tokens and money, and shortly in tokens, the
    words for what leaves with the rows behind them, what else is to be said, and the word on the button.
    """

    icon: str
    change: str
    price: str
    short_price: str
    leaves: str
    rows: tuple[int, ...]
    rest: str
    tip: str
    verb: str


def offer_of(way: Way, candidates: Candidates) -> Offer:
    """Return a way as a card says it."""
    more = (exceeds_text(way), comes_in_text(way, candidates))
    return Offer(
        icon=_ICONS.get(way.kind, "sliders-horizontal"),
        change=way.label,
        price=tokens_text(way),
        short_price=tokens_text(way).partition(", ")[0],
        leaves=leaves_text(way, candidates),
        rows=(*way.leaves, *way.shortened),
        rest=more[0],
        tip="; ".join(filter(None, more)),
        verb="Pin" if way.kind is Kind.PIN else "Try",
    )


class WayCard(QWidget):
    """A card. `taken` is emitted by its button, `asked` by the link to the leaving items.

    Both are off while the card is stale.
    """

    taken = Signal()
    asked = Signal()
    _is_short = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offer: Offer | None = None
        self._is_stale = False
        self.setFixedHeight(scaled(CARD))
        self._leaves = Link("What leaves then", self)
        give_font(self._leaves, "secondary")
        self._leaves.clicked.connect(self.asked)
        self._button = QPushButton("Try", self)
        self._button.setAutoDefault(False)
        self._button.clicked.connect(self.taken)

    def show_offer(self, offer: Offer) -> None:
        """Show a way, as one that can be taken."""
        if offer != self._offer:
            self._offer = offer
            self._button.setText(offer.verb)
            self._button.setAccessibleName(f"{offer.verb}: {one_line(offer.change)}")
            self._button.setToolTip(tooltip("Make this change; Undo takes it back"))
            self._leaves.say(offer.leaves if offer.rows else "", "List them below the card")
            price = "; ".join(filter(None, (offer.price, offer.leaves, offer.tip)))
            self.setToolTip(tooltip(f"{offer.change}\n{price}"))
            self.setAccessibleName(one_line(f"{offer.change}: {self._price}"))
        self.set_stale(False)
        self._place()
        self.update()

    @property
    def words(self) -> str:
        """Return change and price, as shown."""
        return f"{self._offer.change}\n{self._price}" if self._offer is not None else ""

    @property
    def _price(self) -> str:
        offer = self._offer
        return "; ".join(filter(None, (offer.price, offer.leaves, offer.rest))) if offer is not None else ""

    @property
    def _shown_price(self) -> str:
        offer = self._offer
        parts = (offer.short_price if self._is_short else offer.price, offer.leaves, offer.rest) if offer else ()
        return "; ".join(filter(None, parts))

    def set_stale(self, stale: bool) -> None:
        """Dim the card and switch its controls off, while it is of an earlier prompt."""
        if stale != self._is_stale:
            self._is_stale = stale
            self._button.setEnabled(not stale)
            self._leaves.setEnabled(not stale)
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_button"):
            self.setFixedHeight(scaled(CARD))
            self._place()
            self.update()

    def _place(self) -> None:
        """Place the button at the right, and the link to the leaving items in the line of the price."""
        size, card = self._button.sizeHint(), self.height()
        width = max(size.width(), 2 * scaled(LEAST_TARGET))
        height = max(scaled(LEAST_TARGET), min(size.height(), card - GAP))
        self._button.setGeometry(self.width() - width - GAP, (card - height) // 2, width, height)
        metrics, room = self._leaves.fontMetrics(), self._button.x() - UNIT - _TEXT_AT
        self._is_short = self._offer is not None and metrics.horizontalAdvance(self._price) > room
        before = metrics.horizontalAdvance(self._before)
        room -= before
        words = min(self._leaves.sizeHint().width(), max(room, 0))
        self._leaves.setGeometry(_TEXT_AT + before, card // 2 - 2, words, scaled(LEAST_TARGET))

    @property
    def _before(self) -> str:
        """The price before the link to the leaving items."""
        offer = self._offer
        return f"{offer.short_price if self._is_short else offer.price}; " if offer is not None else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card, its icon, and its words; the link paints itself."""
        offer, look, painter = self._offer, theme(), QPainter(self)
        if offer is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(_DIM if self._is_stale else 1.0)
        painter.setPen(QPen(look.border, 1))
        painter.setBrush(look.button)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        card, side = self.height(), scaled(ICON)
        place = QRect(3 * UNIT, (card - side) // 2, side, side)
        line_icon(offer.icon, side).paint(painter, place, mode=QIcon.Mode.Normal, state=QIcon.State.On)
        room = self._button.x() - UNIT - _TEXT_AT
        self._paint_line(painter, QRect(_TEXT_AT, 4, room, card // 2 - 4), "title", offer.change)
        line = QRect(_TEXT_AT, card // 2 - 2, room, scaled(LEAST_TARGET))
        if self._leaves.isHidden():
            self._paint_line(painter, line, "secondary", self._shown_price)
        else:
            self._paint_line(painter, line, "secondary", self._before)
            left = self._leaves.geometry().right() + 1
            rest = f"; {offer.rest}" if offer.rest else ""
            self._paint_line(painter, QRect(left, line.y(), line.right() - left, line.height()), "secondary", rest)
        painter.end()

    def _paint_line(self, painter: QPainter, room: QRect, font: str, text: str) -> None:
        painter.setFont(named_font("title" if font == "title" else "secondary"))
        painter.setPen(theme().text if font == "title" else theme().second_text)
        shown = painter.fontMetrics().elidedText(one_line(text), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


class WaysToKeep(QWidget):
    """The ways to keep an item, with room for three cards during the search, so that nothing moves.

    `taken(number)` asks to take a way, `more_asked` for the list of all, `several_asked` for that of all items selected
    in the table; `row_selected(row)` for an item that leaves.
    `height_changed` reports that a list was opened or closed.
    """

    taken = Signal(int)
    more_asked = Signal()
    several_asked = Signal()
    row_selected = Signal(int)
    height_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keeping: Keeping | None = None
        self._candidates: Candidates | None = None
        self._listed: int | None = None
        title = PlainLabel("What would keep it")
        give_font(title, "title")
        self._said = Quiet()
        self._cards = tuple(WayCard() for _ in range(MOST_CARDS))
        self._list = GrowingPage("Items that leave the prompt then")
        self._list.setLineWrapMode(PageView.LineWrapMode.NoWrap)
        self._list.anchorClicked.connect(self._follow)
        self._more, self._several = Link("More ways"), Link("Several items at once")
        self._more.clicked.connect(self.more_asked)
        self._several.clicked.connect(self.several_asked)
        foot = QHBoxLayout()
        foot.setSpacing(2 * GAP)
        foot.addWidget(self._more)
        foot.addWidget(self._several, 1)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(GAP)
        for widget in (title, self._said, *self._cards, self._list):
            self._layout.addWidget(widget)
        self._layout.addLayout(foot)
        self._layout.addStretch(1)
        for number, card in enumerate(self._cards):
            card.taken.connect(lambda number=number: self.taken.emit(number))
            card.asked.connect(lambda number=number: self._turn_list(number))
        self.show_search()

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways found, the cheapest first."""
        return self._keeping.ways if self._keeping is not None else ()

    def show_search(self) -> None:
        """Say that the ways of another item are being looked for."""
        self._keeping = self._candidates = None
        self._show(SEARCHING)

    def show_cancelled(self) -> None:
        """Say that the search was cancelled; the ways found before stay, dimmed."""
        if self._keeping is None:
            self._show(CANCELLED)

    def show_keeping(self, keeping: Keeping, candidates: Candidates) -> None:
        """Show the ways that keep the item."""
        self._keeping, self._candidates = keeping, candidates
        offers = [offer_of(way, candidates) for way in keeping.ways[:MOST_CARDS]]
        for card, offer in zip(self._cards, offers, strict=False):
            card.show_offer(offer)
        self._show("" if offers else IS_KEPT if keeping.is_kept else NOTHING)

    def set_stale(self) -> None:
        """Dim the ways found: they are of an earlier prompt."""
        for card in self._cards:
            card.set_stale(True)

    def text(self) -> str:
        """Return the shown words."""
        lines = [self._said.text(), *(card.words for card in self._cards if not card.isHidden())]
        lines += [self._more.text(), self._several.text()]
        return "\n".join(filter(None, lines))

    def reserved_height(self) -> int:
        """Return the height with three cards, which is free for them before they are found."""
        return self.fontMetrics().height() + MOST_CARDS * (GAP + scaled(CARD)) + GAP + scaled(LEAST_TARGET)

    def sizeHint(self) -> QSize:
        """Return the height of everything shown, with room for three cards during the search."""
        hint = super().sizeHint()
        return hint if self._keeping is not None else QSize(hint.width(), self.reserved_height())

    def minimumSizeHint(self) -> QSize:
        """Return no width of its own: words end in an ellipsis where the column is narrow."""
        return QSize(0, self.sizeHint().height())

    def _show(self, said: str) -> None:
        number = len(self.ways)
        self._said.say(said)
        self._said.setVisible(bool(said))
        for place, card in enumerate(self._cards):
            card.setVisible(place < number)
        more = number - MOST_CARDS
        said_more = f"{counted(more, 'more way')}…" if more > 0 else ""
        self._more.say(said_more, "All ways with their prices")
        several = "Several items at once…" if self._keeping is not None else ""
        self._several.say(several, "What would keep all items that are selected in the table")
        self._close_list()

    def _close_list(self) -> None:
        self._listed = None
        self._list.hide()

    def _turn_list(self, number: int) -> None:
        """List the items that leave by a way below its card, or close the list."""
        if self._listed == number:
            self._close_list()
        else:
            self._listed = number
            self._layout.removeWidget(self._list)
            self._layout.insertWidget(self._layout.indexOf(self._cards[number]) + 1, self._list)
            self._list.show_page(self._page_of(self.ways[number]))
        self.height_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the texts of an open list where the new width ends."""
        super().resizeEvent(event)
        if self._listed is not None and event.size().width() != event.oldSize().width():
            self._list.show_page(self._page_of(self.ways[self._listed]))

    def _page_of(self, way: Way) -> str:
        candidates = self._candidates
        assert candidates is not None
        rows: Sequence[int] = (*way.leaves, *way.shortened)
        metrics, shortened = self._list.fontMetrics(), frozenset(way.shortened)
        lines = [_line(candidates, row, row in shortened, metrics, self.width()) for row in rows[:MOST_LISTED]]
        if len(rows) > MOST_LISTED:
            lines.append(muted(f"and {len(rows) - MOST_LISTED:,} more"))
        return "".join(f'<p style="margin-top:0px;margin-bottom:4px;">{line}</p>' for line in lines)

    def _follow(self, target: QUrl) -> None:
        self.row_selected.emit(int(target.path()))


def _line(candidates: Candidates, row: int, is_shortened: bool, metrics: QFontMetrics, width: int) -> str:
    """Return the HTML of an item: its number, its tokens, and as much of its text as there is room for."""
    named = called(candidates, row)
    tokens = figures(int(candidates.tokens[row]), bool(candidates.estimated[row]))
    note = ", shortened" if is_shortened else ""
    title = named[:1].upper() + named[1:]
    room = width - metrics.horizontalAdvance(f"{title} {tokens}{note} ") - UNIT
    text = metrics.elidedText(first_line(candidates.texts[row], _LONGEST), Qt.TextElideMode.ElideRight, room)
    return f"{link(f'row:{row}', title)} {muted(f'{tokens}{note}')} {plain(text)}"
