"""The parameters of a policy type as rows in titled groups, built from the policy's declarations."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import floor
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter, parameters_by_name
from inspector.assembly.shares import SHARES, moved_shares, share_for_tokens, sum_text
from inspector.figures import counted, percentage
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.labels import Hint, heading, keep_room
from inspector.gui.parts.number_field import WholeField, stand_in_column
from inspector.gui.parts.parameter_row import NumberRow, ParameterRow, parameter_row
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import UNIT

WHEN_MOVED = "100 % when moved"
_NO_ROOM_FOR_WORDS = 10_000_000


class ShareRow(NumberRow):
    """The row of a share, with a lock and a second field for tokens.

    `lock_changed` carries the undo label of a lock set by the user, `refused` the reason why a figure is refused.
    """

    lock_changed = Signal(str)
    refused = Signal(str)

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        self.lock = IconButton("lock-open", f"Lock {parameter.label.lower()}")
        self.lock.setObjectName(f"parameter:{parameter.name}:lock")
        self.lock.setCheckable(True)
        self.tokens = WholeField()
        super().__init__(parameter, parent)
        self.tokens.setRange(0, 0)
        self.tokens.setButtonSymbols(self.tokens.ButtonSymbols.NoButtons)
        stand_in_column(self.tokens)
        self._introduce(self.tokens, ":tokens")
        self.tokens.setAccessibleName(f"{parameter.label} in tokens")
        self.tokens.valueChanged.connect(self._take_tokens)
        self.tokens.refused.connect(self.refused)
        self.lock.toggled.connect(self._show_lock)
        self.lock.clicked.connect(self._tell_lock)
        self._share = 0.0
        self._available: int | None = None
        self._effect_of: tuple[float, float, int | None] | None = None
        self._effect = Hint(self, lines=1)
        self._effect.setObjectName(f"parameter:{parameter.name}:effect")
        self._effect.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(self._effect, 2, 0, 1, 3)
        self._complaint.setFixedHeight(0)  # the group shows complaints
        keep_room(self.tokens)
        self.tokens.hide()

    def _place(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.label)
        line.addWidget(self.lock)
        line.addStretch(1)
        self._grid.setVerticalSpacing(UNIT // 2)
        self._grid.addLayout(line, 0, 0, 1, 2)
        self._grid.addWidget(self.field, 0, 2)
        self._grid.addWidget(self.slider, 1, 0)
        self._grid.addWidget(self.reset_button, 1, 1)
        self._grid.addWidget(self.tokens, 1, 2)

    def show_available(self, available: int | None) -> None:
        """Set the tokens to be shared out; with None there is no field for tokens."""
        if available == self._available:
            return
        self._available = available
        self.tokens.count("" if (available or 0) >= _NO_ROOM_FOR_WORDS else "token")
        self.tokens.setVisible(available is not None)
        self._show_tokens()

    def show_effect(self, in_effect: float) -> None:
        """Show the share adjusted by the policy: `30.0 % → 22.4 %`; nothing if it is the same."""
        share, known = self._share, (self._share, in_effect, self._available)
        if known == self._effect_of:
            return
        self._effect_of = known
        if round(share, 9) == round(in_effect, 9):
            self._effect.say("")
            return
        tokens = f", {counted(floor(self._available * in_effect), 'token')}" if self._available else ""
        self._effect.say(f"{percentage(share)} → {percentage(in_effect)}{tokens}")
        moved = percentage(abs(in_effect - share))
        direction = "more" if in_effect > share else "less"
        self._effect.setToolTip(
            tooltip(f"The share in effect: {moved} {direction}, because of the conversation's length")
        )

    def show_complaint(self, text: str) -> None:
        """Let the group show the complaint."""
        self.refused.emit(text)

    def _show(self, value: Any) -> None:
        super()._show(value)
        self._share = value
        self._show_tokens()

    def _show_tokens(self) -> None:
        """Show the share in tokens, floored as by the policy."""
        available = self._available or 0
        with QSignalBlocker(self.tokens):  # a smaller maximum would change the value
            self.tokens.setMaximum(available)
        self.tokens.show_value(min(max(floor(available * self._share), 0), available))

    def _take_tokens(self, tokens: int) -> None:
        if self._available:
            self._emit(share_for_tokens(tokens, self._available))

    def _show_lock(self, locked: bool) -> None:
        name = self.parameter.label.lower()
        self.lock.show_icon("lock" if locked else "lock-open")
        self.lock.say(f"Unlock {name}" if locked else f"Lock {name}, so that it stays when others move")
        for control in (self.slider, self.field, self.tokens):
            control.setEnabled(not locked)

    def _tell_lock(self, locked: bool) -> None:
        self.lock_changed.emit(f"{'Lock' if locked else 'Unlock'} {self.parameter.label.lower()}")


class ShareGroup(QWidget):
    """All shares of a policy. `moved` carries the name of the moved share, the new values of all, and the gesture.

    `locks_changed` carries the undo label when other shares become `locked`. `sum` shows a sum other than 100 %; the
    owner of the group places it beside the title.
    """

    moved = Signal(str, dict, str)
    locks_changed = Signal(str)

    def __init__(self, parameters: Sequence[Parameter], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = {parameter.name: ShareRow(parameter, self) for parameter in parameters}
        self._values = {parameter.name: float(parameter.default) for parameter in parameters}
        self._before = dict(self._values)
        self._preset_values = dict(self._values)
        self.sum = Hint(self, lines=1)
        self.sum.setObjectName("shares_sum")
        self.sum.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._hint = Hint(self, complaint=True, lines=2)
        self._hint.setObjectName("shares_hint")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)  # each row ends with the line of its effect
        for row in self.rows.values():
            row.edited.connect(self._move)
            row.slider.gesture_began.connect(self._remember)
            row.refused.connect(self._hint.say)
            row.lock_changed.connect(lambda: self._hint.say(""))
            row.lock_changed.connect(self.locks_changed)
            column.addWidget(row)
        column.addWidget(self._hint)

    @property
    def locked(self) -> frozenset[str]:
        """The names of the shares that stay when others move."""
        return frozenset(name for name, row in self.rows.items() if row.lock.isChecked())

    def show_shares(
        self,
        values: Mapping[str, float],
        preset_values: Mapping[str, float],
        available: int | None,
        in_effect: Mapping[str, float],
    ) -> None:
        """Show the shares, those of the preset, the tokens shared out, and the shares adjusted by the policy.

        Nothing is emitted.
        """
        if values != self._values:
            self._hint.say("")
        self._values, self._preset_values = dict(values), dict(preset_values)
        for row in self.rows.values():
            row.show_available(available)
        self._show()
        for name, row in self.rows.items():
            row.show_effect(in_effect.get(name, self._values[name]))

    def show_locks(self, locked: Collection[str]) -> None:
        """Show these shares as locked, all others as unlocked; nothing is emitted."""
        if {*locked} & {*self.rows} != self.locked:
            self._hint.say("")
        for name, row in self.rows.items():
            row.lock.setChecked(name in locked)

    def show_complaint(self, text: str) -> None:
        """Show why the policy refuses the shares; "" leaves the hint."""
        if text:
            self._hint.say(text)

    def _show(self) -> None:
        for name, row in self.rows.items():
            row.show_value(self._values[name], self._preset_values[name])
        self.sum.say(sum_text(self._values.values(), WHEN_MOVED))

    def _remember(self) -> None:
        """Remember the shares at the start of a drag, which it divides: going back and forth loses nothing."""
        self._before = dict(self._values)

    def _move(self, name: str, wanted: float, gesture: str) -> None:
        before = self._before if gesture else self._values
        locked = [other for other in self.rows if other in self.locked]
        moved = moved_shares(before, name, wanted, locked)
        changed = moved.values != self._values
        self._values = moved.values
        self._show()
        self._hint.say("" if moved.stop is None else self._why_held(name, moved.stop, locked))
        if changed:
            self.moved.emit(name, dict(moved.values), gesture)

    def _why_held(self, name: str, stop: float, locked: Sequence[str]) -> str:
        label = self.rows[name].parameter.label
        held = [other for other in locked if other != name]
        words = " and ".join(f"{self.rows[other].parameter.label.lower()}" for other in held)
        are = "are" if len(held) > 1 else "is"
        if len(held) == len(self.rows) - 1:
            return f"{label} stays at {percentage(stop)}, because {words} {are} locked."
        return f"{label} stops at {percentage(stop)}, because {words} {are} locked."


_TITLES = {"": "Parameters", SHARES: "Shares", "selective": "Summarizing old messages"}
_PLACE_OF_COMPLAINT = {"system_prompt_too_large": "system_limit"}


class ParameterList(QWidget):
    """Rows for every parameter. `edited` carries the undo label, the changed values by name, and the gesture.

    `locks_changed` carries the undo label when other shares become `locked`. A group named like a switch is disabled
    while the switch is off.
    """

    edited = Signal(str, dict, str)
    locks_changed = Signal(str)

    def __init__(self, policy: type, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.policy = policy
        self.parameters = parameters_by_name(policy)
        self._rows: dict[str, ParameterRow] = {}
        self._bodies: dict[str, QWidget] = {}
        self._shares: ShareGroup | None = None
        self._complaint = Hint(self, complaint=True, lines=1)
        self._complaint.setObjectName("parameter_complaint")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2 * UNIT)
        self._column.addWidget(self._complaint)
        for group in self._groups():
            self._add_group(group, [one for one in self.parameters.values() if one.group == group])

    @property
    def locked(self) -> frozenset[str]:
        """The names of the shares that stay when others move."""
        return frozenset() if self._shares is None else self._shares.locked

    def show_values(
        self,
        values: Mapping[str, Any],
        preset: Mapping[str, Any],
        available: int | None,
        in_effect: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        """Show every value against that of the preset; shares are parts of `available` tokens.

        `in_effect` are the shares adjusted by the policy, as the sections get them.
        """
        for name, row in self._rows.items():
            row.show_value(values[name], preset[name])
        if self._shares is not None:
            names = self._shares.rows
            self._shares.show_shares(
                {name: values[name] for name in names}, {name: preset[name] for name in names}, available, in_effect
            )
        for group, body in self._bodies.items():
            if isinstance(values.get(group), bool):
                body.setEnabled(values[group])

    def show_locks(self, locked: Collection[str]) -> None:
        """Show these shares as locked, all others as unlocked."""
        if self._shares is not None:
            self._shares.show_locks(locked)

    def show_complaint(self, code: str, message: str) -> None:
        """Show the policy's complaint beside the control concerned; "" and "" clear it."""
        culprit = _PLACE_OF_COMPLAINT.get(code, message.partition(" ")[0])
        about_shares = self._shares is not None and (code == "shares_do_not_sum" or culprit in self._shares.rows)
        for name, row in self._rows.items():
            row.show_complaint(message if name == culprit else "")
        if self._shares is not None:
            self._shares.show_complaint(message if about_shares else "")
        self._complaint.say("" if about_shares or culprit in self._rows else message)

    def _groups(self) -> Iterator[str]:
        """Yield the shares first, then the parameters without a group, then the other groups as declared."""
        declared = dict.fromkeys(parameter.group for parameter in self.parameters.values())
        yield from (group for group in (SHARES, "") if group in declared)
        yield from (group for group in declared if group not in (SHARES, ""))

    def _add_group(self, group: str, parameters: list[Parameter]) -> None:
        title = heading(_TITLES.get(group, group.capitalize()))
        title.setWordWrap(True)
        if group == SHARES:
            self._shares = ShareGroup(parameters, self)
            head = QHBoxLayout()
            head.addWidget(title)
            head.addWidget(self._shares.sum, 1)
            self._column.addLayout(head)
            self._shares.moved.connect(self._move_shares)
            self._shares.locks_changed.connect(self.locks_changed)
            self._column.addWidget(self._shares)
            return
        self._column.addWidget(title)
        body = QWidget(self)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)  # each row ends with the line of its complaint
        for parameter in parameters:
            row = parameter_row(parameter, body)
            row.edited.connect(self._edit)
            column.addWidget(row)
            self._rows[parameter.name] = row
        self._bodies[group] = body
        self._column.addWidget(body)

    def _edit(self, name: str, value: Any, gesture: str) -> None:
        self.edited.emit(edit_label(self.parameters[name], value), {name: value}, gesture)

    def _move_shares(self, name: str, values: dict[str, float], gesture: str) -> None:
        self.edited.emit(edit_label(self.parameters[name], values[name]), values, gesture)
