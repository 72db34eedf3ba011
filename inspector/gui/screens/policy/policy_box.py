"""The choice of the policy and of the preset its parameters start from, and whether they still are the preset's."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QGridLayout, QMenu, QPushButton, QWidget

from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.gui.parts.caption import Hint, keep_room
from inspector.gui.parts.icon_button import IconButton
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.plain_text import control_text, tooltip
from inspector.gui.parts.visible_text import one_line
from inspector.gui.parts.wheel_guard import WheelGuard
from inspector.gui.screens.policy.described_picker import DescribedPicker
from inspector.gui.theme import UNIT

if TYPE_CHECKING:
    from inspector.gui.parts.choices import Choice

POLICY_HEADINGS = (("Policy", 32, 24), ("In files", 26, 0), ("What it does", 0, 0), ("Whose", 14, 14))
PRESET_HEADINGS = (("Preset", 26, 24), ("In files", 16, 0), ("What it is for", 0, 0))
_PLAIN_PRESET = Preset("Document", "The policy's own values.")


class PolicyBox(QWidget):
    """Pickers of policy and preset, and the actions on presets.

    `policy_chosen` and `preset_chosen` carry names of the scenario. `saving_asked` is for the current values,
    `removal_asked` for the user's own preset in use.
    """

    policy_chosen = Signal(str)
    preset_chosen = Signal(str)
    reset_asked = Signal()
    saving_asked = Signal()
    removal_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets: Mapping[tuple[str, str], Preset] = {}
        self._policies: Mapping[str, type] = {}
        self._offered: dict[str, Preset] = {}
        self.policy_picker = self._picker("policy_picker", "Policy", POLICY_HEADINGS, self._policy_choice)
        self.preset_picker = self._picker("preset_picker", "Preset", PRESET_HEADINGS, self._preset_choice)
        self._save, self._remove = self._preset_menu()
        self._purpose, self._modified = Hint(self, lines=1), Hint(self, lines=1)
        self._purpose.setObjectName("preset_purpose")
        self._modified.setObjectName("modified_hint")
        self.reset_button = QPushButton("Reset all", self)
        self.reset_button.setObjectName("parameters:reset")
        self.reset_button.setToolTip(tooltip("Give every parameter the value of the preset"))
        keep_room(self.reset_button)
        self._lay_out()
        self.policy_picker.currentIndexChanged.connect(self._take_policy)
        self.preset_picker.currentIndexChanged.connect(self._take_preset)
        self.reset_button.clicked.connect(self.reset_asked)

    def set_policies(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Offer these policies and presets."""
        self._presets = presets
        if list(policies) != list(self._policies):
            with QSignalBlocker(self.policy_picker):
                self.policy_picker.clear()
                for name in policies:
                    self.policy_picker.addItem(one_line(name), name)
        self._policies = policies

    def show_choice(self, policy: str, preset: str) -> None:
        """Show the current policy and preset; nothing is emitted."""
        with QSignalBlocker(self.policy_picker):
            self.policy_picker.setCurrentIndex(self.policy_picker.findData(policy))
        self.policy_picker.setToolTip(tooltip(_first_line(self._policies.get(policy))))
        with QSignalBlocker(self.preset_picker):
            self._offer_presets(policy)
            self.preset_picker.setPlaceholderText(preset)  # visible if the preset has been removed elsewhere
            self.preset_picker.setCurrentIndex(self.preset_picker.findData(preset))
        chosen = self.preset(policy, preset)
        self.preset_picker.setToolTip(tooltip(chosen.description))
        self._purpose.say(chosen.description)
        self._remove.setEnabled(chosen.is_own)
        self._remove.setText(f"Remove preset “{control_text(preset)}”" if chosen.is_own else "Remove preset")

    def show_modified(self, labels: Sequence[str]) -> None:
        """Show which parameters differ from the preset."""
        what = "1 value" if len(labels) == 1 else f"{len(labels)} values"
        self._modified.say(f"Modified: {what}" if labels else "")
        self._modified.setToolTip(tooltip(f"Not those of the preset: {', '.join(labels)}" if labels else ""))
        self.reset_button.setVisible(bool(labels))

    def preset(self, policy: str, preset: str) -> Preset:
        """Return the preset of this name; a preset without parameters if the policy has none."""
        return self._presets.get((policy, preset), _PLAIN_PRESET)

    def _offer_presets(self, policy: str) -> None:
        """Offer the shipped presets of a policy and, below a heading, the user's own."""
        of_policy = {name: preset for (owner, name), preset in self._presets.items() if owner == policy}
        offered = {DEFAULT_PRESET: of_policy.get(DEFAULT_PRESET, _PLAIN_PRESET), **of_policy}
        if offered == self._offered:
            return
        self._offered = offered
        listed = QStandardItemModel(self.preset_picker)
        for is_own in (False, True):
            chosen = {name: preset for name, preset in offered.items() if preset.is_own == is_own}
            if is_own and chosen:
                listed.appendRow(_heading("Your own"))
            for name, preset in chosen.items():
                listed.appendRow(_choice(name, preset))
        self.preset_picker.setModel(listed)

    def _take_policy(self, index: int) -> None:
        if index >= 0:
            self.policy_chosen.emit(self.policy_picker.itemData(index))

    def _take_preset(self, index: int) -> None:
        if index >= 0 and self.preset_picker.itemData(index) is not None:
            self.preset_chosen.emit(self.preset_picker.itemData(index))

    def _policy_choice(self, name: str) -> "Choice":
        from inspector.gui.screens.policy.policy_choices import policy_choice

        return policy_choice(name, self._policies[name])

    def _preset_choice(self, name: str) -> "Choice":
        from inspector.gui.screens.policy.policy_choices import preset_choice

        policy = self.policy_picker.currentData()
        return preset_choice(policy, name, self.preset(policy, name))

    def _picker(
        self, name: str, words: str, headings: Sequence[tuple[str, int, int]], describe: "Callable[[str], Choice]"
    ) -> QComboBox:
        picker = DescribedPicker(f"Find a {words.lower()} by name or what it does", headings, describe, self)
        picker.setObjectName(name)
        picker.setAccessibleName(words)
        picker.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        picker.setMinimumContentsLength(4)  # it takes the room left; large text leaves little
        WheelGuard(self).guard(picker)
        return picker

    def _preset_menu(self) -> tuple[QAction, QAction]:
        """Make the button beside the preset with its menu; return the actions that save and remove."""
        self.preset_button = IconButton("more", "Save or remove presets", parent=self)
        self.preset_button.setObjectName("preset_menu")
        self.preset_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        menu = QMenu(self)
        menu.setObjectName("preset_actions")
        self.preset_button.clicked.connect(lambda: menu.popup(self._below(self.preset_button)))
        save = menu.addAction("Save values as preset…")
        remove = menu.addAction("Remove preset")
        save.triggered.connect(lambda: self.saving_asked.emit())
        remove.triggered.connect(lambda: self.removal_asked.emit())
        return save, remove

    def _below(self, button: QWidget) -> QPoint:
        return button.mapToGlobal(button.rect().bottomLeft())

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
        grid.addWidget(self.preset_button, 1, 2)
        grid.addWidget(self._purpose, 2, 0, 1, 3)
        grid.addWidget(self._modified, 3, 0)
        grid.addWidget(self.reset_button, 3, 1, 1, 2)


def _choice(name: str, preset: Preset) -> QStandardItem:
    item = QStandardItem(one_line(preset.title))
    item.setData(name, Qt.ItemDataRole.UserRole)
    item.setToolTip(tooltip(preset.description))
    return item


def _heading(text: str) -> QStandardItem:
    item = QStandardItem(text)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    return item


def _first_line(policy: type | None) -> str:
    return (policy.__doc__ or "").strip().partition("\n")[0] if policy else ""
