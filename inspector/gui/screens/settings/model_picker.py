"""The model picker: a line for a name, and a popover with every model in columns, searched by typing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QSizePolicy, QWidget

from inspector.assembly.cost import NO_PRICE, price_text
from inspector.derived import cached_property
from inspector.gui.parts.choices import Choice, lately_first
from inspector.gui.parts.number_field import paint_ground
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.screens.settings.pickers import BOX, POPOVER, paint_arrow
from inspector.gui.theme import UNIT
from inspector.settings import own_models_file
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import ModelRow

if TYPE_CHECKING:
    from inspector.gui.parts.chooser import Chooser


_OPENING_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_F4)


class _NameLine(QLineEdit):
    """The line of the picker. Escape takes back the typed text."""

    taken_back = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.taken_back.emit()
        else:
            super().keyPressEvent(event)


class ModelPicker(QComboBox):
    """A combo box of the current model, with a table of all models. An unknown name is accepted on Enter.

    `chosen` carries the name. Models used lately come first.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("model_picker")
        self.setAccessibleName("Model")
        self._line = _NameLine(self)
        self._line.setPlaceholderText("Search models")
        self._line.setTextMargins(UNIT, 0, 0, 0)
        self.setLineEdit(self._line)
        self.setCompleter(None)  # type: ignore[arg-type]
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self.setFixedHeight(BOX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._shown = ""
        self._used: Sequence[str] = ()
        self._line.returnPressed.connect(lambda: self._choose(self.currentText()))
        self._line.textEdited.connect(self._open)
        self._line.taken_back.connect(self._show_name)
        self._line.installEventFilter(self)

    @cached_property
    def chooser(self) -> "Chooser":
        """The popup, made when it is first opened."""
        from inspector.gui.parts.choice_model import ChoiceColumn
        from inspector.gui.parts.chooser import Chooser

        columns = (
            ChoiceColumn("Model", least=16),
            ChoiceColumn("Window", 8, least=8, at_right=True),
            ChoiceColumn("$ a million in / out", 15, least=11, at_right=True),
            ChoiceColumn("Tokenizer", 9, least=9),
        )
        words = "Search models by name, maker, window or tokenizer"
        window = self.window()
        chooser = Chooser("model_chooser", words, columns, window, headings=True, takes_typed=True, foot_lines=2)
        chooser.chosen.connect(self._take)
        chooser.closed.connect(self._show_name)
        return chooser

    def describe(self, words: str) -> None:
        """Set the description of the model in the tooltip: how its tokens are counted, and where it is named."""
        if words != self.accessibleDescription():
            self.setToolTip(tooltip(words))
            self.setAccessibleDescription(words)

    def show_model(self, name: str, used: Sequence[str] = ()) -> None:
        """Show the current model; nothing is emitted, and text being typed is left alone.

        `used` are the keys of choices used lately, newest first.
        """
        self._used = used
        if name != self._shown:
            self._shown = name
            self._show_name()

    def showPopup(self) -> None:
        """Open the table of all models, the current model on top."""
        self._open("")

    def hidePopup(self) -> None:
        """Close the table, if it was ever open."""
        if "chooser" in self.__dict__:
            self.chooser.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the table with the arrow keys: they are no use in a closed list of hundreds."""
        if event.key() in _OPENING_KEYS:
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the table on a click on the name, too."""
        if watched is self._line and event.type() == QEvent.Type.MouseButtonRelease and self.isEnabled():
            self.showPopup()
            return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame of a box around the line, and its arrow."""
        paint_ground(self, is_strong=True)
        painter = QPainter(self)
        paint_arrow(painter, self.rect())

    def _open(self, query: str) -> None:
        """Open the table with this text in its search line, or set the text if it is open."""
        if self.chooser.isVisible():
            self.chooser.found.line.setText(query)
            return
        window = self.window()
        corner = self.mapTo(window, QPoint(0, self.height()))
        place = QRect(QPoint(corner.x(), corner.y() + 1), POPOVER)
        choices = lately_first(
            model_choices(load_models(own_models_file()).rows), (f"model:{self._shown}", *self._used)
        )
        self.chooser.open_over(window, place, choices, query)

    def _take(self, choice: "Choice") -> None:
        self._choose(str(choice.thing))

    def _choose(self, text: str) -> None:
        name = text.strip()
        if name and name not in (self._shown, one_line(self._shown)):
            self._shown = name
            self.chosen.emit(name)
        self.hidePopup()
        self._show_name()

    def _show_name(self) -> None:
        self.setEditText(one_line(self._shown))
        self._line.setCursorPosition(0)
        if self.window().focusWidget() in (self, self._line):  # the next typing replaces the name, as after Tab
            self._line.setSelection(len(self._line.text()), -len(self._line.text()))


def model_choices(rows: Iterable[ModelRow]) -> Iterator[Choice]:
    """Yield the choice of each model: name, window, prices of a million tokens in and out, and tokenizer.

    Its maker and its other names are searched, and shown in the tooltip.
    """
    for row in rows:
        prices = f"{price_text(row.price_in)} / {price_text(row.price_out)}"
        known = row.price_in is not None or row.price_out is not None
        tokenizer = row.tokenizer.partition(":")[2] or row.tokenizer
        counted = tokenizer if row.exact_tokenizer else f"≈ {tokenizer}"
        cells = (row.name, f"{row.context_window:,}", prices if known else NO_PRICE, counted)
        yield Choice(f"model:{row.name}", cells, row.name, " ".join((row.maker, *row.aliases)), _tip(row))


def _tip(row: ModelRow) -> str:
    name = f"{row.name}, {row.maker}" if row.maker else row.name
    facts = f"facts of {row.date}" if row.date else "undated facts"
    aliases = f"\nalso called {', '.join(row.aliases)}" if row.aliases else ""
    return f"{name}{aliases}\n{facts}, from {row.source}" if row.source else f"{name}{aliases}\n{facts}"
