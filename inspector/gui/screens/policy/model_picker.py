"""The model picker: a line for a name, and a popup with every model in columns, searched by typing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QGridLayout, QLineEdit, QWidget

from inspector.assembly.cost import NO_PRICE, price_text
from inspector.assembly.model_choice import ChosenModel
from inspector.assembly.scenario import Scenario
from inspector.derived import cached_property
from inspector.figures import counted
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.labels import Hint, PlainLabel
from inspector.gui.parts.number_field import WheelGuard, WholeField, paint_outline, stand_in_column
from inspector.gui.parts.slider import ParameterSlider, StopScale, eighths
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import UNIT
from inspector.settings import own_models_file
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import ModelRow

if TYPE_CHECKING:
    from inspector.gui.parts.choices import Choice
    from inspector.gui.parts.chooser import Chooser


WIDTH = 210 * UNIT
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
        self.setLineEdit(self._line)
        self.setCompleter(None)  # type: ignore[arg-type]
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
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
            ChoiceColumn("Model"),
            ChoiceColumn("Maker", 12, least=12),
            ChoiceColumn("Window", 10, least=10, at_right=True),
            ChoiceColumn("$ per M in / out", 15, least=15, at_right=True),
            ChoiceColumn("Tokenizer", 22),
        )
        words = "Search models by name, maker, window or tokenizer"
        chooser = Chooser("model_chooser", words, columns, self.window(), headings=True, takes_typed=True)
        chooser.chosen.connect(self._take)
        chooser.closed.connect(self._show_name)
        return chooser

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
        super().paintEvent(event)
        paint_outline(self)

    def _open(self, query: str) -> None:
        """Open the table with this text in its search line, or set the text if it is open."""
        from inspector.gui.parts.choices import lately_first

        if self.chooser.isVisible():
            self.chooser.found.line.setText(query)
            return
        window = self.window()
        corner = self.mapTo(window, QPoint(self.width(), self.height()))
        place = QRect(corner.x() - WIDTH, corner.y() + 1, WIDTH, 0)
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


WINDOWS = StopScale(eighths(256, 2_097_152, 128_000, 200_000, 400_000, 1_000_000, 2_000_000), fine=64)
"""The stops of the slider: eight in each doubling, and the windows of models on sale."""
_MOST = 100_000_000
_STAYS = "A window that was set by hand stays when another model is chosen."
_NAMED_BY = {
    "conversation": "The opened conversation names this model.",
    "character": "The character's file names this model.",
}


class ModelBox(QWidget):
    """The model, context window and tokenizer.

    `model_chosen` carries a name; `window_chosen` tokens and the gesture, `window_reset` asks for the model's own.
    """

    model_chosen = Signal(str)
    window_chosen = Signal(int, str)
    window_reset = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picker = ModelPicker(self)
        self.window_field = self._window_field()
        self.window_slider = self._window_slider()
        self.reset_button = IconButton("rotate-ccw", "Reset the context window to the model's own", quiet=True)
        self.reset_button.setObjectName("context_window:reset")
        self._tokenizer, self._window_origin, self._window_line = Hint(self, lines=2), Hint(self, lines=1), ""
        self._window_origin.setObjectName("window_line")
        self._tokenizer.setObjectName("tokenizer_line")
        self._lay_out()
        guard = WheelGuard(self)
        for control in (self.picker, self.window_field, self.window_slider):
            guard.guard(control)
        self.picker.chosen.connect(self.model_chosen)
        self.window_field.valueChanged.connect(lambda tokens: self.window_chosen.emit(tokens, ""))
        self.window_field.refused.connect(self._say_refused)
        self.window_slider.moved.connect(self._take_slider)
        self.reset_button.clicked.connect(self.window_reset)

    def show_model(self, scenario: Scenario, model: ChosenModel, used: Sequence[str]) -> None:
        """Show the current choices; nothing is emitted. `used` are the keys of choices used lately, newest first."""
        self.picker.show_model(model.name, used)
        self.window_field.show_value(model.window.tokens)
        self.window_slider.show_number(model.window.tokens)
        self.window_slider.setAccessibleDescription(counted(model.window.tokens, "token"))
        self.reset_button.setEnabled(scenario.context_window is not None)
        self._window_line = _window_line(scenario, model)
        self._say_of_window(self._window_line)
        named_by = "" if scenario.model else _NAMED_BY.get(model.named_by, "")
        self._tokenizer.say(f"{'' if model.tokenizer.exact else '≈ '}{model.tokenizer.reason} {named_by}".rstrip())

    def _window_field(self) -> WholeField:
        field = WholeField(self)
        field.setObjectName("context_window")
        field.setAccessibleName("Context window")
        field.setToolTip(tooltip("Tokens that the model takes, prompt and reply together"))
        field.setRange(1, _MOST)
        field.count("token")
        field.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        field.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        stand_in_column(field)
        return field

    def _window_slider(self) -> ParameterSlider:
        slider = ParameterSlider(WINDOWS, self)
        slider.setObjectName("context_window:slider")
        slider.setAccessibleName("Context window, by doubling")
        slider.describe("The context window; about eight steps double it, with Shift each is 64 tokens")
        return slider

    def _say_refused(self, reason: str) -> None:
        self._say_of_window(reason or self._window_line)

    def _say_of_window(self, line: str) -> None:
        """Show the text in a single line, so that nothing below it moves; its tooltip has the whole text."""
        self._window_origin.say(line)
        self._window_origin.setToolTip(tooltip(f"{line}\n{_STAYS}"))

    def _take_slider(self, number: float, gesture: str) -> None:
        tokens = round(number)
        self.window_field.show_value(tokens)
        self.window_chosen.emit(tokens, gesture)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(UNIT)
        grid.setVerticalSpacing(UNIT // 2)
        grid.setColumnStretch(0, 1)
        grid.addWidget(PlainLabel("Model"), 0, 0)
        grid.addWidget(self.picker, 1, 0, 1, 3)
        grid.addWidget(self._tokenizer, 2, 0, 1, 3)
        grid.setRowMinimumHeight(3, UNIT)
        grid.addWidget(PlainLabel("Context window"), 4, 0, 1, 3)
        grid.addWidget(self.window_slider, 5, 0)
        grid.addWidget(self.reset_button, 5, 1)
        grid.addWidget(self.window_field, 5, 2)
        grid.addWidget(self._window_origin, 6, 0, 1, 3)


def _window_line(scenario: Scenario, model: ChosenModel) -> str:
    """Return the origin of the window's size: always a short line, so that nothing below it moves."""
    if scenario.context_window is not None:
        own = f"; the model's own is {model.row.context_window:,}" if model.row else ""
        return f"Set by hand{own}."
    return "Named by a file that is open." if model.window.given else "The model's own."


def model_choices(rows: Iterable[ModelRow]) -> Iterator[Choice]:
    """Yield the choice of each model: name, maker, window, prices of a million tokens in and out, and tokenizer."""
    for row in rows:
        prices = f"{price_text(row.price_in)} / {price_text(row.price_out)}"
        known = row.price_in is not None or row.price_out is not None
        tokenizer = row.tokenizer if row.exact_tokenizer else f"≈ {row.tokenizer}"
        cells = (row.name, row.maker, f"{row.context_window:,}", prices if known else NO_PRICE, tokenizer)
        yield Choice(f"model:{row.name}", cells, row.name, " ".join(row.aliases), _tip(row))


def _tip(row: ModelRow) -> str:
    facts = f"facts of {row.date}" if row.date else "undated facts"
    aliases = f"\nalso called {', '.join(row.aliases)}" if row.aliases else ""
    return f"{row.name}{aliases}\n{facts}, from {row.source}" if row.source else f"{row.name}{aliases}\n{facts}"
