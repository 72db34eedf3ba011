"""The choice of the policy and of the preset its parameters start from, and whether they still are the preset's."""

from collections.abc import Callable, Mapping, Sequence
from inspect import getdoc
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFont, QStandardItem, QStandardItemModel, QTextLayout
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind
from inspector.assembly.message_marks import Mark
from inspector.assembly.policy import traits_of
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.derived import cached_property
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.labels import Hint, PlainLabel, heading, keep_room
from inspector.gui.parts.number_field import WheelGuard
from inspector.gui.parts.reading_pane import put_text
from inspector.gui.parts.slider import new_gesture
from inspector.gui.parts.texts import control_text, one_line, tooltip
from inspector.gui.theme import UNIT
from inspector.retrieval.emotion import WEAKNESSES
from inspector.retrieval.message_classes import RULES

if TYPE_CHECKING:
    from inspector.gui.parts.choices import Choice
    from inspector.gui.parts.chooser import Chooser


WIDTH = 350 * UNIT


class DescribedPicker(QComboBox):
    """A combo box whose popup shows `describe` of each entry's data, with a column for each heading.

    A heading is a title, its width in digits (0 for the only column that takes the rest), and the least digits kept.
    """

    def __init__(
        self,
        words: str,
        headings: Sequence[tuple[str, int, int]],
        describe: "Callable[[str], Choice]",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._words, self._headings, self._describe = words, headings, describe

    @cached_property
    def chooser(self) -> "Chooser":
        """The popup, made when it is first opened."""
        from inspector.gui.parts.choice_model import ChoiceColumn
        from inspector.gui.parts.chooser import Chooser

        columns = [ChoiceColumn(title, digits, least=least) for title, digits, least in self._headings]
        chooser = Chooser(f"{self.objectName()}:chooser", self._words, columns, self.window(), headings=True)
        chooser.chosen.connect(lambda choice: self.setCurrentIndex(self.findData(choice.thing)))
        return chooser

    def showPopup(self) -> None:
        """Open the table, with the current choice marked."""
        data = [self.itemData(index) for index in range(self.count())]
        choices = [self._describe(name) for name in data if name is not None]
        corner = self.mapTo(self.window(), QPoint(0, self.height()))
        self.chooser.open_over(self.window(), QRect(corner.x(), corner.y() + 1, WIDTH, 0), choices)
        self.chooser.found.mark(self._describe(self.currentData()).key)

    def hidePopup(self) -> None:
        """Close the table, if it was ever open."""
        if "chooser" in self.__dict__:
            self.chooser.close()


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

        return policy_choice(name, self._policies[name])

    def _preset_choice(self, name: str) -> "Choice":

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
        self.preset_button = IconButton("ellipsis", "Save or remove presets", parent=self)
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


OFF = "Only what the file marks is emotional, a key moment or filler."
READING = "The messages are being read."
HELP = "Where the file says nothing about a message: emotional weight by VADER, filler and key moments by rules"


class ClassBox(QWidget):
    """A check box with its outcome below. `classifier_chosen` carries a classifier of the scenario, or None."""

    classifier_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox("Fill in by rules")
        self.box.setObjectName("classify_box")
        self.box.setAccessibleName("Classify messages by rules")
        self.box.setToolTip(tooltip(HELP))
        self._found = Hint(self)
        self._found.setObjectName("classify_found")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2 * UNIT, 0, 0)
        column.setSpacing(UNIT)
        title = heading("Classes of messages")
        title.setWordWrap(True)
        column.addWidget(title)
        column.addWidget(self.box)
        column.addWidget(self._found)
        self.box.toggled.connect(lambda checked: self.classifier_chosen.emit(RULES if checked else None))

    def show_classes(self, classifier: str | None, candidates: Candidates | None) -> None:
        """Show whether messages are classified, and the classes found in the candidates; nothing is emitted."""
        with QSignalBlocker(self.box):
            self.box.setChecked(classifier is not None)
        self._found.say(OFF if classifier is None else found_sentence(candidates))


def found_sentence(candidates: Candidates | None) -> str:
    """Return what the rules found in the messages, and how far to trust it."""
    if candidates is None or not candidates.marks.any_computed:
        return READING if candidates is not None and len(candidates.rows(Kind.MESSAGE)) else ""
    marks = candidates.marks
    read = (marks.computed & (Mark.KEY_MOMENT | Mark.FILLER)) > 0
    weights = int(((marks.computed & Mark.EMOTIONAL_WEIGHT) > 0).sum())
    unread = int((read & np.isnan(marks.emotional_weight)).sum())
    moments = int((marks.key_moment & ((marks.computed & Mark.KEY_MOMENT) > 0)).sum())
    fillers = int((marks.filler & ((marks.computed & Mark.FILLER) > 0)).sum())
    found = f"Found: emotional weights {weights:,}, key moments {moments:,}, fillers {fillers:,}."
    none = f" Without a weight, because not English or too short to tell: {unread:,}." if unread else ""
    return f"{found}{none} Weights are VADER's: {WEAKNESSES}"


PAUSE_MILLISECONDS = 250
_LINES = 3
_WRITE = "Write the next user message to see what it would push out…"
_KEPT = "At an earlier turn it does not exist yet. What you wrote is kept for the last turn."
_LATER = "At an earlier turn there is none. It can be written at the last turn."


class DraftBox(QWidget):
    """Three lines of text. `written` carries the text after a short pause, and the gesture of this visit."""

    written = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = QPlainTextEdit(self)
        self.edit.setObjectName("draft_edit")
        self.edit.setAccessibleName("Next message")
        self.edit.setPlaceholderText(_WRITE)
        self.edit.setTabChangesFocus(True)
        self._fit()
        self.edit.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        column.addWidget(heading("Next message"))
        column.addWidget(self.edit)
        self._gesture = new_gesture("draft")
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._tell)
        self.edit.textChanged.connect(self._pause.start)

    def show_draft(self, text: str, exists: bool = True) -> None:
        """Show the text of the scenario, unless the user is typing; nothing is emitted.

        At a turn without a draft, the box is disabled and says where a draft can be written.
        """
        if self._pause.isActive():
            return
        self.edit.setEnabled(exists)
        self.edit.setPlaceholderText(_WRITE if exists else _KEPT if text else _LATER)
        shown = text if exists else ""
        if shown != self.edit.toPlainText():
            with QSignalBlocker(self.edit):
                put_text(self.edit, shown)

    def _fit(self) -> None:
        """Set the height to whole lines, without the bottom margin, which would show the top of a further line."""
        above = int(self.edit.document().documentMargin())
        self.edit.setFixedHeight(ceil(_LINES * _line_height(self.edit.font())) + above + 2 * self.edit.frameWidth())

    def _tell(self) -> None:
        self._pause.stop()
        self.written.emit(self.edit.toPlainText(), self._gesture)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the text size; begin a gesture when the focus comes, and emit pending text when it leaves."""
        if watched is self.edit and event.type() == QEvent.Type.FontChange:
            self._fit()
        elif watched is self.edit and event.type() == QEvent.Type.FocusIn:
            self._gesture = new_gesture("draft")
        elif watched is self.edit and event.type() == QEvent.Type.FocusOut and self._pause.isActive():
            self._tell()
        return super().eventFilter(watched, event)


def _line_height(font: QFont) -> float:
    """Return the height of a line of text, more than the font's where its parts are rounded up."""
    layout = QTextLayout("x", font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return line.height()


def policy_choice(name: str, kind: type) -> Choice:
    """Return the choice of a policy; without a title it goes by its name."""
    traits, about = traits_of(kind()), (getdoc(kind) or "").partition("\n")[0]
    return Choice(f"policy:{name}", (traits.title or name, name, about, traits.whose), name, tip=f"{name}\n{about}")


def preset_choice(policy: str, name: str, preset: Preset) -> Choice:
    """Return the choice of a policy's preset."""
    title, about = preset.title or name, preset.description
    return Choice(f"preset:{policy}:{name}", (title, name, about), name, tip=f"{title}\n{about}")
