"""The dialog for the name of a preset with the current values."""

from collections.abc import Callable, Collection

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from inspector.gui.parts.labels import Hint, PlainLabel
from inspector.gui.parts.texts import window_title
from inspector.gui.theme import UNIT

_WIDTH = 90 * UNIT


class PresetDialog(QDialog):
    """A name, with the reason why it is refused or the preset it replaces. The dialog closes when the values are saved.

    `trouble` returns the reason why a name is refused, "" if it is not; `save` saves under a name and returns the
    reason of a failure, "" without; `own` are the names of the user's own presets, which may be replaced.
    """

    def __init__(
        self,
        suggestion: str,
        own: Collection[str],
        trouble: Callable[[str], str],
        save: Callable[[str], str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("preset_dialog")
        self.setWindowTitle(window_title("Save values as preset"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._own, self._trouble, self._save = own, trouble, save
        self.name = QLineEdit(suggestion, self)
        self.name.setObjectName("preset_name")
        self.name.setAccessibleName("Name of the preset")
        self._complaint, self._said = Hint(self, complaint=True), Hint(self)
        self._complaint.setObjectName("preset_complaint")
        self._said.setObjectName("preset_said")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel, self
        )
        self._lay_out()
        self.name.textChanged.connect(self._check)
        self.buttons.accepted.connect(self._try)
        self.buttons.rejected.connect(self.reject)
        self.name.selectAll()
        self._check()

    def _check(self) -> None:
        name = self.name.text().strip()
        trouble = self._trouble(name)
        self._complaint.say(trouble)
        replaces = name in self._own
        kept = "Replaces your preset of this name; the file as it was is kept as presets.yaml.before."
        self._said.say("" if trouble else kept if replaces else "Saved in presets.yaml, for every conversation.")
        button = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        button.setText("Replace" if replaces else "Save")
        button.setEnabled(not trouble)

    def _try(self) -> None:
        if trouble := self._save(self.name.text().strip()):
            self._said.say("")
            self._complaint.say(trouble)
        else:
            self.accept()

    def _lay_out(self) -> None:
        label = PlainLabel("Name", self)
        label.setBuddy(self.name)
        said = QVBoxLayout()
        said.setContentsMargins(0, 0, 0, 0)
        said.addWidget(self._complaint)
        said.addWidget(self._said)
        said.addStretch(1)
        room = QWidget(self)
        room.setLayout(said)
        room.setMinimumHeight(2 * self._said.fontMetrics().lineSpacing() + UNIT)  # no button moves during typing
        column = QVBoxLayout(self)
        column.addWidget(label)
        column.addWidget(self.name)
        column.addWidget(room)
        column.addWidget(self.buttons)
        self.setMinimumWidth(_WIDTH)
