"""The list of unsaved work not open in any window: name, folder and time."""

from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from inspector.gui.parts.texts import one_line, window_title
from inspector.gui.saving.autosaving import Autosaving, UnsavedWork

SIZE = (760, 320)
_REMOVE, _SURELY = "&Remove…", "&Remove for ever"
_NAME_WIDTH, _FOLDER_WIDTH = 260, 330


class UnsavedDialog(QDialog):
    """Opens unsaved work, in place of the open files, or removes it."""

    def __init__(self, autosaving: Autosaving, parent: QWidget) -> None:
        super().__init__(parent)
        self._autosaving = autosaving
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("unsaved_dialog")
        self.setWindowTitle(window_title("Recover unsaved work"))
        self.resize(*SIZE)
        self._list = QTreeWidget(self)
        self._list.setObjectName("unsaved_list")
        self._list.setAccessibleName("Unsaved work")
        self._list.setHeaderLabels(["Unsaved changes of", "Folder", "Kept"])
        self._list.setRootIsDecorated(False)
        self._list.setColumnWidth(0, _NAME_WIDTH)
        self._list.setColumnWidth(1, _FOLDER_WIDTH)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self._open = self._buttons.addButton("&Open", QDialogButtonBox.ButtonRole.AcceptRole)
        self._remove = self._buttons.addButton(_REMOVE, QDialogButtonBox.ButtonRole.ActionRole)
        self._open.setDefault(True)
        lines = QVBoxLayout(self)
        lines.addWidget(self._list)
        lines.addWidget(self._buttons)
        self._buttons.accepted.connect(self._open_chosen)
        self._buttons.rejected.connect(self.reject)
        self._remove.clicked.connect(self._remove_chosen)
        self._list.itemDoubleClicked.connect(lambda *_: self._open_chosen())
        self._list.currentItemChanged.connect(lambda *_: self._switch_buttons())
        autosaving.changed.connect(self._fill)
        self._fill()
        autosaving.look()

    @property
    def _chosen(self) -> UnsavedWork | None:
        item = self._list.currentItem()
        return item.data(0, Qt.ItemDataRole.UserRole) if item is not None else None

    def _fill(self) -> None:
        """Show the current list and keep the selection."""
        chosen = self._chosen
        self._list.clear()
        for work in self._autosaving.works:
            kept = datetime.fromtimestamp(work.time).strftime("%Y-%m-%d %H:%M:%S")
            item = QTreeWidgetItem(self._list, [one_line(work.title), one_line(work.folder), kept])
            item.setData(0, Qt.ItemDataRole.UserRole, work)
            if self._list.currentItem() is None or (chosen is not None and work.file == chosen.file):
                self._list.setCurrentItem(item)
        self._switch_buttons()

    def _switch_buttons(self) -> None:
        for button in (self._open, self._remove):
            button.setEnabled(self._chosen is not None)
        self._remove.setText(_REMOVE)

    def _open_chosen(self) -> None:
        if self._chosen is not None:
            self._autosaving.recover(self._chosen)
            self.accept()

    def _remove_chosen(self) -> None:
        """Remove the selected work at the second press, since it is in no other file."""
        work = self._chosen
        if work is not None and self._remove.text() == _SURELY:
            self._autosaving.remove(work)
        self._remove.setText(_REMOVE if self._remove.text() == _SURELY else _SURELY)
