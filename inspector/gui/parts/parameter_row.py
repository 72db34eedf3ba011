"""Rows of settings, for one declared parameter each: slider and field, switch, choice, list or text.

A row is a line of 30 pixels: a name, a control, its figure, and a button that leads back to the preset. It shows values
and reports the user's wishes; others act on them.
"""

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from inspector.assembly import parameter_text
from inspector.assembly.policy import Parameter
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.choice_box import ChoiceBox
from inspector.gui.parts.hues import hue_of
from inspector.gui.parts.labels import Hint
from inspector.gui.parts.number_field import RealField, WheelGuard, WholeField, stand_in_column
from inspector.gui.parts.row_parts import INDENT, RowName, Toggle
from inspector.gui.parts.slider import ParameterSlider, scale_of
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import UNIT

LINE = 30
"""The height in pixels of a row with text of the usual size."""
TARGET = 24
_MOST = 1_000_000_000
_LEAST_FIGURE = "12,288"


class ParameterRow(QWidget):
    """The base of every row: a name, a reset button, and a complaint below, without room while there is none.

    `edited` carries the parameter's name, the wanted value and the gesture ("" for a single step).
    """

    edited = Signal(str, object, str)
    takes_rest = False
    """Whether the name takes the free width of its line."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parameter = parameter
        self._preset_value: Any = parameter.default
        self._shown: tuple[Any, ...] | None = None
        self._guard = WheelGuard(self)
        self.label = RowName(parameter.label, self.takes_rest, self)
        self.label.setToolTip(tooltip(parameter_text.description(parameter)))
        self.reset_button = IconButton("rotate-ccw", f"Reset {parameter.label.lower()}", quiet=True, parent=self)
        self.reset_button.setObjectName(f"parameter:{parameter.name}:reset")
        self.reset_button.setFixedSize(TARGET, TARGET)
        self.reset_button.setEnabled(False)
        self.reset_button.clicked.connect(lambda: self.edited.emit(parameter.name, self._preset_value, ""))
        self._complaint = Hint(self, complaint=True)
        self._complaint.setContentsMargins(INDENT, 0, 0, UNIT)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.setBackgroundRole(QPalette.ColorRole.Base)

    def light(self, lit: bool) -> None:
        """Stand out from the other rows, or no longer, without a change of size."""
        if lit != self.autoFillBackground():
            self.setAutoFillBackground(lit)
            self.update()

    @property
    def is_changed(self) -> bool:
        """Whether the shown value is another than that of the preset."""
        return self.label.is_changed

    def show_value(self, value: Any, preset_value: Any) -> None:
        """Show a value and whether it is the preset's, without a signal.

        A value already shown is skipped, unless the user has moved the controls since.
        """
        if (value, preset_value) == self._shown:
            return
        self._shown = value, preset_value
        self._preset_value = preset_value
        self.label.show_changed(value != preset_value)
        self.reset_button.setEnabled(value != preset_value)
        self.reset_button.say(
            f"Reset {self.parameter.label.lower()} to {parameter_text.value_text(self.parameter, preset_value)}"
        )
        self._show(value)

    def show_complaint(self, text: str) -> None:
        """Show below the control why its value is refused."""
        self._complaint.say(text)

    def _show(self, value: Any) -> None:
        """Put a value into the controls of this kind of row."""

    def _lay_out(self, *controls: QWidget) -> None:
        """Put the name, these controls and the reset button into a line, and the complaint below it."""
        line = QHBoxLayout()
        line.setSpacing(2 * UNIT)
        line.addStrut(LINE)
        for control in (self.label, *controls):
            line.addWidget(control)
        line.addSpacing(-UNIT)
        line.addWidget(self.reset_button)
        self.column.addLayout(line)
        self.column.addWidget(self._complaint)

    def _introduce(self, control: QWidget, part: str = "") -> None:
        """Give a control its stable name and description, and guard it against the mouse wheel."""
        described = parameter_text.description(self.parameter)
        control.setObjectName(f"parameter:{self.parameter.name}{part}")
        control.setAccessibleName(self.parameter.label)
        control.setAccessibleDescription(described)
        if isinstance(control, ParameterSlider):
            control.describe(described)
        else:
            control.setToolTip(tooltip(described))
        self._guard.guard(control)

    def _emit(self, value: Any, gesture: str = "") -> None:
        self._shown = None
        self.edited.emit(self.parameter.name, value, gesture)


class NumberRow(ParameterRow):
    """A slider, and the value in a field beside it."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self.slider = ParameterSlider(scale_of(parameter), self, hue_of(parameter))
        self._introduce(self.slider)
        self.field = WholeField(self) if parameter_text.is_whole(parameter) else self._real_field()
        self.field.setRange(*self._field_range())
        self.field.setSuffix(_suffix(parameter))
        self.field.setSpecialValueText(parameter.at_minimum)
        self.field.setButtonSymbols(self.field.ButtonSymbols.NoButtons)
        stand_in_column(self.field, self._longest())
        self._introduce(self.field, ":value")
        self._place()
        self.slider.moved.connect(self._take_slider)
        self.field.valueChanged.connect(self._take_field)
        self.field.refused.connect(self.show_complaint)

    def _place(self) -> None:
        self._lay_out(self.slider, self.field)

    def _real_field(self) -> RealField:
        field = RealField(self)
        field.setDecimals(parameter_text.decimals(self.parameter))
        field.setSingleStep(self.parameter.step * parameter_text.factor(self.parameter))
        return field

    def _longest(self) -> str:
        """Return the longest text that the slider can put into the field."""
        parameter = self.parameter
        values = (parameter.minimum, parameter.maximum, parameter.default)
        written = (parameter_text.value_text(parameter, value).partition(" ")[0] for value in values)
        unit = _suffix(parameter)
        return max((*(f"{text}{unit}" for text in written), parameter.at_minimum, _LEAST_FIGURE), key=len)

    def _field_range(self) -> tuple[int, int]:
        """Return the declared minimum and the largest sensible value, which may be beyond the slider."""
        parameter, factor = self.parameter, parameter_text.factor(self.parameter)
        most = parameter.maximum * factor if parameter.unit == "share" else _MOST
        return int(parameter.minimum * factor), int(most)

    def _show(self, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return
        self.slider.show_number(value)
        described = f"{parameter_text.value_text(self.parameter, value)}\n{parameter_text.description(self.parameter)}"
        self.slider.setAccessibleDescription(described)
        if isinstance(self.field, WholeField):
            self.field.show_value(int(value))
        else:
            self.field.show_value(value * parameter_text.factor(self.parameter))

    def _take_slider(self, number: float, gesture: str) -> None:
        value = round(number) if parameter_text.is_whole(self.parameter) else number
        self._emit(value, gesture)

    def _take_field(self, figure: float) -> None:
        if parameter_text.is_whole(self.parameter):
            self._emit(int(figure))
        else:
            self._emit(round(figure / parameter_text.factor(self.parameter), 9))


class SwitchRow(ParameterRow):
    """A switch; its name can be clicked, too."""

    takes_rest = True

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self.box = Toggle(self)
        self._introduce(self.box)
        self._lay_out(self.box)
        self.label.clicked.connect(self.box.click)
        self.box.toggled.connect(lambda checked: self._emit(bool(checked)))

    def _show(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(value is True)


_LONGEST_WORD = 15  # characters


class ChoiceRow(ParameterRow):
    """A box with a list of words."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self.list = ChoiceBox(self)
        for index, (word, meaning) in enumerate(parameter.choices.items()):
            self.list.addItem(one_line(word.replace("_", " ")), word)
            self.list.setItemData(index, tooltip(meaning), Qt.ItemDataRole.ToolTipRole)
            self.list.setItemData(index, meaning, Qt.ItemDataRole.AccessibleDescriptionRole)
        self.list.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        # Long words take room from the name, which is elided where it needs it.
        self.list.setMinimumContentsLength(min(max(map(len, parameter.choices)), _LONGEST_WORD))
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._introduce(self.list)
        self._lay_out(self.list)
        self.list.currentIndexChanged.connect(lambda place: self._emit(self.list.itemData(place)))

    def _show(self, value: Any) -> None:
        with QSignalBlocker(self.list):
            self.list.setCurrentIndex(self.list.findData(str(value)))


class ListRow(ParameterRow):
    """A few numbers in a field, separated by commas."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self.field, self._text = QLineEdit(self), ""
        self._introduce(self.field)
        self._lay_out(self.field)
        self.field.editingFinished.connect(self._take_text)

    def _show(self, value: Any) -> None:
        self._text = parameter_text.value_text(self.parameter, value)
        self.field.setText(self._text)

    def _take_text(self) -> None:
        if self.field.text() != self._text:
            self._emit(parameter_text.numbers_in(self.field.text()))


class TextRow(ParameterRow):
    """A text in a field."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self.field, self._text = QLineEdit(self), ""
        self._introduce(self.field)
        self._lay_out(self.field)
        self.field.editingFinished.connect(self._take_text)

    def _show(self, value: Any) -> None:
        self._text = value if isinstance(value, str) else ""
        self.field.setText(self._text)
        self.field.setCursorPosition(0)

    def _take_text(self) -> None:
        if self.field.text() != self._text:
            self._emit(self.field.text())


def parameter_row(parameter: Parameter, parent: QWidget | None = None) -> ParameterRow:
    """Return the kind of row for a parameter."""
    if isinstance(parameter.default, bool):
        return SwitchRow(parameter, parent)
    if parameter.choices:
        return ChoiceRow(parameter, parent)
    if isinstance(parameter.default, tuple):
        return ListRow(parameter, parent)
    if parameter.is_text:
        return TextRow(parameter, parent)
    return NumberRow(parameter, parent)


def _suffix(parameter: Parameter) -> str:
    """Return the unit behind the figure: percent; all others are in the description, not in each field of a column."""
    return " %" if parameter.unit == "share" else ""
