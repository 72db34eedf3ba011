"""The head of the settings: how many differ from the preset, the way back, and the menu of presets."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.labels import ElidedLabel, heading
from inspector.gui.parts.parameter_row import TARGET
from inspector.gui.parts.texts import control_text
from inspector.gui.parts.word_chip import WordChip
from inspector.gui.theme import UNIT, give_font


class SettingsHead(QWidget):
    """The title line. `saving_asked` is for the current values, `removal_asked` for the user's own preset in use."""

    reset_asked = Signal()
    saving_asked = Signal()
    removal_asked = Signal()
    copy_asked = Signal()
    servers_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: tuple[str, ...] | None = None
        self._preset: tuple[str, bool] | None = None
        self._modified = WordChip("modified_hint", parent=self)
        self._modified.hide()
        self.reset_button = IconButton("rotate-ccw", "Give every setting the value of the preset", True, self)
        self.reset_button.setObjectName("parameters:reset")
        self.reset_button.setEnabled(False)
        self.menu_button = IconButton("ellipsis", "Presets, copying the settings, and local servers", parent=self)
        self.menu_button.setObjectName("preset_menu")
        self.menu_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._file = ElidedLabel(self, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._file.setObjectName("settings_file")
        self._file.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        give_font(self._file, "secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(4 * UNIT, 2 * UNIT, 3 * UNIT, UNIT)
        row.setSpacing(UNIT)
        row.addWidget(heading("Settings", self))
        row.addWidget(self._file, 1)
        row.addWidget(self._modified)
        for button in (self.reset_button, self.menu_button):
            button.setFixedSize(TARGET, TARGET)
            row.addWidget(button)
        self._add_menu()
        self.reset_button.clicked.connect(self.reset_asked)

    def show_file(self, name: str) -> None:
        """Tell the scenario file that the settings began with, "" for none."""
        self._file.say(f"from {name}" if name else "")

    def show_preset(self, preset: str, is_own: bool) -> None:
        """Offer to remove the preset in use if it is the user's own."""
        if (preset, is_own) == self._preset:
            return
        self._preset = preset, is_own
        self._remove.setEnabled(is_own)
        self._remove.setText(f"Remove preset “{control_text(preset)}”" if is_own else "Remove preset")

    def show_changed(self, labels: Sequence[str]) -> None:
        """Show which settings differ from the preset."""
        if (*labels,) == self._labels:
            return
        self._labels = (*labels,)
        if labels:
            self._modified.say(f"{len(labels)} changed", tip=f"Not those of the preset: {', '.join(labels)}")
        self._modified.setVisible(bool(labels))
        self.reset_button.setEnabled(bool(labels))
        self._reset.setEnabled(bool(labels))

    def _add_menu(self) -> None:
        menu = QMenu(self)
        menu.setObjectName("preset_actions")
        self.menu_button.clicked.connect(lambda: menu.popup(self.menu_button.mapToGlobal(QPoint(0, TARGET))))
        save = menu.addAction("Save values as preset…")
        self._remove = menu.addAction("Remove preset")
        menu.addSeparator()
        self._reset = menu.addAction("Reset all")
        copy = menu.addAction("Copy settings as command")
        menu.addSeparator()
        servers = menu.addAction("Local servers…")
        save.triggered.connect(lambda: self.saving_asked.emit())
        self._remove.triggered.connect(lambda: self.removal_asked.emit())
        self._reset.triggered.connect(lambda: self.reset_asked.emit())
        copy.triggered.connect(lambda: self.copy_asked.emit())
        servers.triggered.connect(lambda: self.servers_asked.emit())
