"""What becomes of an item under each setting, with the reason, and ways to go on with one of them."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inspector.assembly.columns import Fate, phrase
from inspector.assembly.compare import ABSENT, NO_ROW
from inspector.assembly.compare_tables import ABSENT_WORD
from inspector.assembly.numbers import title_in
from inspector.assembly.side_by_side import SideBySide
from inspector.assembly.who import about
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.texts import excerpt, one_line, tooltip
from inspector.gui.screens.side_by_side.model import GLYPHS, NOTHING, NOW_KEY, SideBySideModel, is_in, settings_text
from inspector.gui.theme import give_font, named_font, scaled, theme, tone_color
from inspector.secrets import masked
from inspector.tables import Tone

WIDTH = 280
_LINE, _TEXT_LINES, _TEXT_CODE_POINTS = 40, 6, 400
_KEY, _GLYPH, _TONE, _TITLE, _REASON = (Qt.ItemDataRole.UserRole + number for number in range(5))
_TONES: dict[int, Tone] = {Fate.SUMMARIZED: "summarized", Fate.TRUNCATED: "truncated", Fate.DROPPED: "dropped"}
NO_ITEM = "Where they differ"
NO_ITEM_WORDS = "Click an item to see what becomes of it under each setting, and why."


class OutcomesPane(QWidget):
    """The selected item and its outcome under each setting; without an item, the settings of each that differ.

    `use_requested` and `text_requested` carry the key of the setting current in the list.
    """

    use_requested = Signal(str)
    text_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(scaled(WIDTH))
        self.title, self.about, self.text, self.count = (PlainLabel() for _ in range(4))
        give_font(self.title, "title")
        self.about.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        give_font(self.count, "title")
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.list = _Outcomes()
        self.list.setObjectName("outcomes_list")
        self.list.setAccessibleName("What becomes of the item under each setting")
        self.list.setItemDelegate(_Lines(self.list))
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # By rows and indexes: an item in Python outlives the one that the list deletes when it is filled anew.
        self.list.doubleClicked.connect(lambda index: self.use_requested.emit(index.data(_KEY)))
        self.list.currentRowChanged.connect(lambda _: self._allow())
        self.use = QPushButton("Use this setting")
        self.use.setObjectName("outcomes_use")
        self.use.setProperty("primary", True)
        self.use.clicked.connect(lambda: self.use_requested.emit(self.current))
        self.text_of = QPushButton("Text of it")
        self.text_of.setObjectName("outcomes_text")
        self.text_of.setToolTip(tooltip("The text of its prompt beside that of now"))
        self.text_of.clicked.connect(lambda: self.text_requested.emit(self.current))
        self._lay_out()
        self.show_item(SideBySideModel(self), None)

    def _lay_out(self) -> None:
        margin = scaled(16)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(margin, scaled(12), margin, margin)
        rows.setSpacing(scaled(8))
        head = QHBoxLayout()
        head.setSpacing(scaled(8))
        head.addWidget(self.title)
        head.addWidget(self.about, 1)
        rows.addLayout(head)
        for part in (self.text, self.count):
            rows.addWidget(part)
        rows.addWidget(self.list)
        buttons = QHBoxLayout()
        buttons.setSpacing(scaled(8))
        buttons.addWidget(self.use)
        buttons.addWidget(self.text_of)
        buttons.addStretch()
        rows.addLayout(buttons)
        rows.addStretch()

    @property
    def current(self) -> str:
        """The key of the current setting, "" for none."""
        return self.list.currentIndex().data(_KEY) or ""

    def show_item(self, model: SideBySideModel, place: int | None) -> None:
        """Show the item at a place of the matrix; None for none."""
        sides, before = model.subject, self.current
        self.setEnabled(sides is not None)
        self.list.clear()
        if sides is None:
            self._head("", "", "", "")
        elif place is None or place >= len(sides):
            self._head(NO_ITEM, "", NO_ITEM_WORDS, "")
            self._add_settings(sides)
        else:
            self._show_item(model, sides, place)
        self.list.updateGeometry()
        self._choose(before)
        self._allow()

    def _show_item(self, model: SideBySideModel, sides: SideBySide, place: int) -> None:
        text = masked(excerpt(sides.text(place), _TEXT_CODE_POINTS, _TEXT_LINES))
        number = sum(is_in(model.fate(place, number)) for number in range(len(sides.sides)))
        self._head(*_called(sides, place), text, f"In {number} of {len(sides.sides)}")
        for number, side in enumerate(sides.sides):
            fate = model.fate(place, number)
            glyph = NOTHING if fate == ABSENT or not side.outcome.made else GLYPHS[Fate(fate)]
            self._add(side.key, glyph, side.title, _reason(sides, place, number, fate), _TONES.get(fate, ""))

    def _add_settings(self, sides: SideBySide) -> None:
        for number, side in enumerate(sides.sides):
            texts = settings_text(sides, number) if number else ()
            self._add(side.key, "", side.title, "; ".join(texts) or side.about, "")

    def _head(self, title: str, about: str, text: str, count: str) -> None:
        self.title.setText(title)
        self.about.setText(one_line(about))
        self.text.setText(text)
        self.count.setText(count)
        self.count.setVisible(bool(count))

    def _add(self, key: str, glyph: str, title: str, reason: str, tone: str) -> None:
        title, said = one_line(title), one_line(reason)
        item = QListWidgetItem(f"{title}: {said}")
        for role, value in ((_KEY, key), (_GLYPH, glyph), (_TONE, tone), (_TITLE, title), (_REASON, said)):
            item.setData(role, value)
        item.setToolTip(tooltip(reason))
        self.list.addItem(item)

    def _choose(self, key: str) -> None:
        """Keep the setting that was current, else take the first that is not now."""
        keys = [self.list.model().index(row, 0).data(_KEY) for row in range(self.list.count())]
        self.list.setCurrentRow(keys.index(key) if key in keys else min(1, len(keys) - 1))
        if self.list.currentRow() <= 1:
            self.list.scrollToTop()

    def _allow(self) -> None:
        is_other = self.current not in ("", NOW_KEY)
        self.use.setEnabled(is_other)
        self.text_of.setEnabled(is_other)
        self.use.setToolTip(tooltip("" if is_other else "This setting is in use"))


def _called(sides: SideBySide, place: int) -> tuple[str, str]:
    """Return the title of an item by its number, and who and when."""
    candidates, row = sides.candidate(place)
    return title_in(candidates.items, row), about(candidates, row)


def _reason(sides: SideBySide, place: int, number: int, fate: int) -> str:
    """Return the reason for an outcome in a few words."""
    assembly, row = sides.answers[number].assembly, int(sides.rows[place, number])
    if assembly.error is not None:
        return assembly.error.message
    if row == NO_ROW or fate == ABSENT:
        return ABSENT_WORD
    return assembly.reason_of(row).label or phrase(Fate(fate))


class _Outcomes(QListWidget):
    """A list as high as its lines, if there is room."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), max(self.count(), 1) * scaled(_LINE) + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), scaled(_LINE))


class _Lines(QStyledItemDelegate):
    """A glyph, and beside it the title over the reason."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a row; the current one has the ground of selections."""
        look, view = theme(), self.parent()
        assert isinstance(view, QListWidget)
        place = option.rect  # type: ignore[attr-defined]
        if index.row() == view.currentRow():
            painter.fillRect(place, look.selected if view.hasFocus() else look.hover)
        title, reason = str(index.data(_TITLE)), str(index.data(_REASON))
        line = place.height() // 2
        tone = index.data(_TONE)
        painter.setPen(tone_color(tone) if tone else look.text)
        painter.setFont(view.font())
        glyph_room = place.adjusted(scaled(6), 0, 0, 0)
        glyph_room.setSize(QSize(scaled(16), line))
        painter.drawText(glyph_room, Qt.AlignmentFlag.AlignCenter, str(index.data(_GLYPH)))
        inside = place.adjusted(scaled(28 if index.data(_GLYPH) else 8), scaled(2), -scaled(6), -scaled(2))
        for number, (text, font, ink) in enumerate(
            ((title, named_font("name"), look.text), (reason, named_font("secondary"), look.second_text))
        ):
            painter.setFont(font)
            painter.setPen(ink)
            room = inside.adjusted(0, number * (line - scaled(2)), 0, 0)
            room.setHeight(line)
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, scaled(_LINE))
