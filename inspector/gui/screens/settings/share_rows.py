"""Rows of shares, which sum to 100 %: two lines each, the slider in the hue of the section, and locks."""

from collections.abc import Collection, Mapping, Sequence
from math import floor
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.assembly.policy import Parameter
from inspector.assembly.shares import moved_shares, share_for_tokens, sum_text
from inspector.figures import counted, percentage
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.labels import Hint, keep_room
from inspector.gui.parts.number_field import WholeField, paint_ground, stand_in_column
from inspector.gui.parts.parameter_row import TARGET, NumberRow
from inspector.gui.parts.row_parts import INDENT
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import UNIT, give_font, theme

_LONGEST_TOKENS = "1,048,576"
ABOVE, BELOW = 26, 20
"""The heights in pixels of the two lines of a row."""


class ShareRow(NumberRow):
    """The row of a share: name, tokens, percent and lock; below them a slider of the full width.

    `lock_changed` carries the undo label of a lock set by the user, `refused` the reason why a figure is refused.
    """

    takes_rest = True
    lock_changed = Signal(str)
    refused = Signal(str)

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self._introduce(self.tokens, ":tokens")
        self.tokens.setAccessibleName(f"{parameter.label} in tokens")
        self.tokens.valueChanged.connect(self._take_tokens)
        self.tokens.refused.connect(self.refused)
        self.lock.toggled.connect(self._show_lock)
        self.lock.clicked.connect(self._tell_lock)
        self._share = 0.0
        self._available: int | None = None
        self._effect_of: tuple[float, float, int | None] | None = None
        self.tokens.hide()

    def _place(self) -> None:
        self.lock = IconButton("lock-open", f"Lock {self.parameter.label.lower()}", parent=self)
        self.lock.setObjectName(f"parameter:{self.parameter.name}:lock")
        self.lock.setCheckable(True)
        self.lock.setFixedSize(TARGET, TARGET)
        self.tokens = QuietField(self)
        keep_room(self.tokens)
        self._effect = Hint(self)
        self._effect.setObjectName(f"parameter:{self.parameter.name}:effect")
        self._effect.setContentsMargins(INDENT, 0, 0, UNIT)
        lay_out_in_two(self.column, (self.label, self.tokens, self.field, self.lock), self.slider, self.reset_button)
        self.column.addWidget(self._effect)

    def show_available(self, available: int | None) -> None:
        """Set the tokens to be shared out; with None there is no field for tokens."""
        if available == self._available:
            return
        self._available = available
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
        self.lock.say(f"Unlock {name}" if locked else f"Lock {name}, so that the share stays when others move")
        for control in (self.slider, self.field, self.tokens):
            control.setEnabled(not locked)

    def _tell_lock(self, locked: bool) -> None:
        self.lock_changed.emit(f"{'Lock' if locked else 'Unlock'} {self.parameter.label.lower()}")


class QuietField(WholeField):
    """A field for tokens that looks like plain text in the second ink until it is used."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setRange(0, 0)
        self.setButtonSymbols(self.ButtonSymbols.NoButtons)
        give_font(self, "secondary")
        stand_in_column(self, _LONGEST_TOKENS, 2 * UNIT)
        self.lineEdit().hide()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the line that takes the figure."""
        self.lineEdit().show()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.lineEdit().hide()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus() or (self.underMouse() and self.isEnabled()):
            paint_ground(self)
        if self.lineEdit().isHidden():
            painter = QPainter(self)
            painter.setPen(theme().second_text if self.isEnabled() else theme().muted_text)
            room = self.rect().adjusted(0, 0, -UNIT, 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.text())


def lay_out_in_two(column: QVBoxLayout, above: Sequence[QWidget], slider: QWidget, reset: QWidget) -> None:
    """Put a line of controls above a slider that is as wide as all but the last of them."""
    line, below = QHBoxLayout(), QHBoxLayout()
    line.addStrut(ABOVE)
    below.addStrut(BELOW)
    line.setSpacing(UNIT // 2)  # figures have room of their own
    below.setSpacing(UNIT)
    slider.setFixedHeight(BELOW)
    reset.setFixedSize(TARGET, BELOW)
    for control in above[:-1]:
        line.addWidget(control)
    line.addSpacing(UNIT // 2)
    line.addWidget(above[-1])
    below.addSpacing(INDENT)
    below.addWidget(slider, 1)
    below.addWidget(reset)
    column.addLayout(line)
    column.addLayout(below)


class ShareGroup(QWidget):
    """All shares of a policy. `moved` carries the name of the moved share, the new values of all, and the gesture.

    `locks_changed` carries the undo label when other shares become `locked`. Below the shares, `sum` shows a sum other
    than 100 %.
    """

    moved = Signal(str, dict, str)
    locks_changed = Signal(str)

    def __init__(self, parameters: Sequence[Parameter], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = {parameter.name: ShareRow(parameter, self) for parameter in parameters}
        self._values = {parameter.name: float(parameter.default) for parameter in parameters}
        self._before = dict(self._values)
        self._preset_values = dict(self._values)
        self.sum = SumLine(self)
        self._hint = Hint(self, complaint=True)
        self._hint.setObjectName("shares_hint")
        self._hint.setContentsMargins(INDENT, 0, 0, UNIT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for row in self.rows.values():
            self._join(row)
            column.addWidget(row)
        column.addWidget(self.sum)
        column.addWidget(self._hint)

    def _join(self, row: ShareRow) -> None:
        row.edited.connect(self._move)
        row.slider.gesture_began.connect(self._remember)
        row.refused.connect(self._hint.say)
        row.lock_changed.connect(lambda: self._hint.say(""))
        row.lock_changed.connect(self.locks_changed)

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
        self.sum.say(sum_text(self._values.values()))

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
        stays = len(held) == len(self.rows) - 1
        return f"{label}: {percentage(stop)}{'' if stays else ' at most'}, while {words} {are} locked."


class SumLine(Hint):
    """A sum of shares other than 100 %, in the ink of warnings, in the gap below the shares, so that nothing moves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, lines=1)
        self.setObjectName("shares_sum")
        self.setToolTip(tooltip("The shares do not sum to 100 %. Moving any of them gives out the rest."))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(theme().warning)
        painter.drawText(self.rect().adjusted(INDENT, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text())
