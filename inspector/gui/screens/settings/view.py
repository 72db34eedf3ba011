"""The settings: model, policy, preset, window, and every parameter as a control.

The view shows a scenario and emits the fields the user wants changed; it decides nothing, and keeps only the values
shown last. The wheel scrolls it and never changes a value.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from inspector.assembly import edits
from inspector.assembly.answer import Answer
from inspector.assembly.candidates import Candidates
from inspector.assembly.model_choice import ChosenModel
from inspector.assembly.own_policy import OwnPolicy
from inspector.assembly.policy import Policy, parameter_values, traits_of
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.served_contexts import ServedContext
from inspector.assembly.thresholds import WINDOW
from inspector.gui.parts.focus import first_stop, lead_through
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.low_window import LowWindow
from inspector.gui.parts.model_picker import ModelPicker
from inspector.gui.parts.number_field import WheelGuard
from inspector.gui.parts.policy_box import PolicyBox
from inspector.gui.parts.row_parts import INDENT
from inspector.gui.parts.slider import ParameterSlider
from inspector.gui.screens.settings.area import SettingsArea
from inspector.gui.screens.settings.class_row import ClassRow
from inspector.gui.screens.settings.head import SettingsHead
from inspector.gui.screens.settings.own_chip import OwnChip
from inspector.gui.screens.settings.parameter_list import ParameterList
from inspector.gui.screens.settings.server_rows import ServerRows
from inspector.gui.screens.settings.thought_rows import ThoughtRows
from inspector.gui.screens.settings.window_row import WindowRow
from inspector.gui.theme import UNIT

if TYPE_CHECKING:
    from inspector.gui.parts.slider import SliderFlips

NARROWEST = 66 * UNIT
_LABEL = 52
OPEN_AT_FIRST = ("conversation",)
"""The topics that are unfolded until the user folds them; none in a low window."""
_TOPIC_OF_CLASSES = "rare"
_NAMED_BY = {
    "conversation": "The opened conversation names this model.",
    "character": "The character's file names this model.",
}
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


class SettingsView(QWidget):
    """All controls of a scenario, below a head that stays in sight.

    `changed` carries the undo label, the fields of the scenario to replace with their values, and the gesture: the same
    words for every change between press and release of a slider, "" for a single step. `policy_requested` carries a
    policy and a preset, None for the preset used last with it. `flip_requested` carries the name of a slider, 1 or -1,
    and whether to go to the next flip of the selected item instead of any item. `touched` is emitted when the user
    takes hold of a control, before any consequence. `locked` carries the names of the locked shares, and the undo
    label. `share_dragged` carries the part of the bar whose share is held, None when it is let go. `turned` carries a
    topic and whether it is unfolded now. `own_requested` carries whether the rules of the file's program are wanted.
    """

    changed = Signal(object, tuple, str)
    policy_requested = Signal(str, object)
    flip_requested = Signal(str, int, bool)
    touched = Signal()
    scrolled = Signal()
    locked = Signal(object, str)
    share_dragged = Signal(object)
    turned = Signal(str, bool)
    own_requested = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settings_panel")
        self.setAccessibleName("Settings")
        self.setMinimumWidth(NARROWEST)
        self._policies: Mapping[str, type] = {}
        self._policy = DEFAULT_POLICY
        self._parameters: dict[str, Any] = {}
        self._available: int | None = None
        self._list: ParameterList | None = None
        self._sliders: dict[str, ParameterSlider] = {}
        self._unfolded: dict[str, bool] = {}
        self._shown: _Shown | None = None
        self.head, self.area = SettingsHead(self), SettingsArea(self)
        self._picker, self._policy_box = ModelPicker(self.area.page), PolicyBox(self.area.page)
        self._window, self._class_row = WindowRow(self.area.page), ClassRow(self.area.page)
        self._thoughts = ThoughtRows(self.area.page)
        self._server = ServerRows(self.area.page)
        self.own = OwnChip(self.area.page)
        self._low = LowWindow(self)
        self._lay_out()
        self._connect()

    def set_policies(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Offer these policies by name, and their presets by (policy, preset)."""
        self._policies, self._shown = policies, None
        self._policy_box.set_policies(policies, presets)

    def show_own(self, own: OwnPolicy | None, scenario: Scenario, back: str) -> None:
        """Show the policy of the file's program: first in the picker, and as a chip that leads `back` from it."""
        self.own.show_own(own, scenario, back)
        self._policy_box.show_own("" if own is None else own.policy)

    def show_served(self, served: Iterable[ServedContext]) -> None:
        """Offer the contexts of the servers that were found."""
        self._server.show_served(served)

    def light(self, part: str) -> None:
        """Light the rows of a part of the bar, "" for none."""
        if self._list is not None:
            self._list.light(part)

    def unfold(self, topics: Mapping[str, bool]) -> None:
        """Unfold these topics (True), and fold those (False), now and under other policies; nothing is emitted."""
        self._unfolded = dict(topics)
        self._fold()

    def enter(self, name: str) -> None:
        """Unfold the topic of a setting, bring its row into sight, and give it the keyboard."""
        row = None if self._list is None else self._list.reveal(name)
        if row is not None:
            QTimer.singleShot(0, row, lambda: self._give_keyboard(row))  # after an unfolded topic got its room

    def _give_keyboard(self, row: QWidget) -> None:
        self.area.ensureWidgetVisible(row)
        if (first := first_stop(row)) is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)

    def _fold(self) -> None:
        if self._list is not None:
            self._list.unfold(self._unfolded, () if self._low.is_low else OPEN_AT_FIRST)

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
        if name != self._policy:
            self._available = None  # those of the policy before
        self._take_available(answer)
        error = answer.assembly.error if answer else None
        said = (error.code, error.message) if error else ("", "")
        classified = answer.assembly.candidates if answer and scenario.classify else None
        effect = _in_effect(policy, answer)
        has_thoughts = answer is not None and answer.assembly.candidates.items.has_thoughts
        now = _Shown(scenario, policy, model, tuple(used), self._available, effect, said, classified, has_thoughts)
        if self._shown is not None and now.is_same(self._shown):
            return
        self._shown = now
        self._policy, self._parameters = name, dict(scenario.parameters)
        self._show_model(scenario, model, used)
        self._thoughts.show_choices(
            scenario.thoughts,
            scenario.thinking,
            has_thoughts=has_thoughts,
            has_switch=model.chat_format.template.has_thinking_switch,
        )
        self._server.show_choices(scenario.server, scenario.server_context, model.window.tokens)
        self._policy_box.show_choice(name, preset, used)
        chosen = self._policy_box.preset(name, scenario.looked_up)
        self.head.show_preset(preset, chosen.is_own)
        rows = self._rows_for(self._policies.get(name), chosen)
        if rows is not None:
            self._show_parameters(rows, chosen, now)

    def _show_model(self, scenario: Scenario, model: ChosenModel, used: Sequence[str]) -> None:
        self._picker.show_model(model.name, used)
        named_by = "" if scenario.model else _NAMED_BY.get(model.named_by, "")
        counted = f"{'' if model.tokenizer.exact else '≈ '}{model.tokenizer.reason}"
        known = model.name if model.row else f"{model.name} is not in the model table."
        self._picker.describe("\n".join(filter(None, (known, counted, named_by))))
        self._window.show_window(scenario, model)

    def _show_parameters(self, rows: ParameterList, chosen: Preset, now: "_Shown") -> None:
        for_model = traits_of(rows.policy()).parameters_for
        own = dict(for_model(now.model.name)) if for_model else {}
        preset_values = _defaults(rows) | own | dict(chosen.parameters)
        policy = now.policy
        values = parameter_values(policy) if policy is not None else preset_values | self._acceptable(rows)
        rows.show_values(values, preset_values, now.available, now.in_effect)
        self._class_row.setVisible("selective" in rows.parameters)
        self._class_row.show_classes(now.scenario.classify, now.classified)
        self.head.show_changed(
            [one.label for one in rows.parameters.values() if values[one.name] != preset_values[one.name]]
        )
        rows.show_complaint(*now.refusal)

    def _rows_for(self, policy: type | None, preset: Preset) -> ParameterList | None:
        """Return the rows of a policy under a preset, built anew for another policy or variant; None without a
        policy.
        """
        kind = None if policy is None else preset.kind(policy)
        if self._list is not None and self._list.policy is not kind:
            self._class_row.setParent(self.area.page)
            self._class_row.hide()
            self.area.column.removeWidget(self._list)
            self._list.hide()
            self._list.deleteLater()
            self._list = None
            self._sliders = {name: slider for name, slider in self._sliders.items() if name == WINDOW}
        if self._list is None and kind is not None:
            self._list = self._made_list(kind)
        return self._list

    def _made_list(self, kind: type) -> ParameterList:
        made = ParameterList(kind, self.area.page)
        made.edited.connect(self._edit_parameters)
        made.locks_changed.connect(self._tell_locks)
        made.share_dragged.connect(self.share_dragged)
        made.turned.connect(self._turn)
        made.unfold(self._unfolded, () if self._low.is_low else OPEN_AT_FIRST)
        self.area.column.insertWidget(self.area.column.indexOf(self._server) + 1, made)
        made.add_to_topic(_TOPIC_OF_CLASSES, self._class_row)
        lead_through(self._server, made)
        self._watch_sliders(made)
        return made

    def show_locks(self, locked: Collection[str]) -> None:
        """Show these shares as locked, all others as unlocked; nothing is emitted."""
        if self._list is not None:
            self._list.show_locks(locked)

    def _tell_locks(self, label: str) -> None:
        self.locked.emit(frozenset() if self._list is None else self._list.locked, label)

    def _turn(self, topic: str, is_open: bool) -> None:
        self._unfolded[topic] = is_open
        self.turned.emit(topic, is_open)

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

    def _lay_out(self) -> None:
        boxes = QGridLayout()
        boxes.setContentsMargins(INDENT, 0, UNIT, UNIT)
        boxes.setHorizontalSpacing(2 * UNIT)
        boxes.setVerticalSpacing(UNIT)
        boxes.setColumnMinimumWidth(0, _LABEL)
        for row, (words, box) in enumerate((("Model", self._picker), ("Policy", self._policy_box))):
            label = PlainLabel(words, self.area.page)
            label.setBuddy(box)
            boxes.addWidget(label, row, 0)
            boxes.addWidget(box, row, 1)
        boxes.addWidget(self.own, 2, 0, 1, 2, Qt.AlignmentFlag.AlignLeft)
        boxes.setColumnStretch(1, 1)
        self.area.column.addLayout(boxes)
        self.area.column.addWidget(self._window)
        self.area.column.addWidget(self._server)
        self.area.column.addWidget(self._thoughts)
        self.area.column.addStretch(1)
        self._class_row.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(self.area, 1)

    def _connect(self) -> None:
        self._watch_sliders(self._window)
        WheelGuard(self).guard(self._picker)
        self._low.changed.connect(lambda _: self._fold())
        self.area.verticalScrollBar().valueChanged.connect(lambda _: self.scrolled.emit())
        self._picker.chosen.connect(lambda name: self._emit(edits.use_model, name))
        self._window.chosen.connect(lambda tokens, gesture: self._emit(edits.use_window, tokens, gesture=gesture))
        self._window.reset.connect(lambda: self._emit(edits.use_window, None))
        self._policy_box.policy_chosen.connect(lambda name: self.policy_requested.emit(name, None))
        self._policy_box.preset_chosen.connect(lambda name: self.policy_requested.emit(self._policy, name))
        self.own.clicked.connect(self.own_requested)
        self.head.reset_asked.connect(lambda: self._emit(edits.reset_parameters))
        self._thoughts.sent_chosen.connect(lambda which: self._emit(edits.send_thoughts, which))
        self._thoughts.thinking_chosen.connect(lambda thinking: self._emit(edits.switch_thinking, thinking))
        self._server.server_chosen.connect(lambda server: self._emit(edits.choose_server, server))
        self._server.context_chosen.connect(
            lambda tokens, gesture: self._emit(edits.set_server_context, tokens, gesture=gesture)
        )
        self._class_row.classifier_chosen.connect(lambda rules: self._emit(edits.classify_by, rules))

    def _edit_parameters(self, label: str, values: dict[str, Any], gesture: str) -> None:
        self._emit(edits.set_parameters, values, label, gesture=gesture)

    def _emit(self, verb: Callable[..., edits.Edit], *terms: Any, gesture: str = "") -> None:
        self.touched.emit()
        self._shown = None  # what is not granted has to be shown again
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


@dataclass(frozen=True, eq=False)
class _Shown:
    """What is shown. Opening a file brings several answers that differ in nothing shown here.

    `refusal` is the code and message of an error, `classified` the candidates whose classes are counted.
    """

    scenario: Scenario
    policy: Policy | None
    model: ChosenModel
    used: tuple[str, ...]
    available: int | None
    in_effect: Mapping[str, float]
    refusal: tuple[str, str]
    classified: Candidates | None
    has_thoughts: bool

    def is_same(self, other: "_Shown") -> bool:
        """Return whether the other shows the same: the same objects, and equal figures."""
        mine = (self.scenario, self.policy, self.model, self.classified)
        others = (other.scenario, other.policy, other.model, other.classified)
        if not all(one is before for one, before in zip(mine, others, strict=True)):
            return False
        figures = (self.used, self.available, self.in_effect, self.refusal, self.has_thoughts)
        return figures == (other.used, other.available, other.in_effect, other.refusal, other.has_thoughts)
