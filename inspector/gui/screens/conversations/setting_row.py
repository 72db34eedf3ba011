"""The setting under which all chats are looked at: model, policy with its preset, and window."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractSpinBox, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.model_picker import ModelPicker
from inspector.gui.parts.number_field import WheelGuard, WholeField
from inspector.gui.parts.policy_box import BOX, PolicyBox
from inspector.gui.parts.texts import tooltip
from inspector.gui.screens.screen import Controls
from inspector.gui.theme import scaled

_MOST = 100_000_000
_LEAST, _MODEL, _POLICY, _WINDOW = 90, 150, 250, 86
"""The least width of a picker, and the widths of model, policy and window where there is room."""


class SettingRow(QWidget):
    """Boxes for the setting. `preset_chosen` carries a policy and a preset, None for the one used last with it.

    `refused` carries the reason why a typed window is not taken, "" once one is.
    """

    model_chosen = Signal(str)
    preset_chosen = Signal(str, object)
    window_chosen = Signal(int)
    refused = Signal(str)
    more_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._policy = DEFAULT_POLICY
        self.model, self.policy, self.window_field = ModelPicker(self), PolicyBox(self), self._make_window()
        for picker, name in (
            (self.model, "model"),
            (self.policy.policy_picker, "policy"),
            (self.policy.preset_picker, "preset"),
        ):
            picker.setObjectName(f"archive:{name}_picker")
        self.more = QPushButton("More", self)
        self.more.setObjectName("archive:more")
        self.more.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.more.setToolTip(tooltip("All settings, over the list"))
        self._lay_out()
        guard = WheelGuard(self)
        for control in (self.model, self.window_field):
            guard.guard(control)
        self.model.chosen.connect(self.model_chosen)
        self.policy.policy_chosen.connect(lambda name: self.preset_chosen.emit(name, None))
        self.policy.preset_chosen.connect(lambda name: self.preset_chosen.emit(self._policy, name))
        self.window_field.valueChanged.connect(self.window_chosen)
        self.window_field.refused.connect(self.refused)
        self.more.clicked.connect(self.more_requested)

    def offer(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Offer these policies and presets."""
        self.policy.set_policies(policies, presets)

    def show_controls(self, controls: Controls, used: Sequence[str]) -> None:
        """Show the current setting; nothing is emitted. `used` are the keys of choices used lately."""
        scenario, model = controls.scenario, controls.case.model
        self._policy = scenario.policy or DEFAULT_POLICY
        self.model.show_model(model.name, used)
        self.policy.show_choice(self._policy, scenario.preset or DEFAULT_PRESET, used)
        self.window_field.show_value(model.window.tokens)

    def _make_window(self) -> WholeField:
        field = WholeField(self)
        field.setObjectName("archive:context_window")
        field.setAccessibleName("Window")
        field.setToolTip(tooltip("Tokens that the model takes, prompt and reply together"))
        field.setRange(1, _MOST)
        field.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        field.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        field.setFixedSize(scaled(_WINDOW), BOX)
        return field

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(PlainLabel("Looked at with"))
        for box, width in ((self.model, _MODEL), (self.policy, _POLICY)):
            box.setMinimumWidth(scaled(_LEAST))
            box.setMaximumWidth(scaled(width))
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            row.addWidget(box, width)
        row.addWidget(self.window_field)
        row.addWidget(self.more)
