"""All that is open: the tree of files and their contents."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from inspector.assembly.choices import ChosenParts
from inspector.gui.parts.texts import window_title
from inspector.gui.screens.sources.conversation_list import ConversationList
from inspector.gui.theme import PANEL_MARGIN, UNIT
from inspector.model import Workspace

SIZE = QSize(140 * UNIT, 150 * UNIT)


class FilesDialog(QDialog):
    """Stays open beside the window, and follows what is open."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("files_dialog")
        self.setWindowTitle(window_title("All files"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.files = ConversationList(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        column.setSpacing(UNIT)
        column.addWidget(self.files, 1)
        self.resize(SIZE)
        self.files.setFocus()

    def show_workspace(self, workspace: Workspace) -> None:
        """List the open files and their contents."""
        self.files.show_workspace(workspace)

    def show_chosen(self, chosen: ChosenParts) -> None:
        """Mark the parts of the prompt."""
        self.files.show_chosen(chosen)
