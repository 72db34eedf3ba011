"""The box of the policy and its preset: two segments in one frame, each with a popover that says what each does."""

from collections.abc import Callable, Mapping, Sequence
from inspect import getdoc
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QWidget

from inspector.assembly.policy import traits_of
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.derived import cached_property
from inspector.gui.icons import line_icon
from inspector.gui.parts.choice_model import ChoiceColumn
from inspector.gui.parts.choices import Choice, lately_first
from inspector.gui.parts.number_field import WheelGuard, paint_ground
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import RADIUS, UNIT, give_font, theme

if TYPE_CHECKING:
    from inspector.gui.parts.chooser import Chooser

BOX = 30
"""The height of a box in pixels."""
ARROW = 14
POPOVER = QSize(480, 420)
POLICY_HEADINGS = (
    ChoiceColumn("Policy", 22, least=16),
    ChoiceColumn("Group", 10, least=10),
    ChoiceColumn("What it does", least=16),
)
_GROUPS = ("this file", "program", "library", "design")
"""The groups of policies, in the order of the picker; the first is the program of the file."""
PRESET_HEADINGS = (ChoiceColumn("Preset", 20, least=16), ChoiceColumn("What it is for", least=20))
_PLAIN_PRESET = Preset("Document", "The policy's own values.")


def paint_arrow(painter: QPainter, box: QRect) -> None:
    """Draw the arrow at the right end of a box."""
    top = box.top() + (box.height() - ARROW) // 2
    line_icon("chevron-down", ARROW).paint(painter, QRect(box.right() - ARROW - UNIT, top, ARROW, ARROW))


class DescribedPicker(QComboBox):
    """A segment of a box: a combo box whose popover shows `describe` of each entry's data."""

    def __init__(
        self,
        words: str,
        columns: Sequence[ChoiceColumn],
        describe: Callable[[str], Choice],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._words, self._columns, self._describe = words, columns, describe
        self._used: Sequence[str] = ()
        self._order: Callable[[Choice], int] = lambda choice: 0
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(4)  # it takes the room left; large text leaves little
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @cached_property
    def chooser(self) -> "Chooser":
        """The popover, made when it is first opened."""
        from inspector.gui.parts.chooser import Chooser

        name = f"{self.objectName()}:chooser"
        chooser = Chooser(name, self._words, self._columns, self.window(), headings=True, foot_lines=3)
        chooser.chosen.connect(lambda choice: self.setCurrentIndex(self.findData(choice.thing)))
        return chooser

    def group(self, order: Callable[[Choice], int]) -> None:
        """List the choices by groups, whose place is that of `order`; within a group, those used lately first."""
        self._order = order

    def show_used(self, used: Sequence[str]) -> None:
        """Set the keys of choices used lately, newest first; the popover lists them first."""
        self._used = used

    def showPopup(self) -> None:
        """Open the popover under the whole box, with the current choice marked."""
        data = [self.itemData(index) for index in range(self.count())]
        choices = lately_first((self._describe(name) for name in data if name is not None), self._used)
        choices.sort(key=self._order)
        box = self.parentWidget() or self
        corner = box.mapTo(self.window(), QPoint(0, box.height()))
        place = QRect(QPoint(corner.x(), corner.y() + 1), POPOVER)
        self.chooser.open_over(self.window(), place, choices)
        self.chooser.found.mark(self._describe(self.currentData()).key)

    def hidePopup(self) -> None:
        """Close the popover, if it was ever open."""
        if "chooser" in self.__dict__:
            self.chooser.close()

    def width_of_text(self) -> int:
        """Return the width in which the current choice is shown whole."""
        return self.fontMetrics().horizontalAdvance(self.currentText()) + ARROW + 5 * UNIT

    def sizeHint(self) -> QSize:
        return QSize(self.width_of_text(), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(ARROW + 8 * UNIT, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the choice and the arrow; the ground is that of the box."""
        painter, look = QPainter(self), theme()
        inside = self.rect().adjusted(2, 2, -2, -2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus() or (self.underMouse() and self.isEnabled()):
            painter.setPen(look.accent if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(look.hover if self.underMouse() else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(inside, RADIUS - 2, RADIUS - 2)
        paint_arrow(painter, self.rect())
        painter.setPen(self.palette().color(self.foregroundRole()))
        room = self.rect().adjusted(2 * UNIT, 0, -ARROW - 2 * UNIT, 0)
        text = self.currentText() or self.placeholderText()
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)


class PolicyBox(QWidget):
    """The policy and its preset. `policy_chosen` and `preset_chosen` carry names of the scenario."""

    policy_chosen = Signal(str)
    preset_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets: Mapping[tuple[str, str], Preset] = {}
        self._policies: Mapping[str, type] = {}
        self._offered: dict[str, Preset] = {}
        self._shown: tuple[object, ...] = ()
        self.policy_picker = self._picker("policy_picker", "Policy", POLICY_HEADINGS, self._policy_choice)
        self.preset_picker = self._picker("preset_picker", "Preset", PRESET_HEADINGS, self._preset_choice)
        self.policy_picker.group(lambda choice: _GROUPS.index(choice.cells[1]))
        self._own = ""
        give_font(self.policy_picker, "name")
        self.setFixedHeight(BOX)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.policy_picker)
        row.addWidget(self.preset_picker, 1)
        self.policy_picker.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Expanding)
        self.preset_picker.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.policy_picker.currentIndexChanged.connect(self._take_policy)
        self.preset_picker.currentIndexChanged.connect(self._take_preset)

    def set_policies(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Offer these policies and presets."""
        self._presets, self._shown = presets, ()
        if list(policies) != list(self._policies):
            with QSignalBlocker(self.policy_picker):
                self.policy_picker.clear()
                for name in policies:  # titles would import every policy
                    self.policy_picker.addItem(one_line(name), name)
        self._policies = policies

    def show_own(self, policy: str) -> None:
        """Take the policy of the program that wrote the file, "" for none; it is listed first."""
        self._own = policy

    def show_choice(self, policy: str, preset: str, used: Sequence[str] = ()) -> None:
        """Show the current policy and preset; nothing is emitted. `used` are the keys of choices used lately."""
        self.policy_picker.show_used(used)
        self.preset_picker.show_used(used)
        if (policy, preset, self._presets) == self._shown:
            return
        self._shown = policy, preset, self._presets
        with QSignalBlocker(self.policy_picker):
            place = self.policy_picker.findData(policy)
            self.policy_picker.setCurrentIndex(place)
            if policy in self._policies:
                self.policy_picker.setItemText(place, one_line(_title(policy, self._policies[policy])))
        self.policy_picker.setToolTip(tooltip(f"{policy}\n{_first_line(self._policies.get(policy))}".rstrip()))
        with QSignalBlocker(self.preset_picker):
            self._offer_presets(policy)
            self.preset_picker.setPlaceholderText(preset)  # visible if the preset has been removed elsewhere
            self.preset_picker.setCurrentIndex(self.preset_picker.findData(preset))
        self.preset_picker.setToolTip(tooltip(f"Preset {preset}\n{self.preset(policy, preset).description}".rstrip()))
        self.policy_picker.updateGeometry()  # as wide as its text

    def preset(self, policy: str, preset: str) -> Preset:
        """Return the preset of this name; a preset without parameters if the policy has none."""
        return self._presets.get((policy, preset), _PLAIN_PRESET)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame around both segments, and a line between them."""
        paint_ground(self, is_strong=True)
        painter, x = QPainter(self), self.preset_picker.x()
        painter.setPen(theme().border)
        painter.drawLine(x, 2 * UNIT - 1, x, self.height() - 2 * UNIT)

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

    def _policy_choice(self, name: str) -> Choice:
        return policy_choice(name, self._policies[name], is_own=name == self._own)

    def _preset_choice(self, name: str) -> Choice:
        policy = self.policy_picker.currentData()
        return preset_choice(policy, name, self.preset(policy, name))

    def _picker(
        self, name: str, words: str, columns: Sequence[ChoiceColumn], describe: Callable[[str], Choice]
    ) -> DescribedPicker:
        picker = DescribedPicker(f"Find a {words.lower()} by name or what it does", columns, describe, self)
        picker.setObjectName(name)
        picker.setAccessibleName(words)
        WheelGuard(self).guard(picker)
        return picker


def _choice(name: str, preset: Preset) -> QStandardItem:
    item = QStandardItem(one_line(preset.title))
    item.setData(name, Qt.ItemDataRole.UserRole)
    item.setToolTip(tooltip(preset.description))
    return item


def _heading(text: str) -> QStandardItem:
    item = QStandardItem(text)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    return item


def _title(name: str, kind: type) -> str:
    return traits_of(kind()).title or name


def _first_line(policy: type | None) -> str:
    return (policy.__doc__ or "").strip().partition("\n")[0] if policy else ""


def policy_choice(name: str, kind: type, *, is_own: bool = False) -> Choice:
    """Return the choice of a policy with its group; without a title it goes by its name.

    Its maker and its name in files are searched. `is_own`: it is that of the file's program.
    """
    whose, about = traits_of(kind()).whose, (getdoc(kind) or "").partition("\n")[0]
    tip = "\n".join(filter(None, (f"{name}, {whose}" if whose else name, about)))
    maker = traits_of(kind()).maker
    group = _GROUPS[0] if is_own else maker if maker in _GROUPS else _GROUPS[-1]
    return Choice(f"policy:{name}", (_title(name, kind), group, about), name, f"{name} {whose}", tip)


def preset_choice(policy: str, name: str, preset: Preset) -> Choice:
    """Return the choice of a policy's preset."""
    title, about = preset.title or name, preset.description
    return Choice(f"preset:{policy}:{name}", (title, about), name, name, tip=f"{title}, {name}\n{about}")
