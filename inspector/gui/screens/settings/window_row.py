"""The row of the context window: its size in a field, and a slider that doubles it in eight steps."""

from operator import attrgetter

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractSpinBox, QVBoxLayout, QWidget

from inspector.assembly.model_choice import ChosenModel
from inspector.assembly.scenario import Scenario
from inspector.figures import counted
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.labels import Hint
from inspector.gui.parts.number_field import WheelGuard, WholeField, stand_in_column
from inspector.gui.parts.parameter_row import TARGET
from inspector.gui.parts.row_parts import INDENT, RowName, SecondText
from inspector.gui.parts.slider import ParameterSlider, StopScale, eighths
from inspector.gui.parts.texts import tooltip
from inspector.gui.screens.settings.share_rows import lay_out_in_two
from inspector.gui.theme import UNIT

WINDOWS = StopScale(eighths(256, 2_097_152, 128_000, 200_000, 400_000, 1_000_000, 2_000_000), fine=64)
"""The stops of the slider: eight in each doubling, and the windows of models on sale."""
_MOST = 100_000_000
_LONGEST = "2,097,152"
_WHAT = "Tokens that the model takes, prompt and reply together"
_STAYS = "A window that you set stays when another model is chosen."


class WindowRow(QWidget):
    """The context window. `chosen` carries tokens and the gesture, `reset` asks for the model's own."""

    chosen = Signal(int, str)
    reset = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._origin = ""
        self.label = RowName("Window", takes_rest=True, parent=self)
        self.label.setObjectName("context_window:name")
        self.slider, self.field = self._make_slider(), self._make_field()
        self.reset_button = IconButton("rotate-ccw", "Reset the window to the model's own", quiet=True, parent=self)
        self.reset_button.setObjectName("context_window:reset")
        self._complaint = Hint(self, complaint=True)
        self._complaint.setObjectName("window_complaint")
        self._complaint.setContentsMargins(INDENT, 0, 0, UNIT)
        self._lay_out()
        guard = WheelGuard(self)
        for control in (self.field, self.slider):
            guard.guard(control)
        self.field.valueChanged.connect(lambda tokens: self.chosen.emit(tokens, ""))
        self.field.refused.connect(self._complaint.say)
        self.slider.moved.connect(self._take_slider)
        self.reset_button.clicked.connect(self.reset)

    def show_window(self, scenario: Scenario, model: ChosenModel) -> None:
        """Show the window in use and its origin; nothing is emitted."""
        tokens, is_set = model.window.tokens, scenario.context_window is not None
        self.field.show_value(tokens)
        self.slider.show_number(tokens)
        self.slider.setAccessibleDescription(counted(tokens, "token"))
        self.reset_button.setEnabled(is_set)
        self.label.show_changed(is_set)
        if (origin := _origin(scenario, model)) != self._origin:
            self._origin = origin
            self.label.setToolTip(tooltip(f"{_WHAT}\n{origin}\n{_STAYS}"))

    def _take_slider(self, number: float, gesture: str) -> None:
        tokens = round(number)
        self.field.show_value(tokens)
        self.chosen.emit(tokens, gesture)

    def _make_field(self) -> WholeField:
        field = WholeField(self)
        field.setObjectName("context_window")
        field.setAccessibleName("Window")
        field.setAccessibleDescription(_WHAT)
        field.setToolTip(tooltip(_WHAT))
        field.setRange(1, _MOST)
        field.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        field.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        stand_in_column(field, _LONGEST)
        return field

    def _make_slider(self) -> ParameterSlider:
        slider = ParameterSlider(WINDOWS, self, attrgetter("text"))
        slider.setObjectName("context_window:slider")
        slider.setAccessibleName("Window, by doubling")
        slider.describe("The context window; about eight steps double it, with Shift each is 64 tokens")
        return slider

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        free = QWidget(self)
        free.setFixedWidth(TARGET)
        unit = SecondText("tokens", self)
        unit.setContentsMargins(0, 0, UNIT, 0)
        lay_out_in_two(column, (self.label, unit, self.field, free), self.slider, self.reset_button)
        column.addWidget(self._complaint)


def _origin(scenario: Scenario, model: ChosenModel) -> str:
    """Return where the size of the window is from."""
    if scenario.context_window is not None:
        own = f"; the model's own is {model.row.context_window:,}" if model.row else ""
        return f"From the file, or set by you{own}."
    if model.window.given:
        return "Named by a file that is open."
    return "The model's own." if model.row else f"{model.name} is not in the model table: {model.assumed_window}."
