"""Rows of the policy panel, for one declared parameter each: slider and field, check box, choice or list.

A row shows values and reports the user's wishes; others act on them.
"""

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLineEdit, QWidget

from inspector.assembly import parameter_text
from inspector.assembly.policy import Parameter
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.labels import Hint, PlainLabel
from inspector.gui.parts.number_field import RealField, WheelGuard, WholeField, stand_in_column
from inspector.gui.parts.slider import ParameterSlider, scale_of
from inspector.gui.parts.texts import control_text, one_line, tooltip
from inspector.gui.theme import UNIT

_MOST = 1_000_000_000


class ParameterRow(QWidget):
    """The base of every row: a name, a reset button, room for a complaint.

    `edited` carries the parameter's name, the wanted value and the gesture ("" for a single step).
    """

    edited = Signal(str, object, str)

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parameter = parameter
        self._preset_value: Any = parameter.default
        self._shown: tuple[Any, ...] | None = None
        self._guard = WheelGuard(self)
        self.reset_button = IconButton("rotate-ccw", f"Reset {parameter.label.lower()}", quiet=True)
        self.reset_button.setObjectName(f"parameter:{parameter.name}:reset")
        self.reset_button.setEnabled(False)
        self.reset_button.clicked.connect(lambda: self.edited.emit(parameter.name, self._preset_value, ""))
        self._complaint = Hint(self, complaint=True, lines=1)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(UNIT)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(self._complaint, 3, 0, 1, 3)

    def show_value(self, value: Any, preset_value: Any) -> None:
        """Show a value and whether it is the preset's, without a signal.

        A value already shown is skipped, unless the user has moved the controls since.
        """
        if (value, preset_value) == self._shown:
            return
        self._shown = value, preset_value
        self._preset_value = preset_value
        self.reset_button.setEnabled(value != preset_value)
        self.reset_button.say(
            f"Reset {self.parameter.label.lower()} to {parameter_text.value_text(self.parameter, preset_value)}"
        )
        self._show(value)

    def show_complaint(self, text: str) -> None:
        """Show beside the control why its value is refused."""
        self._complaint.say(text)

    def _show(self, value: Any) -> None:
        """Put a value into the controls of this kind of row."""

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
    """A label above a slider, and the value in a field beside them."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self.label = PlainLabel(parameter.label)
        self.label.setToolTip(tooltip(parameter_text.description(parameter)))
        self.slider = ParameterSlider(scale_of(parameter))
        self._introduce(self.slider)
        self.field = WholeField() if parameter_text.is_whole(parameter) else self._real_field()
        self.field.setRange(*self._field_range())
        self.field.setSuffix(parameter_text.suffix(parameter))
        self.field.setSpecialValueText(parameter.at_minimum)
        self.field.setButtonSymbols(self.field.ButtonSymbols.NoButtons)
        stand_in_column(self.field)
        self._introduce(self.field, ":value")
        self._place()
        self.slider.moved.connect(self._take_slider)
        self.field.valueChanged.connect(self._take_field)
        self.field.refused.connect(self.show_complaint)

    def _place(self) -> None:
        self.label.setWordWrap(True)
        self._grid.addWidget(self.label, 0, 0, 1, 3)
        self._grid.addWidget(self.slider, 1, 0)
        self._grid.addWidget(self.reset_button, 1, 1)
        self._grid.addWidget(self.field, 1, 2)

    def _real_field(self) -> RealField:
        field = RealField()
        field.setDecimals(parameter_text.decimals(self.parameter))
        field.setSingleStep(self.parameter.step * parameter_text.factor(self.parameter))
        return field

    def _field_range(self) -> tuple[int, int]:
        """Return the declared minimum and the largest sensible value, which may be beyond the slider."""
        parameter, factor = self.parameter, parameter_text.factor(self.parameter)
        most = parameter.maximum * factor if parameter.unit == "share" else _MOST
        return int(parameter.minimum * factor), int(most)

    def _show(self, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return
        self.slider.show_number(value)
        if self.field.suffix() != (suffix := parameter_text.suffix(self.parameter, value)):
            self.field.setSuffix(suffix)
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
    """A check box."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self.box = QCheckBox(control_text(parameter.label))
        self._introduce(self.box)
        self._grid.addWidget(self.box, 0, 0, 1, 2)
        self._grid.addWidget(self.reset_button, 0, 2, Qt.AlignmentFlag.AlignRight)
        self.box.toggled.connect(lambda checked: self._emit(bool(checked)))

    def _show(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(value is True)


class ChoiceRow(ParameterRow):
    """A label and a list of words."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self.list = QComboBox()
        for index, (word, meaning) in enumerate(parameter.choices.items()):
            self.list.addItem(one_line(word), word)
            self.list.setItemData(index, tooltip(meaning), Qt.ItemDataRole.ToolTipRole)
            self.list.setItemData(index, meaning, Qt.ItemDataRole.AccessibleDescriptionRole)
        stand_in_column(self.list)
        self._introduce(self.list)
        label = PlainLabel(parameter.label)
        label.setWordWrap(True)
        self._grid.addWidget(label, 0, 0)
        self._grid.addWidget(self.reset_button, 0, 1)
        self._grid.addWidget(self.list, 0, 2)
        self.list.currentIndexChanged.connect(lambda place: self._emit(self.list.itemData(place)))

    def _show(self, value: Any) -> None:
        with QSignalBlocker(self.list):
            self.list.setCurrentIndex(self.list.findData(str(value)))


class ListRow(ParameterRow):
    """A label and a few numbers in a field, separated by commas."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self.field, self._text = QLineEdit(), ""
        stand_in_column(self.field)
        self._introduce(self.field)
        label = PlainLabel(parameter.label)
        label.setWordWrap(True)
        self._grid.addWidget(label, 0, 0)
        self._grid.addWidget(self.reset_button, 0, 1)
        self._grid.addWidget(self.field, 0, 2)
        self.field.editingFinished.connect(self._take_text)

    def _show(self, value: Any) -> None:
        self._text = parameter_text.value_text(self.parameter, value)
        self.field.setText(self._text)

    def _take_text(self) -> None:
        if self.field.text() != self._text:
            self._emit(parameter_text.numbers_in(self.field.text()))


def parameter_row(parameter: Parameter, parent: QWidget | None = None) -> ParameterRow:
    """Return the kind of row for a parameter."""
    if isinstance(parameter.default, bool):
        return SwitchRow(parameter, parent)
    if parameter.choices:
        return ChoiceRow(parameter, parent)
    if isinstance(parameter.default, tuple):
        return ListRow(parameter, parent)
    return NumberRow(parameter, parent)
