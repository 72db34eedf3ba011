"""The policy panel: model, window, policy, preset, the next message, and every parameter as a control.

It shows a scenario and emits the fields the user wants changed; it decides nothing and keeps no state but the last
values shown. The wheel scrolls it and never changes a value.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from inspector.assembly import edits
from inspector.assembly.answer import Answer
from inspector.assembly.model_choice import ChosenModel
from inspector.assembly.policy import Policy, parameter_values, traits_of
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.thresholds import WINDOW
from inspector.gui.focus import lead_through
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.slider import ParameterSlider
from inspector.gui.screens.policy.model_picker import ModelBox
from inspector.gui.screens.policy.parameter_list import ParameterList
from inspector.gui.screens.policy.policy_box import ClassBox, DraftBox, PolicyBox
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT

if TYPE_CHECKING:
    from inspector.gui.parts.slider import SliderFlips

NARROWEST = 75 * UNIT
KEYS = (
    KeyUse("The next value at which the selected item changes", "Alt+Right, Alt+Left"),
    KeyUse("The next value at which any item changes", "Alt+Up, Alt+Down"),
)
_JUMPS = {
    Qt.Key.Key_Right: (1, True),
    Qt.Key.Key_Left: (-1, True),
    Qt.Key.Key_Up: (1, False),
    Qt.Key.Key_Down: (-1, False),
}
"""The direction, and whether to look for flips of the selected item only."""


class PolicyPanel(QScrollArea):
    """All controls of a scenario.

    `changed` carries the undo label, the fields of the scenario to replace with their values, and the gesture: the same
    words for every change between press and release of a slider, "" for a single step. `policy_requested` carries a
    policy and a preset, None for the preset used last with it. `flip_requested` carries the name of a slider, 1 or -1,
    and whether to go to the next flip of the selected item instead of any item. `touched` is emitted when the user
    takes hold of a control, before any consequence. `locked` carries the names of the locked shares, and the undo
    label.
    """

    changed = Signal(object, tuple, str)
    policy_requested = Signal(str, object)
    flip_requested = Signal(str, int, bool)
    touched = Signal()
    locked = Signal(object, str)
    saving_requested = Signal()
    removal_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("policy_panel")
        self.setAccessibleName("Policy")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # Always shown, so that no control moves when a policy with more parameters is chosen.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setMinimumWidth(NARROWEST)
        self._policies: Mapping[str, type] = {}
        self._policy = DEFAULT_POLICY
        self._parameters: dict[str, Any] = {}
        self._available: int | None = None
        self._list: ParameterList | None = None
        self._sliders: dict[str, ParameterSlider] = {}
        page = QWidget(self.viewport())
        self._model_box, self._policy_box, self._draft_box = ModelBox(page), PolicyBox(page), DraftBox(page)
        self._class_box = ClassBox(page)
        self._column = self._lay_out(page)
        self._connect()

    def set_policies(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Offer these policies by name, and their presets by (policy, preset)."""
        self._policies = policies
        self._policy_box.set_policies(policies, presets)

    def show_setting(
        self,
        scenario: Scenario,
        policy: Policy | None,
        model: ChosenModel,
        answer: Answer | None,
        used: Sequence[str] = (),
    ) -> None:
        """Show a scenario in all controls, emitting nothing. `policy` is None if its parameters are refused.

        `used` are the keys of choices used lately, newest first.
        """
        name, preset = scenario.policy or DEFAULT_POLICY, scenario.preset or DEFAULT_PRESET
        self._policy, self._parameters = name, dict(scenario.parameters)
        self._model_box.show_model(scenario, model, used)
        self._policy_box.show_choice(name, preset)
        self._draft_box.show_draft(scenario.draft or "", exists=not scenario.has_later)
        chosen = self._policy_box.preset(name, scenario.looked_up)
        rows = self._rows_for(self._policies.get(name), chosen)
        if rows is None:
            return
        for_model = traits_of(rows.policy()).parameters_for
        own = dict(for_model(model.name)) if for_model else {}
        preset_values = _defaults(rows) | own | dict(chosen.parameters)
        values = parameter_values(policy) if policy is not None else preset_values | self._acceptable(rows)
        self._take_available(answer)
        rows.show_values(values, preset_values, self._available, _in_effect(policy, answer))
        self._class_box.setVisible("selective" in rows.parameters)
        self._class_box.show_classes(scenario.classify, answer.assembly.candidates if answer else None)
        self._policy_box.show_modified(
            [one.label for one in rows.parameters.values() if values[one.name] != preset_values[one.name]]
        )
        error = answer.assembly.error if answer else None
        rows.show_complaint(error.code if error else "", error.message if error else "")

    def _rows_for(self, policy: type | None, preset: Preset) -> ParameterList | None:
        """Return the rows of a policy under a preset, built anew for another policy or variant; None without a
        policy.
        """
        kind = None if policy is None else preset.kind(policy)
        if self._list is not None and self._list.policy is not kind:
            self._column.removeWidget(self._list)
            self._list.hide()
            self._list.deleteLater()
            self._list, self._available = None, None
            self._sliders = {name: slider for name, slider in self._sliders.items() if name == WINDOW}
        if self._list is None and kind is not None:
            self._list = ParameterList(kind, self._column.parentWidget())
            self._list.edited.connect(self._edit_parameters)
            self._list.locks_changed.connect(self._tell_locks)
            self._column.insertWidget(self._column.indexOf(self._class_box), self._list)
            lead_through(self._draft_box, self._list, self._class_box)
            self._watch_sliders(self._list)
        return self._list

    def show_locks(self, locked: Collection[str]) -> None:
        """Show these shares as locked, all others as unlocked; nothing is emitted."""
        if self._list is not None:
            self._list.show_locks(locked)

    def _tell_locks(self, label: str) -> None:
        self.locked.emit(frozenset() if self._list is None else self._list.locked, label)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Jump from flip to flip by Alt with an arrow; all other events go to the slider."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            jump = _JUMPS.get(Qt.Key(event.key())) if modifiers == Qt.KeyboardModifier.AltModifier else None
            if jump is not None:
                self.flip_requested.emit(_name_of(watched), *jump)
                return True
        return super().eventFilter(watched, event)

    def _watch_sliders(self, place: QWidget) -> None:
        for slider in place.findChildren(ParameterSlider):
            slider.installEventFilter(self)
            slider.gesture_began.connect(self.touched)
            self._sliders[_name_of(slider)] = slider

    @property
    def slider_names(self) -> tuple[str, ...]:
        """The names of the sliders, of the window and of parameters, from top to bottom."""
        return tuple(self._sliders)

    @property
    def is_held(self) -> bool:
        """Whether the user holds a slider."""
        return any(slider.isSliderDown() for slider in self._sliders.values())

    @property
    def sliders_in_sight(self) -> tuple[str, ...]:
        """The names of the sliders that are visible and enabled."""
        sliders = self._sliders.items()
        return tuple(name for name, each in sliders if each.isEnabled() and not each.visibleRegion().isEmpty())

    def show_flips(self, name: str, flips: "SliderFlips | None") -> None:
        """Mark the values of a slider that change an item; None removes the marks."""
        self._sliders[name].show_flips(flips)

    def _acceptable(self, rows: ParameterList) -> dict[str, Any]:
        """Return the acceptable parameters of the scenario, for a policy that refuses them as a whole."""
        declared = rows.parameters
        return {
            name: value
            for name, value in self._parameters.items()
            if name in declared and not declared[name].trouble(value)
        }

    def _take_available(self, answer: Answer | None) -> None:
        """Take the available tokens of an answer; after an error, which has none, the last number stays."""
        if answer is not None and answer.assembly.error is None:
            self._available = answer.assembly.budget.available

    def _lay_out(self, page: QWidget) -> QVBoxLayout:
        column = QVBoxLayout(page)
        column.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        column.setSpacing(GAP)
        column.addWidget(self._model_box)
        column.addWidget(self._policy_box)
        column.addWidget(self._draft_box)
        column.addWidget(self._class_box)
        column.addStretch(1)
        self.setWidget(page)
        return column

    def _connect(self) -> None:
        self._watch_sliders(self._model_box)
        model, policy = self._model_box, self._policy_box
        model.model_chosen.connect(lambda name: self._emit(edits.use_model, name))
        model.window_chosen.connect(lambda tokens, gesture: self._emit(edits.use_window, tokens, gesture=gesture))
        model.window_reset.connect(lambda: self._emit(edits.use_window, None))
        policy.policy_chosen.connect(lambda name: self.policy_requested.emit(name, None))
        policy.preset_chosen.connect(lambda name: self.policy_requested.emit(self._policy, name))
        policy.saving_asked.connect(self.saving_requested)
        policy.removal_asked.connect(self.removal_requested)
        policy.reset_asked.connect(lambda: self._emit(edits.reset_parameters))
        self._class_box.classifier_chosen.connect(lambda rules: self._emit(edits.classify_by, rules))
        self._draft_box.written.connect(lambda text, gesture: self._emit(edits.set_draft, text, gesture=gesture))

    def _edit_parameters(self, label: str, values: dict[str, Any], gesture: str) -> None:
        self._emit(edits.set_parameters, values, label, gesture=gesture)

    def _emit(self, verb: Callable[..., edits.Edit], *terms: Any, gesture: str = "") -> None:
        self.touched.emit()
        self.changed.emit(verb, terms, gesture)


def _name_of(slider: QObject) -> str:
    """Return the name of the slider's parameter."""
    return slider.objectName().removeprefix("parameter:").removesuffix(":slider")


def _in_effect(policy: Policy | None, answer: Answer | None) -> Mapping[str, float]:
    """Return the shares as moved by the policy with the conversation; none if it moves none or nothing is known."""
    shares_in_effect = traits_of(policy).shares_in_effect
    if shares_in_effect is None or answer is None or answer.assembly.error is not None:
        return {}
    return shares_in_effect(answer.assembly.candidates)


def _defaults(rows: ParameterList) -> dict[str, Any]:
    return {name: parameter.default for name, parameter in rows.parameters.items()}
