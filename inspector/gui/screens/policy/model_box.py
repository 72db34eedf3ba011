"""The top of the policy panel: the model, the size of its window, and its tokenizer."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractSpinBox, QGridLayout, QWidget

from inspector.assembly.model_choice import ChosenModel
from inspector.assembly.scenario import Scenario
from inspector.figures import counted
from inspector.gui.parts.caption import Hint
from inspector.gui.parts.icon_button import IconButton
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.number_field import WholeField, stand_in_column
from inspector.gui.parts.parameter_slider import ParameterSlider
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.slider_scale import StopScale, eighths
from inspector.gui.parts.wheel_guard import WheelGuard
from inspector.gui.screens.policy.model_picker import ModelPicker
from inspector.gui.theme import UNIT

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
        self.reset_button = IconButton("reset", "Reset the context window to the model's own", quiet=True)
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
