"""The parameters of a policy type as rows in titled groups, built from the policy's declarations."""

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter, parameters_by_name
from inspector.assembly.shares import SHARES
from inspector.gui.parts.caption import Hint, heading
from inspector.gui.parts.parameter_row import ParameterRow, parameter_row
from inspector.gui.screens.policy.share_group import ShareGroup
from inspector.gui.theme import UNIT

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
