"""Which policy decides, which preset its parameters start from, and whether they still are the preset's."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QPushButton, QWidget

from inspector.assembly.presets import Preset
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.gui.parts.caption import Hint
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import one_line
from inspector.gui.parts.wheel_guard import WheelGuard
from inspector.gui.theme import UNIT

_PLAIN_PRESET = Preset("Document", "The policy's own values.")


class PolicyBox(QWidget):
    """Pickers of policy and preset. `policy_chosen` and `preset_chosen` carry names of the scenario."""

    policy_chosen = Signal(str)
    preset_chosen = Signal(str)
    reset_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets: Mapping[tuple[str, str], Preset] = {}
        self._policies: Mapping[str, type] = {}
        self.policy_picker = self._picker("policy_picker", "Policy")
        self.preset_picker = self._picker("preset_picker", "Preset")
        self._purpose, self._modified = Hint(self), Hint(self)
        self._purpose.setObjectName("preset_purpose")
        self._modified.setObjectName("modified_hint")
        self.reset_button = QPushButton("Reset all", self)
        self.reset_button.setObjectName("parameters:reset")
        self.reset_button.setToolTip(tooltip("Give every parameter the value of the preset"))
        self._lay_out()
        self.policy_picker.currentIndexChanged.connect(self._take_policy)
        self.preset_picker.currentIndexChanged.connect(self._take_preset)
        self.reset_button.clicked.connect(self.reset_asked)

    def set_policies(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Offer these policies and presets."""
        self._policies, self._presets = policies, presets
        with QSignalBlocker(self.policy_picker):
            self.policy_picker.clear()
            for name in policies:
                self.policy_picker.addItem(one_line(name), name)

    def show_choice(self, policy: str, preset: str) -> None:
        """Show the policy and preset in use; nothing is emitted."""
        with QSignalBlocker(self.policy_picker):
            self.policy_picker.setCurrentIndex(self.policy_picker.findData(policy))
        self.policy_picker.setToolTip(tooltip(_first_line(self._policies.get(policy))))
        with QSignalBlocker(self.preset_picker):
            self._offer_presets(policy)
            self.preset_picker.setCurrentIndex(self.preset_picker.findData(preset))
        chosen = self.preset(policy, preset)
        self.preset_picker.setToolTip(tooltip(chosen.description))
        self._purpose.say(chosen.description)

    def show_modified(self, labels: Sequence[str]) -> None:
        """Say which parameters differ from the preset."""
        what = "1 value differs" if len(labels) == 1 else f"{len(labels)} values differ"
        self._modified.say(f"Modified: {what} from the preset." if labels else "")
        self._modified.setToolTip(tooltip(", ".join(labels)))
        self.reset_button.setVisible(bool(labels))

    def preset(self, policy: str, preset: str) -> Preset:
        """The preset of that name; one without parameters where a policy has none."""
        return self._presets.get((policy, preset), _PLAIN_PRESET)

    def _offer_presets(self, policy: str) -> None:
        offered = {name: preset for (owner, name), preset in self._presets.items() if owner == policy}
        offered = {DEFAULT_PRESET: offered.get(DEFAULT_PRESET, _PLAIN_PRESET), **offered}
        shown = [self.preset_picker.itemData(index) for index in range(self.preset_picker.count())]
        if shown == list(offered):
            return
        self.preset_picker.clear()
        for name, preset in offered.items():
            self.preset_picker.addItem(one_line(preset.title), name)

    def _take_policy(self, index: int) -> None:
        if index >= 0:
            self.policy_chosen.emit(self.policy_picker.itemData(index))

    def _take_preset(self, index: int) -> None:
        if index >= 0:
            self.preset_chosen.emit(self.preset_picker.itemData(index))

    def _picker(self, name: str, words: str) -> QComboBox:
        picker = QComboBox(self)
        picker.setObjectName(name)
        picker.setAccessibleName(words)
        picker.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        picker.setMinimumContentsLength(8)
        WheelGuard(self).guard(picker)
        return picker

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(2 * UNIT)
        grid.setVerticalSpacing(UNIT // 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        grid.addWidget(PlainLabel("Policy"), 0, 0)
        grid.addWidget(PlainLabel("Preset"), 0, 1)
        grid.addWidget(self.policy_picker, 1, 0)
        grid.addWidget(self.preset_picker, 1, 1)
        grid.addWidget(self._purpose, 2, 0, 1, 2)
        grid.addWidget(self._modified, 3, 0)
        grid.addWidget(self.reset_button, 3, 1)


def _first_line(policy: type | None) -> str:
    return (policy.__doc__ or "").strip().partition("\n")[0] if policy else ""
