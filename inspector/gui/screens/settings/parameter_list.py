"""The settings of a policy type: its shares, the settings without a topic, and a folding group for each topic."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import TOPICS, Parameter, parameters_by_name
from inspector.assembly.shares import SHARES
from inspector.gui.parts.fold import FoldLine
from inspector.gui.parts.hues import part_of_bar
from inspector.gui.parts.labels import Hint
from inspector.gui.parts.parameter_row import NumberRow, ParameterRow, parameter_row
from inspector.gui.parts.row_parts import INDENT
from inspector.gui.screens.settings.share_rows import ShareGroup
from inspector.gui.theme import UNIT

_PLACE_OF_COMPLAINT = {"system_prompt_too_large": "system_limit"}


class TopicGroup(QWidget):
    """The rows of a topic below a line that folds them. `folded` carries the topic and whether it is unfolded now."""

    turned = Signal(str, bool)

    def __init__(self, topic: str, rows: Collection[ParameterRow], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = FoldLine(TOPICS[topic], parent=self)
        self.line.setObjectName(f"settings:{topic}")
        self._rows, self._refused = rows, ""
        self._complaint, self._body = Hint(self, complaint=True), QWidget(self)
        self._complaint.setContentsMargins(INDENT, 0, 0, UNIT)
        self.column = QVBoxLayout(self._body)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        for row in rows:
            self.column.addWidget(row)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.line)
        whole.addWidget(self._complaint)
        whole.addWidget(self._body)
        self._body.hide()
        self.line.toggled.connect(self._body.setVisible)
        self.line.toggled.connect(lambda _: self._show_whole())
        self.line.clicked.connect(lambda is_open: self.turned.emit(topic, is_open))

    def show_complaint(self, text: str) -> None:
        """Show a complaint about one of the rows below the line while they are folded; "" for none."""
        self._refused = text
        self._show_whole()

    def _show_whole(self) -> None:
        self._complaint.say("" if self.line.isChecked() else self._refused)
        self.count()

    def count(self) -> None:
        """Show how many rows differ from the preset, and while they are folded, how many there are."""
        changed = sum(row.is_changed for row in self._rows)
        said = [f"{len(self._rows)}"] if not self.line.isChecked() else []
        self.line.say(", ".join([*said, *([f"{changed} changed"] if changed else [])]))


class ParameterList(QWidget):
    """Rows for every parameter. `edited` carries the undo label, the changed values by name, and the gesture.

    `locks_changed` carries the undo label when other shares become `locked`, `share_dragged` the part of the bar whose
    slider is held, None when it is let go, `turned` a topic and whether it is unfolded now. A parameter in a group
    named like a switch is disabled while the switch is off; the amounts of kinds that are not chosen are hidden.
    """

    edited = Signal(str, dict, str)
    locks_changed = Signal(str)
    share_dragged = Signal(object)
    turned = Signal(str, bool)

    def __init__(self, policy: type, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.policy = policy
        self.parameters = parameters_by_name(policy)
        self.topics: dict[str, TopicGroup] = {}
        self._rows: dict[str, ParameterRow] = {}
        self._values: Mapping[str, Any] = {}
        is_switch = {name for name, one in self.parameters.items() if isinstance(one.default, bool)}
        self._switched = {name: one.group for name, one in self.parameters.items() if one.group in is_switch}
        self._kinds = {amount: one for one in self.parameters.values() for amount in one.amounts.values()}
        self._shares: ShareGroup | None = None
        self._complaint = Hint(self, complaint=True)
        self._complaint.setObjectName("parameter_complaint")
        self._complaint.setContentsMargins(INDENT, 0, 0, UNIT)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._add_shares([one for one in self.parameters.values() if one.group == SHARES])
        others = [one for one in self.parameters.values() if one.group != SHARES]
        for parameter in (one for one in others if not one.topic):
            self._column.addWidget(self._row(parameter, self))
        for topic in TOPICS:
            if of_topic := [one for one in others if one.topic == topic]:
                self._add_topic(topic, of_topic)
        self._column.addWidget(self._complaint)

    @property
    def locked(self) -> frozenset[str]:
        """The names of the shares that stay when others move."""
        return frozenset() if self._shares is None else self._shares.locked

    def unfold(self, topics: Mapping[str, bool], others: Collection[str]) -> None:
        """Unfold these topics (True) and fold those (False); of the rest, unfold `others`. Nothing is emitted."""
        for topic, group in self.topics.items():
            group.line.setChecked(topics.get(topic, topic in others))

    def reveal(self, name: str) -> QWidget | None:
        """Unfold the topic of a parameter, and return its row; None if there is none. Folding is not emitted."""
        shares = {} if self._shares is None else self._shares.rows
        kind = self._kinds.get(name)
        if kind is not None and name in self._rows and self._rows[name].isHidden():
            name = kind.name
        row = self._rows.get(name) or shares.get(name)
        if row is not None and (topic := self.parameters[name].topic) in self.topics:
            self.topics[topic].line.setChecked(True)
        return row

    def add_to_topic(self, topic: str, row: QWidget) -> None:
        """Put another row at the end of a topic, or below all rows if the policy has no such topic."""
        (self.topics[topic].column if topic in self.topics else self._column).addWidget(row)

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
        self._values = values
        for name, row in self._rows.items():
            row.show_value(values[name], preset[name])
            if (kind := self._kinds.get(name)) is not None:
                row.setVisible(kind.amounts[values[kind.name]] == name)
        for name, switch in self._switched.items():
            self._rows[name].setEnabled(bool(values[switch]))
        if self._shares is not None:
            names = self._shares.rows
            self._shares.show_shares(
                {name: values[name] for name in names}, {name: preset[name] for name in names}, available, in_effect
            )
        for group in self.topics.values():
            group.count()

    def show_locks(self, locked: Collection[str]) -> None:
        """Show these shares as locked, all others as unlocked."""
        if self._shares is not None:
            self._shares.show_locks(locked)

    def show_complaint(self, code: str, message: str) -> None:
        """Show the policy's complaint below the control concerned, or below all of them; "" and "" clear it.

        What a hand may be on, the window and the shares, is above and stays where it is.
        """
        culprit = _PLACE_OF_COMPLAINT.get(code, message.partition(" ")[0])
        about_shares = self._shares is not None and (code == "shares_do_not_sum" or culprit in self._shares.rows)
        for name, row in self._rows.items():
            row.show_complaint(message if name == culprit else "")
        if self._shares is not None:
            self._shares.show_complaint(message if about_shares else "")
        self._complaint.say("" if about_shares or culprit in self._rows else message)
        for topic, group in self.topics.items():
            is_here = culprit in self._rows and self.parameters[culprit].topic == topic
            group.show_complaint(message if is_here else "")

    def _add_shares(self, parameters: list[Parameter]) -> None:
        if not parameters:
            return
        self._shares = ShareGroup(parameters, self)
        self._shares.moved.connect(self._move_shares)
        self._shares.locks_changed.connect(self.locks_changed)
        for row in self._shares.rows.values():
            self._watch_drag(row)
        self._column.addWidget(self._shares)

    def _add_topic(self, topic: str, parameters: list[Parameter]) -> None:
        group = TopicGroup(topic, [self._row(parameter, self) for parameter in parameters], self)
        group.turned.connect(self.turned)
        self.topics[topic] = group
        self._column.addWidget(group)

    def _row(self, parameter: Parameter, parent: QWidget) -> ParameterRow:
        row = self._rows[parameter.name] = parameter_row(parameter, parent)
        row.edited.connect(self._edit)
        if isinstance(row, NumberRow):
            self._watch_drag(row)
        return row

    def light(self, part: str) -> None:
        """Light the rows of a part of the bar, "" for none."""
        shares = () if self._shares is None else self._shares.rows.values()
        for row in (*self._rows.values(), *shares):
            row.light(bool(part) and part_of_bar(row.parameter) == part)

    def _watch_drag(self, row: NumberRow) -> None:
        """Tell while the slider of a part of the bar is held."""
        if part := part_of_bar(row.parameter):
            row.slider.sliderPressed.connect(lambda: self.share_dragged.emit(part))
            row.slider.sliderReleased.connect(lambda: self.share_dragged.emit(None))

    def _edit(self, name: str, value: Any, gesture: str) -> None:
        self.edited.emit(edit_label(self.parameters[name], value), {name: value, **self._beside(name, value)}, gesture)

    def _beside(self, name: str, value: Any) -> dict[str, Any]:
        """Return the other half of an object that is edited: files hold the kind and its amount together."""
        if (kind := self._kinds.get(name)) is not None:
            return {kind.name: self._values[kind.name]}
        amount = self.parameters[name].amounts.get(value, "")
        return {amount: self._values[amount]} if amount in self._values else {}

    def _move_shares(self, name: str, values: dict[str, float], gesture: str) -> None:
        self.edited.emit(edit_label(self.parameters[name], values[name]), values, gesture)
