"""The weights of a policy's ranking beside the memories, as in the policy panel, and the settings of the similarity."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from inspector.assembly.memory_ranking import weight_parameters
from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter, Policy
from inspector.gui.parts.labels import Hint, heading
from inspector.gui.parts.number_field import stand_in_column
from inspector.gui.parts.parameter_row import NumberRow, ParameterRow, parameter_row
from inspector.gui.screens.memories.relevance_rows import RelevanceRows
from inspector.gui.theme import PANEL_MARGIN, UNIT

NARROWEST = 58 * UNIT
_LONGEST_WEIGHT = "00.00"


class MemoryWeights(QScrollArea):
    """Rows for the weights, or a sentence if the policy has none; below them, under every policy, those of `relevance`.

    They keep no values and show the given ones. `edited` carries the undo label, the parameter by its name with its
    value, and the gesture.
    """

    edited = Signal(str, dict, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memory_weights")
        self.setAccessibleName("Weights of the ranking")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(NARROWEST)
        self.rows: dict[str, ParameterRow] = {}
        self._parameters: tuple[Parameter, ...] = ()
        self.total, self.said = heading(""), Hint()
        self.total.setWordWrap(True)
        self.total.setAccessibleName("How many memories are in the prompt")
        page = QWidget(self)
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(PANEL_MARGIN, UNIT, PANEL_MARGIN, PANEL_MARGIN)
        self._column.setSpacing(UNIT)
        self._column.addWidget(self.total)
        self._column.addWidget(self.said)
        self.relevance = RelevanceRows()
        self._column.addWidget(self.relevance)
        self._column.addStretch(1)
        self.setWidget(page)

    def show_total(self, words: str) -> None:
        """Show how many memories are in the prompt."""
        self.total.setText(words)

    def show_weights(self, policy: Policy | None, preset: Mapping[str, Any], sentence: str) -> None:
        """Show the weights of a policy against those of its preset, or the sentence if it has none.

        Without a policy, because its parameters are refused, nothing changes.
        """
        if policy is None:
            return
        parameters = weight_parameters(policy)
        if parameters != self._parameters:
            self._make_rows(parameters)
        for parameter in parameters:
            value = getattr(policy, parameter.name)
            self.rows[parameter.name].show_value(value, preset.get(parameter.name, parameter.default))
        self.said.say(sentence)

    def _make_rows(self, parameters: tuple[Parameter, ...]) -> None:
        for row in self.rows.values():
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._parameters, self.rows = parameters, {}
        for parameter in parameters:
            row = parameter_row(parameter)
            row.edited.connect(self._edit)
            if isinstance(row, NumberRow):
                stand_in_column(row.field, _LONGEST_WEIGHT)
            self._column.insertWidget(self._column.indexOf(self.relevance), row)
            self.rows[parameter.name] = row

    def _edit(self, name: str, value: Any, gesture: str) -> None:
        self.edited.emit(edit_label(self.rows[name].parameter, value), {name: value}, gesture)
