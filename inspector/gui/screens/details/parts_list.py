"""The parts of a message in order: an icon or the picture itself, and what each is and how large."""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.formats.content.words import part_words
from inspector.gui.icons import drawn_icon
from inspector.gui.parts.texts import one_line
from inspector.gui.screens.details.controls import MARGIN
from inspector.gui.theme import GAP, UNIT, give_font, named_font, scaled, theme
from inspector.model import Call, DocumentPart, Image, Part, Place, Result, Sound, Text, Thought, Unknown, Video
from inspector.model.parts import flat
from inspector.secrets import masked

LINE = 6 * UNIT
"""The height of a part in pixels."""
PICTURE = 14 * UNIT
"""The height of a picture that its source holds, in pixels."""
MOST_SHOWN = 8
"""The most parts with a line of their own."""
_ICON = 16
_ICONS: Mapping[type[Part], str] = {
    Text: "message-square",
    Thought: "brain",
    Call: "wrench",
    Result: "wrench",
    Image: "camera",
    DocumentPart: "file-text",
    Sound: "play",
    Video: "play",
    Unknown: "circle-help",
}


class PartsList(QWidget):
    """A line for each part of a message; none for plain text. Nothing is decoded here: pictures are handed in."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("parts_list")
        self._parts: list[Part] = []
        self._costs: tuple[str, ...] = ()
        self._more = 0
        self._pictures: dict[Place, QImage] = {}
        self._asked: set[Place] = set()
        give_font(self, "secondary")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: tuple[Part, ...], costs: Sequence[str] = ()) -> None:
        """Show the parts of a message, the first of them with their `costs`; the pictures of another are forgotten."""
        listed = flat(parts)
        if listed[:MOST_SHOWN] != self._parts or self._more != max(0, len(listed) - MOST_SHOWN):
            self._pictures, self._asked = {}, set()
        self._parts, self._more = listed[:MOST_SHOWN], max(0, len(listed) - MOST_SHOWN)
        self._costs = tuple(costs[: len(self._parts)])
        self.setVisible(bool(self._parts))
        self.setAccessibleName("Parts of the message")
        self.setAccessibleDescription(one_line("; ".join(self._told())))
        self.updateGeometry()
        self.update()

    def lines(self) -> list[str]:
        """Return each part in words."""
        more = [f"and {self._more:,} more parts"] if self._more else []
        return [*(masked(part_words(part)) for part in self._parts), *more]

    def costs(self) -> list[str]:
        """Return the cost at the right of each line, "" for none."""
        return [*self._costs, *[""] * (len(self.lines()) - len(self._costs))]

    def _told(self) -> Iterator[str]:
        for words, cost in zip(self.lines(), self.costs(), strict=True):
            yield f"{words}, {cost} tokens" if cost else words

    def take_wanted(self) -> list[Image]:
        """Return the shown pictures that their source holds, each once: one that is gone is not asked for again."""
        held = [part for part in self._parts if isinstance(part, Image) and part.place not in (None, *self._asked)]
        self._asked.update(part.place for part in held if part.place is not None)
        return held

    def show_picture(self, place: Place, picture: QImage) -> None:
        """Show a picture in place of its icon."""
        self._pictures[place] = picture
        self.update()

    def has_picture(self, place: Place | None) -> bool:
        """Return whether the picture of a place is shown."""
        return place in self._pictures

    def sizeHint(self) -> QSize:
        """Return the height of all lines."""
        return QSize(0, self.height_wanted())

    def height_wanted(self) -> int:
        """Return the height of all lines, in pixels."""
        return sum(height for height, _ in self._rows()) if self._parts else 0

    def _rows(self) -> Iterator[tuple[int, Part | None]]:
        """Yield the height of each line with its part; None for the line that counts the others."""
        for part in self._parts:
            yield scaled(PICTURE if _is_held(part) else LINE), part
        if self._more:
            yield scaled(LINE), None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines, each with its icon or picture."""
        painter = QPainter(self)
        painter.setFont(named_font("secondary"))
        top, left = 0, scaled(PICTURE) if any(map(_is_held, self._parts)) else scaled(_ICON)
        metrics = painter.fontMetrics()
        for (height, part), words, cost in zip(self._rows(), self.lines(), self.costs(), strict=True):
            if part is not None:
                self._paint_sign(painter, QRect(0, top, left, height), part)
            room = QRect(left + GAP, top, self.width() - left - GAP - MARGIN, height)
            painter.setPen(theme().second_text)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, cost)
            room.setRight(room.right() - (metrics.horizontalAdvance(cost) + GAP if cost else 0))
            shown = metrics.elidedText(one_line(words), Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
            top += height
        painter.end()

    def _paint_sign(self, painter: QPainter, room: QRect, part: Part) -> None:
        picture = self._pictures.get(part.place) if isinstance(part, Image) and part.place is not None else None
        if picture is not None:
            inner = room.adjusted(0, UNIT // 2, 0, -UNIT // 2)
            size = picture.size().scaled(inner.size(), Qt.AspectRatioMode.KeepAspectRatio)
            size = size if size.width() < picture.width() else picture.size().boundedTo(inner.size())
            place = QRect(0, 0, size.width(), size.height())
            place.moveCenter(inner.center())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, picture)
            return
        side = scaled(_ICON)
        spot = QRect(0, 0, side, side)
        spot.moveCenter(room.center())
        painter.drawPixmap(spot, drawn_icon(_ICONS[type(part)], _ICON, theme().muted_text))


def _is_held(part: Part) -> bool:
    """Return whether a part is a picture whose data are in the source."""
    return isinstance(part, Image) and part.place is not None
